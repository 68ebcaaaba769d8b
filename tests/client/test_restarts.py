"""Trainers that crash come back later each time, at different moments, and not for ever."""

import pytest

from client.restarts import FORGIVEN_SECONDS, MOST_CRASHES, pause_before_restart


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
