"""News over days: never the same twice in one, and none that nobody wants."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from client.api.problem import ProblemView
from client.api.snapshot import Activity, Snapshot, StandingView
from gui.link.state import LinkState
from gui.settings import Settings
from gui.tray.announcer import Announcer
from gui.tray.notifications import News
from tests.client.snapshots import FULL, NOW
from tests.gui.stand_in_link import StandInLink

TRAINING = FULL.model_copy(update={"activity": Activity.TRAINING, "problem": None, "standing": None})
IN_NEED = TRAINING.model_copy(
    update={
        "activity": Activity.ATTENTION,
        "problem": ProblemView(code="disk", what="The disk is full.", remedy="Free some space."),
    }
)


def ranked(rank: int) -> Snapshot:
    return TRAINING.model_copy(update={"standing": StandingView(rank=rank, of=1_204, samples=1, looked=NOW)})


class Listener:
    """Somebody before the screen, at a time of the test's choosing."""

    def __init__(self, link: StandInLink, folder: Path) -> None:
        self.link, self.settings = link, Settings(folder)
        self.now = NOW
        self.heard: list[str] = []
        self._announcer = Announcer(link, self.settings, self._time)
        self._announcer.announced.connect(self._hear)

    def _time(self) -> datetime:
        return self.now

    def _hear(self, item: News) -> None:
        self.heard.append(item.key)


@pytest.fixture
def somebody(link: StandInLink, tmp_path: Path) -> Listener:
    return Listener(link, tmp_path)


def test_what_comes_and_goes_is_told_once_a_day(somebody: Listener) -> None:
    for hours in (0, 1, 23, 25):
        somebody.now = NOW + timedelta(hours=hours)
        somebody.link.show(TRAINING)
        somebody.link.show(IN_NEED)
    assert somebody.heard == ["problem/disk", "problem/disk"]


def test_it_is_not_told_again_after_another_start_of_the_app(
    somebody: Listener, link: StandInLink, tmp_path: Path
) -> None:
    somebody.link.show(IN_NEED)
    somebody.settings.save()
    again = Listener(link, tmp_path)
    again.link.show(IN_NEED)
    assert (somebody.heard, again.heard) == (["problem/disk"], [])


def test_a_daemon_that_comes_back_is_looked_at_anew(somebody: Listener) -> None:
    somebody.link.show(ranked(9))
    somebody.link.show(None, LinkState.ABSENT)
    somebody.link.show(ranked(3))
    assert somebody.heard == []
    assert somebody.settings.best_rank("ab") == 3


def test_the_best_rank_is_kept_and_told_once_it_is_beaten(somebody: Listener) -> None:
    for rank in (9, 12, 10, 9):
        somebody.link.show(ranked(rank))
    assert somebody.heard == []
    somebody.link.show(ranked(8))
    somebody.link.show(ranked(7))
    assert somebody.heard == ["rank/ab"]
    assert somebody.settings.best_rank("ab") == 7


def test_who_wants_none_is_told_none(somebody: Listener) -> None:
    somebody.settings.notifications = False
    somebody.link.show(ranked(9))
    somebody.link.show(ranked(8))
    somebody.link.show(IN_NEED)
    assert somebody.heard == []
    assert somebody.settings.best_rank("ab") == 8
