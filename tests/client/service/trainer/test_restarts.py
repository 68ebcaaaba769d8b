"""Trainers that crash come back later each time, at different moments, and not for ever."""

from pathlib import Path

import pytest

from client.service.trainer.restarts import (
    FORGIVEN_SECONDS,
    MOST_CRASHES,
    EndCause,
    fault_of,
    pause_after,
    pause_before_restart,
)
from core.children.outcome import Ending, Outcome
from core.messages.children import Failed


@pytest.mark.parametrize(
    ("crashes", "draw", "seconds"),
    [
        ([100.0], 1.0, 5.0),
        ([100.0], 0.0, 2.5),
        ([90.0, 100.0], 1.0, 10.0),
        ([80.0, 90.0, 100.0], 1.0, 20.0),
        ([70.0, 80.0, 90.0, 100.0], 1.0, 40.0),
        ([100.0 - FORGIVEN_SECONDS, 100.0], 1.0, 5.0),  # the first is forgiven
    ],
)
def test_each_crash_doubles_the_pause(crashes: list[float], draw: float, seconds: float) -> None:
    assert pause_before_restart(crashes, 100.0, draw) == seconds


def test_a_loop_of_crashes_is_given_up() -> None:
    assert pause_before_restart([100.0] * MOST_CRASHES, 100.0, 0.5) is None


def test_crashes_that_lie_far_apart_are_no_loop() -> None:
    crashes = [index * FORGIVEN_SECONDS for index in range(100)]
    assert pause_before_restart(crashes, crashes[-1], 0.5) is not None


def test_no_pause_is_longer_than_ten_minutes() -> None:
    for crashes in range(1, MOST_CRASHES):
        seconds = pause_before_restart([0.0] * crashes, 0.0, 1.0)
        assert seconds is not None
        assert seconds <= 600


def test_failures_that_others_cause_may_go_on_for_as_long_as_they_like() -> None:
    assert [pause_after(failures, 1.0) for failures in (1, 2, 3, 8, 1000)] == [5, 10, 20, 600, 600]


FAULTS = [
    (Ending.CRASHED, None, EndCause.CRASH),
    (Ending.HUNG, None, EndCause.CRASH),
    (Ending.GARBLED, None, EndCause.LASTING),
    (Ending.FAILED, "swarm", EndCause.SURROUNDINGS),
    (Ending.FAILED, "clock", EndCause.SURROUNDINGS),
    (Ending.FAILED, "data", EndCause.SURROUNDINGS),
    (Ending.FAILED, "checkpoint", EndCause.SURROUNDINGS),
    (Ending.FAILED, "memory", EndCause.SURROUNDINGS),
    (Ending.FAILED, "admission", EndCause.SURROUNDINGS),
    (Ending.FAILED, "gradient", EndCause.CRASH),
    (Ending.FAILED, "manifest", EndCause.LASTING),
    (Ending.FAILED, "misfit", EndCause.LASTING),
    (Ending.FAILED, "packages", EndCause.LASTING),
    (Ending.FAILED, "codec", EndCause.LASTING),
]


@pytest.mark.parametrize(("ending", "code", "fault"), FAULTS)
def test_what_the_next_life_may_be_like_follows_from_the_end_of_this_one(
    ending: Ending, code: str | None, fault: EndCause
) -> None:
    failure = Failed(code=code, what="It failed.", remedy="") if code else None
    assert fault_of(Outcome("trainer", ending, 1, Path("log"), failure)) is fault
