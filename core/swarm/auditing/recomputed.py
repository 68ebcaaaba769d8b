"""Compares what a peer sent with what its rows give when they are computed again: pure.

Unlike machines, and types of 16 bits, give other sums of the same rows. Honest peers differ by far less than any that
computed something else (measured: ``python -m benchmarks.hostility.recomputation``).
"""

import math
from collections.abc import Mapping, Sequence

import torch

from core.swarm.aggregation.contributions import PartValues, dense_of
from core.swarm.auditing.trust import FALSE_WORK, WORK_TOLERANCE, WorkVerdict
from core.swarm.rounds.partition import Part, as_received


def difference(
    parts: Sequence[Part], sent: Mapping[int, PartValues], recomputed: Sequence[torch.Tensor]
) -> float:
    """Return the distance of what was ``sent`` from what was ``recomputed``, as a share of the length of that.

    Args:
        parts: the parts of the round.
        sent: values of some of them by their indices.
        recomputed: mean gradients in the shapes of the parameters.
    """
    apart = length = 0.0
    for index, values in sent.items():
        due = as_received(parts[index], parts[index].gather(recomputed))
        apart += float((dense_of(values) - due).double().square().sum())
        length += float(due.double().square().sum())
    if not length:  # of words that no caption has, for instance
        return math.inf if apart else 0.0
    return math.sqrt(apart / length)


def verdict_on(found: float) -> WorkVerdict:
    """Return the verdict on a `difference` of that size; ``found`` is false work if it is not finite."""
    if found <= WORK_TOLERANCE:
        return WorkVerdict.SOUND
    return WorkVerdict.DOUBTFUL if found <= FALSE_WORK else WorkVerdict.FALSE
