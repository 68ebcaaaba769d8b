"""A peer that went on alone knows it once every record of the others is newer than its own lead."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.run.look_schedule import alive_seconds
from core.run.rules import SwarmRules
from core.swarm.membership.agreement import Course
from core.swarm.membership.ahead import AloneSince, alone_since
from core.swarm.membership.membership import Swarm
from core.swarm.membership.swarm_view import SwarmView
from tests.core.swarm.builders import HandClock, progress

ALIVE = alive_seconds(3.0)
"""Seconds after which a peer that looks every three seconds counts as gone."""


def looks(*seen: tuple[float, int, int]) -> tuple[AloneSince | None, bool]:
    """Return what is known after looks at a time, at the own epoch and that of two others, and if it is sure."""
    alone, view = None, SwarmView(0.0)
    for time, own, theirs in seen:
        view = SwarmView(0.0, (progress(1, epoch=theirs), progress(2, epoch=theirs)), seen_at=time)
        alone = alone_since(alone, progress(0, epoch=own), view, None)
    return alone, alone is not None and alone.is_sure(view.others)


@pytest.mark.parametrize(
    ("seen", "is_sure"),
    [
        ([(0.0, 25, 12), (ALIVE / 2, 26, 12), (ALIVE + 1, 27, 12)], True),
        ([(0.0, 25, 12), (ALIVE / 2, 26, 13), (ALIVE + 1, 27, 14)], True),  # they go on, on their own
        ([(0.0, 25, 12), (ALIVE / 2, 26, 12), (ALIVE, 27, 12)], False),  # a record may be as old
        ([(0.0, 25, 12), (ALIVE + 1, 27, 12)], False),  # two looks
        ([(0.0, 25, 12), (0.0, 25, 12), (ALIVE + 1, 27, 12)], False),  # of which one was asked twice
        (
            [(0.0, 25, 12), (5.0, 25, 12), (ALIVE / 2, 26, 24), (ALIVE + 1, 27, 12)],
            False,
        ),  # they were near once
        ([(0.0, 25, 12), (5.0, 25, 25), (ALIVE / 2, 26, 12), (ALIVE + 1, 27, 12)], False),
    ],
)
def test_it_is_sure_after_several_looks_over_the_age_of_any_record(
    seen: list[tuple[float, int, int]], is_sure: bool
) -> None:
    assert looks(*seen)[1] == is_sure


@pytest.mark.parametrize("lag", [2, 5, 10])
def test_records_that_lag_behind_epochs_of_a_second_make_no_peer_alone(lag: int) -> None:
    """All go on together, and each sees the others where they were some seconds ago."""
    alone = None
    for second in range(60):
        others = (progress(1, epoch=25 + second - lag), progress(2, epoch=25 + second - lag))
        view = SwarmView(0.0, others, seen_at=float(second))
        alone = alone_since(alone, progress(0, epoch=25 + second), view, None)
        assert alone is not None
        assert not alone.is_sure(others)


def test_a_peer_that_is_sure_takes_the_state_of_the_majority_and_one_that_lags_does_not() -> None:
    clock = HandClock()
    tracker = cast(
        Any,
        SimpleNamespace(view=None, **dict.fromkeys(("start", "publish", "rest", "set_aside", "stop"))),
    )
    swarm, courses = Swarm(tracker, SwarmRules(), clock=clock), list[Course]()
    others = tuple(progress(number, epoch=12) for number in (1, 2, 3))
    for _ in range(5):
        clock.now += 4.0
        tracker.view = SwarmView(0.0, others, seen_at=clock.now)
        verdict = swarm.verdict(progress(0, epoch=25))
        assert verdict is not None
        courses.append(verdict.course)
    assert courses == [Course.FOLLOW] * 4 + [Course.DOWNLOAD]
