"""What is worth a notification, and what is not."""

from typing import Any

import pytest

from client.api.problem import ProblemView
from client.api.snapshot import Activity, Snapshot, StandingView
from gui.tray.notifications import news
from tests.client.snapshots import FULL, IDLE, NOW

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


COMPLETE = seen(activity=Activity.COMPLETE)
OTHER_RUN = seen(run=TRAINING.run.model_copy(update={"digest": "cd"}) if TRAINING.run else None)


@pytest.mark.parametrize(
    ("before", "after", "best", "told"),
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
    ],
)
def test_only_what_is_new_is_told(
    before: Snapshot | None, after: Snapshot, best: int | None, told: list[str]
) -> None:
    assert [item.key for item in news(before, after, best)] == told


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
        "You are at rank 7 of 1,204 in “Emoji, a starter set”.",
        "leaderboard",
    )
    (complete,) = news(TRAINING, COMPLETE, None)
    assert (complete.title, complete.page) == ("The run is complete", "gallery")


def test_no_organiser_writes_markup_into_a_notification() -> None:
    assert COMPLETE.run is not None
    named = COMPLETE.model_copy(update={"run": COMPLETE.run.model_copy(update={"title": "<a href=x>y</a>"})})
    (told,) = news(TRAINING.model_copy(update={"run": named.run}), named, None)
    assert "<" not in told.text
