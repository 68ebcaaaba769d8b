"""A diverged run is told from one that is only noisy by its losses, and a swarm that stands still from a slow one."""

import math
import random
from collections.abc import Callable

import pytest

from coordinator.publisher.divergence import StandstillDetector, find_divergence
from coordinator.settings import Checkpoints

SETTINGS = Checkpoints()
Look = tuple[float, int]
"""A time in seconds, and the epoch of the swarm at that time."""


def falling(count: int, noise: Callable[[random.Random], float], seed: int) -> list[float]:
    """Return losses in nats that fall from 8 towards 5, as in runs of this kind."""
    draws = random.Random(seed)
    return [5 + 3 * math.exp(-epoch / 60) + noise(draws) for epoch in range(count)]


def quiet(draws: random.Random) -> float:
    return draws.gauss(0, 0.01)


def noisy(draws: random.Random) -> float:
    return draws.gauss(0, 0.3)


def heavy_tailed(draws: random.Random) -> float:
    """Student's t of three degrees of freedom, whose single values lie far off."""
    return 0.1 * draws.gauss(0, 1) / math.sqrt(sum(draws.gauss(0, 1) ** 2 for _ in range(3)) / 3)


@pytest.mark.parametrize("noise", [quiet, noisy, heavy_tailed])
@pytest.mark.parametrize("seed", range(3))
def test_a_healthy_run_is_left_alone_at_every_epoch(
    noise: Callable[[random.Random], float], seed: int
) -> None:
    losses = falling(200, noise, seed)
    assert not any(find_divergence(losses[:epoch][-120:], SETTINGS) for epoch in range(200))


@pytest.mark.parametrize(
    ("words", "tail"),
    [
        ("one bad epoch", [9.0]),
        ("two bad epochs", [9.0, 9.5]),
        ("a bad epoch, and over it", [9.0, 9.5, 5.2]),
        ("three slightly worse ones", [5.2, 5.21, 5.22]),
    ],
)
def test_what_passes_is_no_blow_up(words: str, tail: list[float]) -> None:
    assert find_divergence([*falling(100, quiet, 0), *tail], SETTINGS) is None, words


@pytest.mark.parametrize("noise", [quiet, noisy])
@pytest.mark.parametrize(
    ("words", "tail", "first"),
    [
        ("a spike that stays", [9.0, 9.1, 9.2], 100),
        ("and goes on", [9.0, 9.1, 9.2, 9.1, 9.3], 100),
        ("one that comes back after an epoch", [9.0, 5.2, 9.0, 9.1, 9.2], 102),
        ("huge", [1e30, 1e30, 1e30], 100),
    ],
)
def test_a_spike_that_stays_is_reported_with_its_first_epoch(
    noise: Callable[[random.Random], float], words: str, tail: list[float], first: int
) -> None:
    found = find_divergence([*falling(100, noise, 0), *tail], SETTINGS)
    assert found is not None, words
    assert found.first == first


def test_a_run_that_creeps_away_is_noticed_by_the_best_that_it_was() -> None:
    losses = falling(100, quiet, 0)
    losses += [losses[-1] + 0.01 * step for step in range(150)]
    assert any(find_divergence(losses[:epoch][-120:], SETTINGS) for epoch in range(100, 250))


@pytest.mark.parametrize("loss", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("before", [0, 5, 100])
def test_no_number_is_a_blow_up_whatever_came_before(loss: float, before: int) -> None:
    found = find_divergence([*falling(before, quiet, 0), loss, 5.0], SETTINGS)
    assert found is not None
    assert found.first == before


@pytest.mark.parametrize("count", [0, 1, 3, 20])
def test_a_young_run_is_not_judged(count: int) -> None:
    assert find_divergence([5.0] * count + [50.0, 50.0, 50.0], SETTINGS) is None


def test_the_factor_decides_how_much_a_noisy_run_may_be_off() -> None:
    losses = [*falling(100, noisy, 0), *[8.0] * 3]
    assert find_divergence(losses, Checkpoints(spike_factor=3.0))
    assert not find_divergence(losses, Checkpoints(spike_factor=30.0))


@pytest.mark.parametrize(
    ("looks", "still"),
    [
        ([(0, 7)], False),
        ([(0, 7), (590, 7)], False),
        ([(0, 7), (610, 7)], True),
        ([(0, 7), (610, 8)], False),
        ([(0, 7), (60, 8), (600, 8)], False),
        ([(0, 7), (60, 8), (700, 8)], True),
        ([(0, 7), (1000, 8), (4900, 8)], False),
        ([(0, 7), (1000, 8), (5100, 8)], True),
        ([(0, 7), (9000, 8), (9060, 9), (9700, 9)], True),
        ([(0, 7), (700, 3)], False),
    ],
)
def test_a_swarm_stands_still_for_as_long_as_a_swift_one_never_would(looks: list[Look], still: bool) -> None:
    detector = StandstillDetector(iter([at for at, _ in looks]).__next__)
    assert [detector.is_still(epoch) for _, epoch in looks][-1] == still
