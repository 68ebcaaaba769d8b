"""What is said where the daemon cannot be reached, and what a button does about it."""

import pytest

from client.api.errors import DaemonFailed
from gui.link.state import LinkState
from gui.window.trouble import Help, help_words, trouble


@pytest.mark.parametrize(
    ("state", "help_", "is_passing"),
    [
        (LinkState.CONNECTING, Help.NONE, True),
        (LinkState.STARTING, Help.NONE, True),
        (LinkState.ABSENT, Help.START, False),
        (LinkState.SILENT, Help.RESTART, False),
        (LinkState.OLD, Help.RESTART, False),
        (LinkState.FOREIGN, Help.NONE, False),
        (LinkState.FAILED, Help.START, False),
    ],
)
def test_every_trouble_has_words_and_the_button_that_helps(
    state: LinkState, help_: Help, is_passing: bool
) -> None:
    said = trouble(state, None)
    assert said is not None
    assert said.text
    assert (said.help, said.is_passing) == (help_, is_passing)
    assert bool(help_words(said.help)) is (help_ is not Help.NONE)


def test_nothing_is_said_where_the_daemon_answers() -> None:
    assert trouble(LinkState.CONNECTED, None) is None


def test_a_daemon_that_cannot_start_is_told_of_in_its_words() -> None:
    said = trouble(LinkState.FAILED, DaemonFailed("The disk is full.", "Free some space."))
    assert said is not None
    assert said.detail == "The disk is full. Free some space."
