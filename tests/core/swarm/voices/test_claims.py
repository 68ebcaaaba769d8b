"""An absurd claim ends no batch before half of it can be there, and keeps none open."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.run.rules import SwarmRules
from core.swarm.aggregation.weight_caps import capped_weights
from core.swarm.membership.claims import DeliveredPace, seconds_until_plausible
from core.swarm.membership.membership import Swarm, seconds_to_round
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.wire.records import ProgressRecord
from tests.core.swarm.builders import progress

NOW = 1000.0
RULES = SwarmRules(target_batch_size=1000)
PACE = 10.0
"""Samples a second of the last rounds: an epoch takes a hundred seconds."""


@pytest.mark.parametrize(
    ("pace", "elapsed", "seconds"),
    [
        (None, 0.0, 0.0),
        (0.0, 0.0, 0.0),
        (10.0, 0.0, 50.0),
        (10.0, 49.0, 1.0),
        (10.0, 50.0, 0.0),
        (10.0, 1e9, 0.0),
        (1e-3, 0.0, 500_000.0),
    ],
)
def test_a_batch_is_plausible_at_twice_the_last_pace(
    pace: float | None, elapsed: float, seconds: float
) -> None:
    assert seconds_until_plausible(1000, pace, elapsed) == pytest.approx(seconds)


def test_the_best_of_the_last_rounds_counts() -> None:
    assert DeliveredPace().fastest is None
    pace = DeliveredPace()
    for samples, seconds in ((1000.0, 10.0), (1000.0, 100.0), (500.0, 100.0), (10.0, 100.0), (900.0, 0.0)):
        pace.note(samples, seconds)
    assert pace.fastest == pytest.approx(100.0)
    pace.note(10.0, 100.0)
    assert pace.fastest == pytest.approx(10.0), "that of ten seconds is too long ago"


@pytest.mark.parametrize("factor", [1.0, 2.0, 4.0])
@pytest.mark.parametrize("claim", [5.0, 90.0, 1e9], ids=["an equal", "a fast machine", "a forger"])
def test_no_user_s_weight_ends_a_batch_before_half_of_it_counts(claim: float, factor: float) -> None:
    """Two users have five samples a second each; which of them the third one really has is not known to them."""
    counted = sum(capped_weights([claim, 5.0, 5.0], "abc", factor))
    pace = DeliveredPace()
    pace.note(100 * counted, 100.0)
    most = 5.0 + 5.0 + factor * 5.0
    assert seconds_until_plausible(1000, pace.fastest, 0.0) >= 500 / most * (1 - 1e-9)


GHOST: dict[str, Any] = {"samples": 99_999_999, "samples_per_second": 9e11}


@pytest.mark.parametrize(
    ("age", "mine", "ghosts", "seconds"),
    [
        (0.0, 0, 0, 100.0),
        (0.0, 0, 1, 50.0),
        (0.0, 0, 500, 50.0),
        (30.0, 75, 1, 20.0),
        (50.0, 125, 1, 0.0),
        (90.0, 225, 0, 10.0),
        (10.0, 1000, 0, 0.0),  # its own whole batch
    ],
)
def test_ghosts_make_no_epoch_more_than_twice_as_short(
    age: float, mine: int, ghosts: int, seconds: float
) -> None:
    """Three honest others and this peer have a quarter of the pace each."""
    each: dict[str, Any] = {"samples": round(2.5 * age), "samples_per_second": 2.5}
    honest = [progress(number, time=NOW, epoch_seconds=age, **each) for number in (1, 2, 3)]
    false = [progress(100 + number, time=NOW, epoch_seconds=age, **GHOST) for number in range(ghosts)]
    own = progress(0, epoch_seconds=age, samples=mine, samples_per_second=2.5)
    assert due(own, [*honest, *false]) == pytest.approx(seconds)


def test_a_swarm_that_has_grown_tenfold_ends_its_batch_once_a_half_would_be_there() -> None:
    others = [
        progress(number, time=NOW, epoch_seconds=20.0, samples=200, samples_per_second=10.0)
        for number in range(1, 11)
    ]
    assert due(progress(0, epoch_seconds=20.0, samples=50, samples_per_second=2.5), others) == 30.0


def due(own: ProgressRecord, others: list[ProgressRecord]) -> float:
    tracker = SimpleNamespace(
        view=SwarmView(NOW, tuple(others)),
        **dict.fromkeys(("start", "publish", "rest", "set_aside", "stop")),
    )
    return seconds_to_round(Swarm(cast(Any, tracker), RULES), own, RULES, lambda: NOW, PACE)
