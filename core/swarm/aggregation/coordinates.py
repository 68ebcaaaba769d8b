"""Aggregates of each value by itself: trimmed mean and median over users (Yin et al., 2018, definitions 1 and 2)."""

import math
from collections.abc import Sequence

import numpy as np
import torch

from core.swarm.aggregation.contributions import PartValues, chunks, length_of, rows_of

_VALUES_AT_ONCE = 2**18
"""Values of all contributions together that are sorted at once, in float32: a megabyte."""


def trimmed(share: float, users: int) -> int:
    """Return how many of a number of ``users`` are left out at either end: that ``share`` of them or more.

    At least one user is left, or two of an even number.
    """
    return min(math.ceil(share * users - 1e-9), (users - 1) // 2)


def trimmed_mean(contributions: Sequence[PartValues], left_out: int) -> torch.Tensor:
    """Return the mean of each value without the ``left_out`` smallest and largest ones, float32 of shape (values,).

    With (contributions - 1) // 2 it is the median. A value that a sparse contribution does not have is zero. Users
    count alike, whatever their samples. Beside the contributions it takes memory for the result and for a quarter of
    a million values.

    Args:
        contributions: one of each user, all of one length.
        left_out: contributions that are left out at either end; less than half of them.
    """
    length, count = length_of(contributions[0]), len(contributions)
    result = np.empty(length, np.float32)
    for start, stop in chunks(length, max(1, _VALUES_AT_ONCE // count)):
        rows = rows_of(contributions, start, stop)
        rows.sort(axis=1)
        result[start:stop] = rows[:, left_out : count - left_out].mean(axis=1, dtype=np.float64)
    return torch.from_numpy(result)
