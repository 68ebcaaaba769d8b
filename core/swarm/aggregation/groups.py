"""Combines the means of several groups so that a group of colluders has little influence on what becomes of them.

A reducer in the tree of a part sees its own group's mean and those of at most two subtrees, and no others. So it
bounds these by each other. A hostile group still has its share of the direction.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_low

import torch

from core.run.aggregation import RobustRules
from core.swarm.aggregation.contributions import PartValues, add_to, dense_of, length_of, square
from core.swarm.aggregation.weight_caps import LEAST_USERS
from core.swarm.wire.top_k import SparseValues


def capped_groups(samples: Sequence[float], members: Sequence[int], factor: float) -> tuple[float, ...]:
    """Return the ``samples`` of groups with each at most ``factor`` times the lower median a member, by its members.

    Of fewer than three groups none is capped. All reducers know the groups that combine, so all find the same.

    Args:
        samples: samples of each group, as its head states them.
        members: number of members of each group.
        factor: the cap as a multiple of the lower median over the groups, at least 1.
    """
    if len(samples) < LEAST_USERS:
        return tuple(samples)
    most = factor * median_low(item / count for item, count in zip(samples, members, strict=True))
    return tuple(min(item, most * count) for item, count in zip(samples, members, strict=True))


@dataclass(frozen=True)
class ClippedGroups:
    """The weighted mean of means that are no longer than most of them, or than the own one where two meet."""

    rules: RobustRules
    """The run's parameters of robust rules, of which radius and cap of weights hold for groups as well."""

    def __call__(self, tensors: Sequence[torch.Tensor], weights: Sequence[float], /) -> torch.Tensor:
        """Return the mean of ``tensors``, of shape (values,), the first of which is the own group's."""
        return self.combined(tensors, weights, own=0)

    def combined(self, means: Sequence[PartValues], weights: Sequence[float], *, own: int) -> torch.Tensor:
        """Return the mean of ``means``, float32 of shape (values,), each shortened to the radius.

        The radius follows from the lower median of the lengths where three or more meet. Of two, the other one is
        shortened to the own one's length.

        Args:
            means: means of the own group and of those below, all of one length.
            weights: samples that count for each.
            own: place of the own group's mean among them.
        """
        lengths = [math.sqrt(_square(item)) for item in means]
        usual = median_low(lengths) if len(lengths) >= LEAST_USERS else lengths[own]
        most, samples = self.rules.radius * usual, math.fsum(weights)
        total = torch.zeros(length_of(means[0]))
        for values, length, weight in zip(means, lengths, weights, strict=True):
            if math.isfinite(length):
                add_to(total, values, weight / samples * (1.0 if length <= most else most / length))
        return total


def _square(values: PartValues) -> float:
    return square(values.values if isinstance(values, SparseValues) else dense_of(values))
