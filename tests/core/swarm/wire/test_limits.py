"""Patience follows what was observed, and never leaves the run's own bounds."""

from collections import deque
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.run.rules import SwarmRules
from core.swarm.wire.limits import (
    Observations,
    TimeLimits,
    allow_for,
    delivers_in_time,
    derive,
    window_of_auxiliary,
)
from tests.core.swarm.builders import FIFTY_EXAMPLES

RULES = SwarmRules(matchmaking_seconds=15.0, allreduce_seconds=60.0, averaging_seconds=180.0)


def seen(
    *, matchmaking: tuple[float, ...] = (), exchange: tuple[float, ...] = (), store: tuple[float, ...] = ()
) -> Observations:
    return Observations(deque(matchmaking), deque(exchange), deque(store))


def test_before_anything_was_seen_the_runs_bounds_hold() -> None:
    limits = derive(RULES, Observations())
    assert (limits.matchmaking_seconds, limits.allreduce_seconds, limits.settle_seconds) == (15.0, 60.0, 5.0)
    assert (limits.sender_seconds, limits.reducer_seconds) == (20.0, 40.0)


@pytest.mark.parametrize(
    ("observed", "expected"),
    [
        ((0.01,), 4.0),  # never less than a lookup beside a node that does not answer
        ((1.5,), 6.0),  # four times the typical
        ((2.0, 2.0, 2.0), 8.0),
        ((1.0, 1.0, 6.0), 9.0),  # once it took six: half as much again
        ((8.0,), 15.0),  # never beyond the run's bound
    ],
)
def test_matchmaking(observed: tuple[float, ...], expected: float) -> None:
    assert derive(RULES, seen(matchmaking=observed)).matchmaking_seconds == pytest.approx(expected)


@pytest.mark.parametrize(("failures", "expected"), [(0, 4.0), (1, 8.0), (2, 15.0), (2000, 15.0)])
def test_each_failure_doubles_the_time_to_find_a_group(failures: int, expected: float) -> None:
    found = derive(RULES, replace(seen(matchmaking=(0.1,)), failures=failures))
    assert found.matchmaking_seconds == pytest.approx(expected)
    assert found.allreduce_seconds == RULES.allreduce_seconds


@pytest.mark.parametrize(("failed", "expected"), [(0, 6.0), (1, 12.0), (3, 48.0), (4, 60.0), (2000, 60.0)])
def test_each_failed_exchange_doubles_its_time(failed: int, expected: float) -> None:
    """A line that became slower would end every later exchange at a limit from before."""
    found = derive(RULES, replace(seen(exchange=(0.5,)), failures=5, exchanges_failed=failed))
    assert found.allreduce_seconds == pytest.approx(expected)
    assert found.reducer_seconds == pytest.approx(2 * expected / 3)


def test_a_run_may_allow_less_than_a_slow_lookup_takes() -> None:
    rules = RULES.model_copy(update={"matchmaking_seconds": 3.0})
    assert derive(rules, replace(seen(matchmaking=(0.1,)), failures=1)).matchmaking_seconds == 3.0


@pytest.mark.parametrize(
    ("observed", "expected"),
    [((0.2,), 6.0), ((2.0,), 12.0), ((2.0, 2.0, 20.0), 30.0), ((30.0,), 60.0)],
)
def test_exchange(observed: tuple[float, ...], expected: float) -> None:
    limits = derive(RULES, seen(exchange=observed))
    assert limits.allreduce_seconds == pytest.approx(expected)
    assert limits.sender_seconds == pytest.approx(expected / 3)
    assert limits.reducer_seconds == pytest.approx(2 * expected / 3)


@pytest.mark.parametrize(
    ("observed", "expected"), [((0.001,), 0.1), ((0.1,), 0.4), ((0.1, 0.1, 1.0), 1.5), ((4.0,), 5.0)]
)
def test_settling(observed: tuple[float, ...], expected: float) -> None:
    assert derive(RULES, seen(store=observed)).settle_seconds == pytest.approx(expected)


durations = st.lists(st.floats(0, 1000), max_size=20)


@FIFTY_EXAMPLES
@given(durations, durations, durations)
def test_limits_nest_and_stay_within_the_run(
    matchmaking: list[float], exchange: list[float], store: list[float]
) -> None:
    limits = derive(RULES, Observations(deque(matchmaking), deque(exchange), deque(store)))
    assert 0 < limits.matchmaking_seconds <= RULES.matchmaking_seconds
    assert (
        0
        < limits.sender_seconds
        < limits.reducer_seconds
        < limits.allreduce_seconds
        <= RULES.allreduce_seconds
    )
    assert 0 < limits.settle_seconds <= RULES.matchmaking_seconds / 3


@FIFTY_EXAMPLES
@given(st.lists(st.floats(0, 100), min_size=1, max_size=16))
def test_settling_is_longer_than_every_store_seen_unless_the_run_forbids(store: list[float]) -> None:
    settle = derive(RULES, Observations(store=deque(store))).settle_seconds
    assert settle > max(store) or settle == RULES.matchmaking_seconds / 3


def test_old_observations_are_forgotten() -> None:
    observations = Observations()
    observations.exchange.append(50.0)
    observations.exchange.extend([1.0] * 16)
    assert derive(RULES, observations).allreduce_seconds == pytest.approx(6.0)


QUICK = TimeLimits(
    matchmaking_seconds=1.0,
    sender_seconds=2.0,
    reducer_seconds=4.0,
    allreduce_seconds=6.0,
    settle_seconds=0.1,
)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0.0, (2.0, 4.0, 6.0)),  # nobody announced anything
        (1.0, (2.0, 4.0, 6.0)),  # quick enough as it is
        (10.0, (15.0, 20.0, 20.0)),  # a part may take the slowest line nearly all of the time
        (50.0, (60.0, 60.0, 60.0)),  # never beyond the run's own bound
    ],
)
def test_a_group_waits_for_its_slowest_line(seconds: float, expected: tuple[float, float, float]) -> None:
    found = allow_for(QUICK, seconds, RULES)
    assert (found.sender_seconds, found.reducer_seconds, found.allreduce_seconds) == expected
    assert (found.matchmaking_seconds, found.settle_seconds) == (1.0, 0.1)


@pytest.mark.parametrize(
    ("delivered", "seconds", "expected"),
    [
        (100, 30.0, True),
        (56, 30.0, True),  # in 54 of 60 seconds
        (55, 30.0, False),
        (48, 30.0, False),
        (48, 20.0, True),  # it began later
        (0, 10.0, False),
    ],
)
def test_half_way_a_senders_pace_tells_whether_it_is_done_in_time(
    delivered: int, seconds: float, expected: bool
) -> None:
    limits = derive(RULES, Observations())
    assert limits.half_way_seconds == 30.0
    assert delivers_in_time(delivered, 100 - delivered, seconds, 30.0, limits) == expected


def test_later_in_the_exchange_less_time_is_left() -> None:
    limits = derive(RULES, Observations())
    assert delivers_in_time(90, 10, 45.0, 48.0, limits)
    assert not delivers_in_time(90, 10, 45.0, 50.0, limits)
    assert not delivers_in_time(99, 1, 54.0, 54.5, limits)


@pytest.mark.parametrize("seconds", [10.0, 25.0, 40.0])
def test_a_member_as_fast_as_it_announced_is_in_time(seconds: float) -> None:
    """Its messages take seven hundredths more on the wire, and it began a second later."""
    limits = allow_for(QUICK, seconds, RULES)
    working = limits.half_way_seconds - 1.0
    delivered = min(138, int(138 * working / (1.07 * seconds)))
    assert delivers_in_time(delivered, 138 - delivered, working, limits.half_way_seconds, limits)


@pytest.mark.parametrize("seconds", [3.0, 6.0, 15.0])
@pytest.mark.parametrize("failures", [0, 1, 2, 1000])
def test_an_auxiliary_peer_gives_no_trainer_up_before_it_would_give_up(seconds: float, failures: int) -> None:
    """Else hivemind refuses the trainer, which may be able to lead no group itself."""
    rules = SwarmRules(matchmaking_seconds=seconds)
    quick = Observations(failures=failures)
    quick.matchmaking.extend([0.1] * 16)
    assert 0 < window_of_auxiliary(rules, failures) <= derive(rules, quick).matchmaking_seconds
    assert window_of_auxiliary(rules, 1000) == seconds
