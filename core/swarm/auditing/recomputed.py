"""Compares what a peer sent with what its rows give when they are computed again: pure.

Unlike machines, and types of 16 bits, give other sums of the same rows. Honest peers differ by far less than any that
computed something else (measured: ``python -m benchmarks.hostility.recomputation``).
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import torch

from core.swarm.aggregation.contributions import PartValues, dense_of
from core.swarm.auditing.trust import FALSE_WORK, WORK_TOLERANCE, WorkVerdict
from core.swarm.rounds.partition import Part, as_received


def difference(
    parts: Sequence[Part],
    sent: Mapping[int, PartValues],
    recomputed: Sequence[torch.Tensor],
    *,
    least_rms: float = 0.0,
) -> float:
    """Return the distance of what was ``sent`` from what was ``recomputed``, as a share of the length of that.

    Args:
        parts: the parts of the round.
        sent: values of some of them by their indices.
        recomputed: mean gradients in the shapes of the parameters.
        least_rms: root of the mean square that the recomputed values count for at least: a single part may hold next
            to nothing, of which coarse encodings leave little.
    """
    apart = length = 0.0
    count = 0
    for index, values in sent.items():
        due = as_received(parts[index], parts[index].gather(recomputed))
        apart += float((dense_of(values) - due).double().square().sum())
        length += float(due.double().square().sum())
        count += due.numel()
    length = max(length, count * least_rms**2)
    if not length:  # of words that no caption has, for instance
        return math.inf if apart else 0.0
    return math.sqrt(apart / length)


def rms_of(parts: Sequence[Part], indices: Iterable[int], recomputed: Sequence[torch.Tensor]) -> float:
    """Return the root of the mean square of the ``parts`` with those ``indices``.

    They are taken from what was ``recomputed``, mean gradients in the shapes of the parameters.
    """
    squares = count = 0.0
    for index in indices:
        due = parts[index].gather(recomputed)
        squares += float(due.double().square().sum())
        count += due.numel()
    return math.sqrt(squares / count) if count else 0.0


def verdict_on(found: float) -> WorkVerdict:
    """Return the verdict on a `difference` of that size; ``found`` is false work if it is not finite."""
    if found <= WORK_TOLERANCE:
        return WorkVerdict.SOUND
    return WorkVerdict.DOUBTFUL if found <= FALSE_WORK else WorkVerdict.FALSE
