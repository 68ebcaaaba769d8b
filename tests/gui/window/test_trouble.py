"""The app tells why the daemon cannot be reached, and offers a button that helps."""

import pytest

from client.api.errors import DaemonFailed
from gui.link.link import LinkState
from gui.window.trouble import TroubleAction, action_words, trouble


@pytest.mark.parametrize(
    ("state", "help_", "is_passing"),
    [
        (LinkState.CONNECTING, TroubleAction.NONE, True),
        (LinkState.STARTING, TroubleAction.NONE, True),
        (LinkState.ABSENT, TroubleAction.START, False),
        (LinkState.SILENT, TroubleAction.RESTART, False),
        (LinkState.OLD, TroubleAction.RESTART, False),
        (LinkState.FOREIGN, TroubleAction.NONE, False),
        (LinkState.FAILED, TroubleAction.START, False),
    ],
)
def test_every_trouble_has_words_and_the_button_that_helps(
    state: LinkState, help_: TroubleAction, is_passing: bool
) -> None:
    problem = trouble(state, None)
    assert problem is not None
    assert problem.text
    assert (problem.help, problem.is_passing) == (help_, is_passing)
    assert bool(action_words(problem.help)) is (help_ is not TroubleAction.NONE)


def test_nothing_is_reported_where_the_daemon_answers() -> None:
    assert trouble(LinkState.CONNECTED, None) is None


def test_a_daemon_that_cannot_start_is_reported_in_its_words() -> None:
    problem = trouble(LinkState.FAILED, DaemonFailed("The disk is full.", "Free some space."))
    assert problem is not None
    assert problem.detail == "The disk is full. Free some space."
