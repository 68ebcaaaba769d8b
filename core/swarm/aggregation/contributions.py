"""Values of a part as its reducer has them, dense or sparse, and what robust rules ask of them in bounded memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.swarm.wire.top_k import SparseValues

PartValues = torch.Tensor | SparseValues
"""A sender's values of a part: float32 of shape (values,), or the same with most of them zero."""

CHUNK = 2**15
"""Values whose squares are summed at once in float32; the sums of chunks are added in float64."""
_MEASURABLE = (1e-20, 1e30)
"""Sums of squares between which float32 is exact enough; others are computed in float64."""


def length_of(values: PartValues) -> int:
    """Return the number of values of the part, of which sparse ``values`` hold a few."""
    return values.length if isinstance(values, SparseValues) else len(values)


def dense_of(values: PartValues) -> torch.Tensor:
    """Return ``values`` as a float32 tensor of shape (values,)."""
    return values.dense() if isinstance(values, SparseValues) else values


def chunks(length: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield where each chunk of at most ``size`` of ``length`` values begins and ends."""
    for start in range(0, length, size):
        yield start, min(start + size, length)


def square(values: torch.Tensor) -> float:
    """Return the sum of the squares of ``values``, float32 of shape (values,), in a fixed order."""
    return sum(_square_of_chunk(values[start:stop]) for start, stop in chunks(len(values), CHUNK))


def _square_of_chunk(values: torch.Tensor) -> float:
    found = float(torch.dot(values, values))
    if _MEASURABLE[0] < found < _MEASURABLE[1]:
        return found
    return float(values.double().square().sum())


def square_distance(values: PartValues, centre: torch.Tensor, square_of_centre: float) -> float:
    """Return the squared distance of ``values`` from ``centre``, float32 of shape (values,).

    Those of sparse values take time for the values that were sent alone. The result is infinite where float32 has no
    difference.

    Args:
        values: the contribution.
        centre: the centre.
        square_of_centre: the sum of its squares, which many contributions share.
    """
    if isinstance(values, SparseValues):
        sent, there = values.values.double(), centre[values.indices].double()
        return max(0.0, float((sent * (sent - 2 * there)).sum()) + square_of_centre)
    return sum(
        _square_of_chunk(values[start:stop] - centre[start:stop])
        for start, stop in chunks(len(values), CHUNK)
    )


def add_to(total: torch.Tensor, values: PartValues, share: float) -> None:
    """Add ``share`` times ``values`` to ``total``, float32 of shape (values,)."""
    if isinstance(values, SparseValues):
        total.index_add_(0, values.indices, values.values, alpha=share)
    else:
        total.add_(values, alpha=share)


def rows_of(contributions: Sequence[PartValues], start: int, stop: int) -> NDArray[np.float32]:
    """Return the values from ``start`` to ``stop`` of all ``contributions``, of shape (values, contributions)."""
    rows = np.zeros((stop - start, len(contributions)), np.float32)
    for column, values in enumerate(contributions):
        if isinstance(values, SparseValues):
            first, last = torch.searchsorted(values.indices, torch.tensor([start, stop])).tolist()
            places = values.indices[first:last].numpy() - start
            rows[places, column] = values.values[first:last].numpy()
        else:
            rows[:, column] = values[start:stop].numpy()
    return rows


@dataclass(frozen=True)
class UserContributions:
    """Contributions to a part by their users, each of whom counts as one contributor."""

    values: tuple[PartValues, ...]
    """The mean of each user's contributions, weighted by samples."""
    weights: tuple[float, ...]
    """Samples of each user."""
    places: tuple[int, ...]
    """Place among the users of each contribution."""


def by_user(
    contributions: Sequence[PartValues], weights: Sequence[float], users: Sequence[object]
) -> UserContributions:
    """Return what the ``users`` contribute: the mean of each, so that many peers of one have no more voice than one.

    Memory is taken for users with several peers alone, and less than their contributions have.

    Args:
        contributions: the values that each peer sent, all of one length.
        weights: samples of each peer.
        users: the user of each peer.
    """
    members: dict[object, list[int]] = {}
    for index, user in enumerate(users):
        members.setdefault(user, []).append(index)
    placed = {index: place for place, found in enumerate(members.values()) for index in found}
    return UserContributions(
        tuple(
            contributions[found[0]]
            if len(found) == 1
            else _mean([contributions[index] for index in found], [weights[index] for index in found])
            for found in members.values()
        ),
        tuple(sum(weights[index] for index in found) for found in members.values()),
        tuple(placed[index] for index in range(len(contributions))),
    )


def _mean(contributions: Sequence[PartValues], weights: Sequence[float]) -> PartValues:
    samples = sum(weights)
    sparse = [item for item in contributions if isinstance(item, SparseValues)]
    if len(sparse) < len(contributions):
        mean = torch.zeros(length_of(contributions[0]))
        for values, weight in zip(contributions, weights, strict=True):
            add_to(mean, values, weight / samples)
        return mean
    indices, places = torch.cat([item.indices for item in sparse]).unique(return_inverse=True)
    values = torch.cat(
        [item.values * (weight / samples) for item, weight in zip(sparse, weights, strict=True)]
    )
    return SparseValues(indices, torch.zeros(len(indices)).index_add_(0, places, values), sparse[0].length)
