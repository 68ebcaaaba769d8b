"""Means of contributions that are shortened to the length of most: no minority of users moves them far.

CenteredClip (Karimireddy, He and Jaggi, 2021, "Learning from History for Byzantine Robust Optimization", algorithm 2)
shortens what each contribution has beyond a centre, and moves the centre by the mean of that. The radius here is the
lower median of the distances, which a minority cannot raise beyond the honest ones' (as BTARD's is fixed: Gorbunov et
al., 2022).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_low

import torch

from core.swarm.aggregation.contributions import (
    PartValues,
    add_to,
    length_of,
    square,
    square_distance,
)
from core.swarm.aggregation.weight_caps import LEAST_USERS
from core.swarm.wire.top_k import SparseValues, sparse_mean_of_senders


@dataclass(frozen=True)
class ClippedMean:
    """A mean of shortened contributions."""

    values: torch.Tensor
    """float32 of shape (values,)."""
    shares: tuple[float, ...]
    """Share of each contribution that is in the mean, from 0 to 1."""


def clipped_mean(
    contributions: Sequence[PartValues],
    weights: Sequence[float],
    *,
    centre: torch.Tensor | None = None,
    radius: float = 1.0,
    iterations: int = 1,
) -> ClippedMean:
    """Return the mean of ``contributions``, each shortened to a radius around a centre that moves towards the mean.

    Of fewer than three contributions none is shortened: there is no majority. Beside the contributions it takes
    memory for the result and one chunk, also where contributions are sparse.

    Args:
        contributions: one of each user, all of one length.
        weights: samples of each.
        centre: the first centre, float32 of shape (values,); None for zero.
        radius: the radius as a multiple of the lower median of the distances from the centre.
        iterations: times that the centre moves.
    """
    samples, length = math.fsum(weights), length_of(contributions[0])
    mean = torch.zeros(length) if centre is None else centre.clone()
    counted = [0.0] * len(contributions)
    for number in range(iterations):
        is_zero = centre is None and number == 0
        factors = _factors(_distances(contributions, mean, is_zero=is_zero), radius)
        moved = [weight / samples * factor for weight, factor in zip(weights, factors, strict=True)]
        rest = max(0.0, 1.0 - math.fsum(moved))
        mean.mul_(rest)
        for values, share in zip(contributions, moved, strict=True):
            if share:
                add_to(mean, values, share)
        counted = [rest * before + now for before, now in zip(counted, moved, strict=True)]
    shares = (min(1.0, count * samples / weight) for count, weight in zip(counted, weights, strict=True))
    return ClippedMean(mean, tuple(shares))


def clipped_mean_of_senders(
    contributions: Sequence[SparseValues], weights: Sequence[float], *, radius: float = 1.0
) -> ClippedMean:
    """Return the mean of each value over those of the ``contributions`` that have it, each shortened to a radius.

    Args:
        contributions: one of each user, all of one length.
        weights: samples of each.
        radius: the radius as a multiple of the lower median of the lengths.
    """
    squares = [float(item.values.double().square().sum()) for item in contributions]
    factors = _factors([math.sqrt(item) for item in squares], radius)
    shortened = [
        item if factor == 1 else SparseValues(item.indices, item.values * factor, item.length)
        for item, factor in zip(contributions, factors, strict=True)
    ]
    return ClippedMean(sparse_mean_of_senders(shortened, weights), tuple(factors))


def _distances(contributions: Sequence[PartValues], centre: torch.Tensor, *, is_zero: bool) -> list[float]:
    whole = 0.0 if is_zero else _square_for_sparse(centre, contributions)
    return [math.sqrt(square_distance(values, centre, whole)) for values in contributions]


def _square_for_sparse(centre: torch.Tensor, contributions: Sequence[PartValues]) -> float:
    """Return the sum of the squares of ``centre`` if any of the ``contributions`` is sparse, else 0."""
    return square(centre) if any(isinstance(item, SparseValues) for item in contributions) else 0.0


def _factors(distances: Sequence[float], radius: float) -> list[float]:
    """Return the factors that shorten the contributions at these ``distances`` to ``radius`` times the lower median.

    One at a distance that float32 does not have is left out.
    """
    if len(distances) < LEAST_USERS:
        return [1.0 if math.isfinite(item) else 0.0 for item in distances]
    most = radius * median_low(distances)
    return [0.0 if not math.isfinite(item) else 1.0 if item <= most else most / item for item in distances]
