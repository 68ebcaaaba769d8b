"""Whether a run blew up, told by its epochs' losses: robust statistics, so that a noisy run is left alone."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from statistics import median

from coordinator.settings import Checkpoints

_IN_A_ROW = 3
"""Losses that must be off: single epochs are, in healthy runs, when a few bad batches come together."""
_LEAST_RISE = 0.05
"""Share of the usual loss that is no blow-up, however quiet the run was."""
_NORMAL = 1.4826
"""Standard deviations that a median absolute deviation is, of normally distributed values."""


@dataclass(frozen=True)
class BlowUp:
    """A run that went astray."""

    first: int
    """Index of the first loss that is off; a checkpoint from before it is good."""
    why: str
    """In words."""


def has_blown_up(losses: Sequence[float], settings: Checkpoints) -> BlowUp | None:
    """Judge the losses of a run's epochs, oldest first.

    The last three must all lie more than ``spike_factor`` deviations above the best that the run was: the window of
    ``spike_window`` epochs with the lowest median, whose median absolute deviation is the measure. Held to its best,
    a run that creeps away is noticed as one that jumps. NaN and infinity need no comparison; while there are fewer
    epochs than a window, only those are noticed.
    """
    broken = next((index for index, loss in enumerate(losses) if not math.isfinite(loss)), None)
    if broken is not None:
        return BlowUp(broken, "the loss is not a finite number")
    limit = _limit(losses[:-_IN_A_ROW], settings)
    off = len(list(takewhile(lambda loss: loss > limit, reversed(losses))))
    if off < _IN_A_ROW:
        return None
    why = f"the last {off} epochs' losses are above {limit:.4g}, the newest is {losses[-1]:.4g}"
    return BlowUp(len(losses) - off, why)


def _limit(losses: Sequence[float], settings: Checkpoints) -> float:
    """The highest loss that can pass for usual; infinite while too little is known."""
    window = settings.spike_window
    if len(losses) < window:
        return math.inf
    windows = [losses[start : start + window] for start in range(len(losses) - window + 1)]
    best = min(windows, key=median)
    usual = median(best)
    deviation = _NORMAL * median(abs(loss - usual) for loss in best)
    return usual + max(settings.spike_factor * deviation, _LEAST_RISE * abs(usual))
