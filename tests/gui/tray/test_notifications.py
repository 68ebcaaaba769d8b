"""Notifications report news, and nothing else."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from client.api.protocol import ProblemView
from client.api.snapshot import Activity, Snapshot, StandingView
from gui.link.link import LinkState
from gui.settings import AppSettings
from gui.tray.notifications import Announcer, News, news
from tests.client.snapshots import FULL, IDLE, NOW
from tests.gui.setup import environments as known
from tests.gui.stand_in_link import StandInLink

TRAINING = FULL.model_copy(update={"activity": Activity.TRAINING, "problem": None, "standing": None})
DISK = ProblemView(code="some_problem", what="The disk is full.", remedy="Free some space.")


def seen(**changes: Any) -> Snapshot:
    return TRAINING.model_copy(update=changes)


def ranked(rank: int) -> Snapshot:
    return seen(standing=StandingView(rank=rank, of=1_204, samples=1, looked=NOW))


def in_need(code: str = DISK.code) -> Snapshot:
    return seen(activity=Activity.ATTENTION, problem=DISK.model_copy(update={"code": code}))


def rejected() -> Snapshot:
    """The Hub takes the sign-in no more, while training goes on."""
    return seen(account=None, problem=ProblemView(code="rejected", what="Not accepted.", remedy="Sign in."))


LACKING = seen(activity=Activity.ATTENTION, environment=known.OFFERED)
"""The run is joined, and the packages for training are missing."""
INSTALLING = seen(activity=Activity.WAITING, environment=known.FETCHING)
UNINSTALLABLE = seen(activity=Activity.ATTENTION, environment=known.FAILED, problem=known.PROBLEM)
"""The packages for training could not be installed."""
COMPLETE = seen(activity=Activity.COMPLETE)
OTHER_RUN = seen(run=TRAINING.run.model_copy(update={"digest": "cd"}) if TRAINING.run else None)


@pytest.mark.parametrize(
    ("before", "after", "best", "keys"),
    [
        (TRAINING, TRAINING, None, []),
        (TRAINING, in_need(), None, ["problem/some_problem"]),
        (None, in_need(), None, ["problem/some_problem"]),
        (in_need(), in_need(), None, []),
        (in_need(), in_need("another"), None, ["problem/another"]),
        (in_need(), TRAINING, None, []),
        (TRAINING, seen(activity=Activity.ATTENTION), None, ["problem/attention"]),
        (TRAINING, seen(problem=DISK), None, []),  # which does not keep it from training
        (TRAINING, in_need("membership"), None, ["problem/membership"]),
        (TRAINING, rejected(), None, ["problem/rejected"]),
        (rejected(), rejected(), None, []),
        (TRAINING, seen(account=None), None, []),  # the volunteer signed out
        (TRAINING, seen(membership=None), None, []),
        (TRAINING, ranked(7), None, []),  # the first look
        (ranked(9), ranked(7), 9, ["rank/ab"]),
        (TRAINING, ranked(7), 9, ["rank/ab"]),
        (ranked(9), ranked(7), 5, []),
        (ranked(7), ranked(7), 7, []),
        (ranked(7), ranked(8), 7, []),
        (None, ranked(7), 9, []),
        (OTHER_RUN, ranked(7), 9, []),
        (TRAINING, COMPLETE, None, ["complete/ab"]),
        (COMPLETE, COMPLETE, None, []),
        (None, COMPLETE, None, []),
        (OTHER_RUN, COMPLETE, None, []),
        (IDLE, TRAINING, None, []),
        (TRAINING, IDLE, None, []),
        (IDLE, LACKING, None, []),  # the run was joined just now, and the app asks
        (LACKING, LACKING, None, []),
        (None, LACKING, None, ["problem/lacking"]),
        (TRAINING, LACKING, None, ["problem/lacking"]),
        (LACKING, INSTALLING, None, []),
        (INSTALLING, LACKING, None, []),  # the volunteer cancelled it
        (INSTALLING, UNINSTALLABLE, None, ["problem/setup"]),
    ],
)
def test_only_what_is_new_is_reported(
    before: Snapshot | None, after: Snapshot, best: int | None, keys: list[str]
) -> None:
    assert [item.key for item in news(before, after, best)] == keys


@pytest.mark.parametrize(
    ("before", "after", "keys"),
    [
        (IDLE, UNINSTALLABLE, []),
        (LACKING, UNINSTALLABLE, []),
        (INSTALLING, UNINSTALLABLE, []),
        (None, LACKING, []),
        (INSTALLING, in_need(), ["problem/some_problem"]),
        (LACKING, UNINSTALLABLE.model_copy(update={"problem": DISK}), ["problem/some_problem"]),
        (ranked(9), ranked(7), ["rank/ab"]),
    ],
)
def test_who_looks_at_the_set_up_hears_nothing_of_it(
    before: Snapshot | None, after: Snapshot, keys: list[str]
) -> None:
    assert [item.key for item in news(before, after, 9, sees_setup=True)] == keys


def test_each_says_what_happened_and_leads_to_its_page() -> None:
    (need,) = news(TRAINING, in_need(), None)
    assert (need.title, need.text, need.page) == (
        "Idlebrush needs your attention",
        "The disk is full.\nFree some space.",
        "now",
    )
    (signed_out,) = news(TRAINING, rejected(), None)
    assert signed_out.title == "You were signed out"
    (rank,) = news(TRAINING, ranked(7), 9)
    assert (rank.text, rank.page) == (
        "You are ranked 7 of 1,204 in “Emoji, a starter set”.",
        "leaderboard",
    )
    (complete,) = news(TRAINING, COMPLETE, None)
    assert (complete.title, complete.page) == ("The run is complete", "gallery")


def test_no_organiser_writes_markup_into_a_notification() -> None:
    assert COMPLETE.run is not None
    named = COMPLETE.model_copy(update={"run": COMPLETE.run.model_copy(update={"title": "<a href=x>y</a>"})})
    (item,) = news(TRAINING.model_copy(update={"run": named.run}), named, None)
    assert "<" not in item.text


IN_NEED = TRAINING.model_copy(
    update={
        "activity": Activity.ATTENTION,
        "problem": ProblemView(code="disk", what="The disk is full.", remedy="Free some space."),
    }
)


class NotificationListener:
    """A user before the screen, at a time of the test's choosing."""

    def __init__(self, link: StandInLink, folder: Path) -> None:
        self.link, self.settings = link, AppSettings(folder)
        self.now, self.sees_setup = NOW, False
        self.heard: list[str] = []
        self._announcer = Announcer(link, self.settings, self._time, lambda: self.sees_setup)
        self._announcer.announced.connect(self._hear)

    def _time(self) -> datetime:
        return self.now

    def _hear(self, item: News) -> None:
        self.heard.append(item.key)


@pytest.fixture
def listener(link: StandInLink, tmp_path: Path) -> NotificationListener:
    return NotificationListener(link, tmp_path)


def test_what_comes_and_goes_is_reported_once_a_day(listener: NotificationListener) -> None:
    for hours in (0, 1, 23, 25):
        listener.now = NOW + timedelta(hours=hours)
        listener.link.show(TRAINING)
        listener.link.show(IN_NEED)
    assert listener.heard == ["problem/disk", "problem/disk"]


def test_a_set_up_that_failed_before_the_users_eyes_is_not_reported_afterwards(
    listener: NotificationListener,
) -> None:
    listener.sees_setup = True
    for snapshot in (IDLE, LACKING, UNINSTALLABLE):
        listener.link.show(snapshot)
    listener.sees_setup = False
    listener.link.show(UNINSTALLABLE)
    assert listener.heard == []


def test_it_is_not_reported_again_after_another_start_of_the_app(
    listener: NotificationListener, link: StandInLink, tmp_path: Path
) -> None:
    listener.link.show(IN_NEED)
    listener.settings.save()
    again = NotificationListener(link, tmp_path)
    again.link.show(IN_NEED)
    assert (listener.heard, again.heard) == (["problem/disk"], [])


def test_a_daemon_that_comes_back_is_looked_at_again(listener: NotificationListener) -> None:
    listener.link.show(ranked(9))
    listener.link.show(None, LinkState.ABSENT)
    listener.link.show(ranked(3))
    assert listener.heard == []
    assert listener.settings.best_rank("ab") == 3


def test_the_best_rank_is_kept_and_reported_once_it_is_beaten(listener: NotificationListener) -> None:
    for rank in (9, 12, 10, 9):
        listener.link.show(ranked(rank))
    assert listener.heard == []
    listener.link.show(ranked(8))
    listener.link.show(ranked(7))
    assert listener.heard == ["rank/ab"]
    assert listener.settings.best_rank("ab") == 7


def test_who_wants_none_gets_none(listener: NotificationListener) -> None:
    listener.settings.notifications = False
    listener.link.show(ranked(9))
    listener.link.show(ranked(8))
    listener.link.show(IN_NEED)
    assert listener.heard == []
    assert listener.settings.best_rank("ab") == 8
