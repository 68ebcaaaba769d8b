"""Binary entropy coding in many lanes at once: interleaved asymmetric numeral systems.

Duda, "Asymmetric numeral systems" (2013), the range variant; Giesen, "Interleaved entropy coders" (2014). Each lane
is a number that takes bits like a stack and gives them back in reverse; one array operation serves all lanes, and
what overflows goes to one stream of 16-bit words. In each step, every lane but perhaps the last ones has a bit, and
a probability that it is 1.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

PROBABILITY_BITS = 16
"""A probability is a whole number of 2 ** -16, above 0 and below 1."""
_ONE = 1 << PROBABILITY_BITS
_WORD_BITS = 16
_LOW = 1 << 16
"""Lanes lie in [_LOW, _LOW << _WORD_BITS). The encoder starts at _LOW, so the decoder must end there."""

Bits = NDArray[np.integer[Any] | np.bool_]
Probabilities = NDArray[np.integer[Any]]


def encode(lanes: int, bits: Sequence[Bits], probabilities: Sequence[Probabilities]) -> bytes:
    """The stream from which a decoder takes these bits, step by step, if it expects the same probabilities."""
    states = np.full(lanes, _LOW, np.int64)
    words: list[NDArray[np.uint16]] = []
    for bit, probability in zip(reversed(bits), reversed(probabilities), strict=True):
        state, one = states[: len(bit)], probability.astype(np.int64)
        share = np.where(bit, one, _ONE - one)
        full = state >= share << _WORD_BITS
        words.append(state[full].astype(np.uint16))
        state[full] >>= _WORD_BITS
        quotient, rest = np.divmod(state, share)
        state[:] = (quotient << PROBABILITY_BITS) + rest + np.where(bit, 0, one)
    return states.astype("<u4").tobytes() + np.concatenate(words[::-1]).astype("<u2").tobytes()


class Decoder:
    """Takes the bits from a stream in the order in which ``encode`` was given them.

    Raises:
        ValueError: the stream is too short.
    """

    def __init__(self, lanes: int, stream: bytes) -> None:
        if len(stream) < 4 * lanes or len(stream) % 2:
            raise ValueError("it is cut short")
        self._states = np.frombuffer(stream, "<u4", lanes).astype(np.int64)
        self._words = np.frombuffer(stream, "<u2", offset=4 * lanes)
        self._next = 0

    def take(self, probabilities: Probabilities) -> Bits:
        """The bits of the next step."""
        state = self._states[: len(probabilities)]
        rest = state & (_ONE - 1)
        bit = rest < probabilities
        share = np.where(bit, probabilities, _ONE - probabilities)
        state >>= PROBABILITY_BITS
        state *= share
        state += rest
        state -= np.where(bit, 0, probabilities)
        self._refill(state)
        return bit

    def finish(self) -> None:
        """ValueError unless all was taken, and nothing else: then the stream is one of ``encode``'s."""
        if self._next != len(self._words) or (self._states != _LOW).any():
            raise ValueError("it does not end where it must")

    def _refill(self, state: NDArray[np.int64]) -> None:
        (empty,) = np.nonzero(state < _LOW)
        words = self._words[self._next : self._next + len(empty)]
        if len(words) < len(empty):
            raise ValueError("it is cut short")
        state[empty] = state[empty] << _WORD_BITS | words
        self._next += len(empty)
