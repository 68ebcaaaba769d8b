"""The app waits for each answer longer than the daemon can take, including its requests to others."""

import pytest

from client.account.safekeeping import Safekeeping
from client.admission import coordination
from client.api.commands import ChangeTeam, HideName, KeepReceipts, OpenPage, Pause, SignIn, TeamAction
from client.api.questions import ShowBoard, ShowContribution, ShowTeams
from client.api.requests import AnyRequest
from gui.link.daemon_access import Timing

TIMING = Timing(answer=1.0, coordinator=2.0)


@pytest.mark.parametrize(
    ("request_", "seconds"),
    [
        (Pause(), 1.0),
        (ShowContribution(), 1.0),
        (ShowBoard(), 2.0),
        (OpenPage(), 2.0),
        (HideName(hidden=True), 2.0),
        (ShowTeams(), 2.0),
        (ChangeTeam(action=TeamAction.LEAVE), 2.0),
        (KeepReceipts(), None),
        (SignIn(), None),
    ],
    ids=lambda value: getattr(value, "type", value),
)
def test_each_answer_is_waited_for_as_long_as_it_may_take(
    request_: AnyRequest, seconds: float | None
) -> None:
    assert TIMING.seconds_for(request_) == seconds


def test_the_daemon_gives_up_on_a_coordinator_before_the_app_gives_up_on_the_daemon() -> None:
    assert coordination._SECONDS + Safekeeping.seconds < Timing().coordinator
