"""The rate of a peer's samples, by which the others know when a batch is complete."""

import pytest

from core.swarm.own_progress import SampleRate
from tests.core.swarm.builders import HandClock


def test_a_rate_is_all_samples_by_all_seconds_however_uneven_the_micro_steps_are() -> None:
    clock = HandClock()
    rate = SampleRate(clock)
    for seconds in (0.01, 0.01, 0.01, 0.37) * 3:
        clock.now += seconds
        rate.count(4)
    assert rate.value == pytest.approx(40.0, rel=0.2)


def test_a_rate_follows_a_machine_that_became_slower_and_leaves_out_where_it_stood() -> None:
    clock = HandClock()
    rate = SampleRate(clock)
    assert rate.value == 0.0
    for seconds in (*[0.1] * 50, *[1.0] * 20):
        clock.now += seconds
        rate.count(10)
        clock.now += 100.0
        rate.restart()
    assert rate.value == pytest.approx(10.0, rel=0.2)
