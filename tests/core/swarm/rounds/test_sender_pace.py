"""A sender that others wait for is told from one that is only slow, by what has arrived of each."""

import pytest

from core.swarm.rounds.sender_pace import SenderPace
from core.swarm.wire.limits import TimeLimits

LIMITS = TimeLimits(
    matchmaking_seconds=15.0,
    sender_seconds=20.0,
    reducer_seconds=40.0,
    allreduce_seconds=60.0,
    settle_seconds=1.0,
)


@pytest.mark.parametrize(
    ("arrived", "elapsed", "late"),
    [
        ((52, 47, 52), 30.0, [1]),
        ((50, 47, 50), 30.0, []),  # none is four parts ahead at this moment
        ((51, 47, 49), 31.0, [1]),
        ((47, 47, 47), 30.0, []),  # all are equally slow
        ((90, 85, 90), 30.0, []),  # it is slower, and done in time
        ((134, 130, 134), 50.0, []),
        ((132, 128, 132), 53.0, [1]),
        ((9, 0, 0), 30.0, [1, 2]),
    ],
)
def test_those_are_late_that_others_wait_for_and_that_are_not_done_in_time(
    arrived: tuple[int, ...], elapsed: float, late: list[int]
) -> None:
    pace = SenderPace(3, 138, LIMITS)
    pace.started = dict.fromkeys(range(3), 100.0)
    pace.arrived = list(arrived)
    assert pace.late(100.0 + elapsed, elapsed) == late


def test_a_sender_that_has_not_begun_is_absent_and_not_late() -> None:
    pace = SenderPace(3, 138, LIMITS)
    pace.started = {0: 100.0, 2: 100.0}
    pace.arrived = [60, 0, 60]
    assert (pace.absent, pace.late(130.0, 30.0)) == ([1], [])


def test_those_that_a_dropped_sender_held_back_are_not_dropped_for_it() -> None:
    pace = SenderPace(3, 100, LIMITS)
    pace.started = dict.fromkeys(range(3), 100.0)
    pace.arrived = [19, 15, 19]
    assert pace.late(130.0, 30.0) == [1]
    pace.note_dropped(130.0)
    pace.arrived = [25, 15, 20]
    assert pace.late(131.0, 31.0) == []
    pace.arrived = [55, 15, 44]  # five parts a second: the last one comes after 47 s
    assert pace.late(136.0, 36.0) == [1]
    pace.arrived = [55, 15, 25]
    assert pace.late(136.0, 36.0) == [1, 2]
