"""Predicts codes bit by bit from their neighbours, by context mixing that learns as it goes.

Mahoney, "Adaptive weighing of context models for lossless data compression" (2005): for each context, how often a 1
followed gives a probability; the logits of all contexts are summed with weights that learn from every bit. Here one
prediction is made in each of many lanes at once, and counts and weights learn from all of them.

A decoder must predict what the encoder did, to the last bit, on any machine. So all that is summed are whole numbers,
held as float64 far below 2 ** 53, where sums are exact in any order.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.data.packed.ans import PROBABILITY_BITS, Bits, Probabilities

_ONE = 1 << PROBABILITY_BITS
_LOGIT_SCALE = 256
_LARGEST_LOGIT = 2047
_WEIGHT_SCALE = 1 << 16
_FIRST_WEIGHT = 0.3
_RATE = 2.0**-16
"""By which weights follow the gradient of the coding cost, for up to ``_RATE_LANES`` lanes; with more, the less."""
_RATE_LANES = 256
_PRIOR = 0.4
"""Of a 0, and of a 1, seen before the first (the estimator of Krichevsky and Trofimov has 0.5)."""
_STEADY = 1 << 15
"""A count that was reached so often stays, so that no step of fewer lanes than that makes 16 bits overflow."""
_TABLE_BITS = 21
"""Counts of a context, in 4 bytes each; where there are more nodes than that, some share one."""
_SLOT_BITS = 2
"""Bits of a code whose counts lie side by side."""
_HASH = np.uint64(0x9E3779B97F4A7C15)
"""2 ** 64 / golden ratio (Knuth, The Art of Computer Programming, 6.4)."""

Contexts = NDArray[np.uint64]
"""Numbers below 2 ** 48, of shape (contexts, lanes)."""
Step = Callable[[Probabilities], Bits]
"""Is told how probable a 1 is in each lane, and gives the bits: those that are encoded, or decoded, next."""


def _logits() -> NDArray[np.float64]:
    """Scaled logits of the probabilities (n + 1/2) / 4096."""
    logits = [_LOGIT_SCALE * math.log((n + 0.5) / (4095.5 - n)) for n in range(4096)]
    return np.rint(logits).clip(-_LARGEST_LOGIT, _LARGEST_LOGIT)


def _probabilities() -> Probabilities:
    """Probabilities of the scaled logits from the smallest to the largest."""
    logits = range(-_LARGEST_LOGIT, _LARGEST_LOGIT + 1)
    return np.array([round(_ONE / (1 + math.exp(-logit / _LOGIT_SCALE))) for logit in logits])


# Before rounding, none is within 1e-5 of a half: all C libraries agree on what they are rounded to.
LOGITS, PROBABILITIES = _logits(), _probabilities()


class Mixer:
    """Learns to predict codes of so many bits from so many contexts."""

    def __init__(self, bits: int, contexts: int) -> None:
        self._bits = bits
        self._tables = np.arange(contexts, dtype=np.int64)[:, None] << _TABLE_BITS
        self._counts = np.zeros(contexts << _TABLE_BITS, np.uint32)
        """How often a node of a context was seen, and, in the lower 16 bits, how often a 1 followed."""
        self._weights = np.full((bits, contexts), round(_FIRST_WEIGHT * _WEIGHT_SCALE), np.float64)

    def code(self, contexts: Contexts, step: Step) -> NDArray[np.int64]:
        """The next code of each lane, as ``step`` gives its bits, the highest first."""
        node = np.ones(contexts.shape[1], np.int64)
        for first in range(0, self._bits, _SLOT_BITS):
            slots, within = self._slots(contexts, node), np.ones_like(node)
            for weights in self._weights[first : first + _SLOT_BITS]:
                bit = self._bit(slots + within, weights, step)
                within, node = 2 * within + bit, 2 * node + bit
        return node - (1 << self._bits)

    def _slots(self, contexts: Contexts, node: NDArray[np.int64]) -> NDArray[np.int64]:
        hashed = (contexts << np.uint64(16) | node.astype(np.uint64)) * _HASH
        slot = (hashed >> np.uint64(64 - _TABLE_BITS + _SLOT_BITS)).astype(np.int64)
        return self._tables + (slot << _SLOT_BITS)

    def _bit(self, places: NDArray[np.int64], weights: NDArray[np.float64], step: Step) -> Bits:
        counts = self._counts[places]
        seen, ones = counts >> 16, counts & 0xFFFF
        logits = LOGITS[((ones + _PRIOR) / (seen + 2 * _PRIOR) * len(LOGITS)).astype(np.int64)]
        mixed = (weights @ logits / _WEIGHT_SCALE).astype(np.int64)
        mixed = np.maximum(-_LARGEST_LOGIT, np.minimum(_LARGEST_LOGIT, mixed))
        probability = PROBABILITIES[mixed + _LARGEST_LOGIT]
        bit = step(probability)
        rate = _RATE * min(1, _RATE_LANES / len(bit))
        weights += np.rint(logits @ (bit * _ONE - probability).astype(np.float64) * rate)
        more = (seen < _STEADY) * (bit + np.uint32(_ONE))
        np.add.at(self._counts, places.ravel(), more.astype(np.uint32).ravel())
        return bit
