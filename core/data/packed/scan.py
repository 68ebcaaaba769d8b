"""The codes of many images in one stream: in which order they are coded, and what each is predicted from.

Images are taken in waves, one image a lane, and all lanes of a wave go through their grids together, row by row.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.data.packed.ans import Bits, Decoder, Probabilities, encode
from core.data.packed.mixing import Contexts, Mixer, Step

_FEWEST_LANES, _MOST_LANES = 64, 1024
_LANES_PER_CODE = 4
"""Lanes learn from each other's earlier codes only, so images of few codes go in smaller waves."""
_CLASS_BITS = 5
"""First bits of a code that tell its class: similar codes have similar numbers (`similarity`)."""
_CONTEXTS = 6

Codes = NDArray[np.int64]
"""Of shape (images, grid, grid)."""


def encode_codes(codes: Codes, bits: int) -> bytes:
    """The stream of these codes, each below 2 ** ``bits``."""
    steps = _steps(codes, bits)
    taken: list[Bits] = []
    probabilities: list[Probabilities] = []

    def step(probability: Probabilities) -> Bits:
        taken.append(next(steps))
        probabilities.append(probability.astype(np.uint16))
        return taken[-1]

    _code(np.empty_like(codes), bits, step)
    return encode(_lanes(codes), taken, probabilities)


def decode_codes(stream: bytes, images: int, grid: int, bits: int) -> Codes:
    """The codes of a stream, int64 of shape (images, grid, grid); ValueError if it is damaged."""
    codes = np.empty((images, grid, grid), np.int64)
    decoder = Decoder(_lanes(codes), stream)
    _code(codes, bits, decoder.take)
    decoder.finish()
    return codes


def _lanes(codes: Codes) -> int:
    wave = max(_FEWEST_LANES, min(_MOST_LANES, _LANES_PER_CODE * codes.size // len(codes)))
    return min(len(codes), wave)


def _waves(codes: Codes) -> Iterator[Codes]:
    lanes = _lanes(codes)
    return (codes[first : first + lanes] for first in range(0, len(codes), lanes))


def _steps(codes: Codes, bits: int) -> Iterator[Bits]:
    """The bits of all steps, in order."""
    for wave in _waves(codes):
        for place in wave.reshape(len(wave), -1).T:
            for bit in reversed(range(bits)):
                yield (place >> bit & 1).astype(np.bool_)


def _code(codes: Codes, bits: int, step: Step) -> None:
    """Sets the codes to those whose bits ``step`` gives."""
    mixer = Mixer(bits, _CONTEXTS)
    grid = codes.shape[1]
    for wave in _waves(codes):
        # Around the image lies a code that does not exist.
        around = np.full((grid + 2, grid + 3, len(wave)), 1 << bits, np.uint64)
        for row, column in np.ndindex(grid, grid):
            code = mixer.code(_contexts(around[row : row + 3, column : column + 4], bits), step)
            around[row + 2, column + 2] = wave[:, row, column] = code


def _contexts(near: NDArray[np.uint64], bits: int) -> Contexts:
    """From the codes near a place, which is at (2, 2): pairs of left and upper ones, and of their classes."""
    left, above = near[2, 1], near[1, 2]
    shift = np.uint64(max(0, bits - _CLASS_BITS))
    nothing = np.zeros_like(left)
    firsts = np.stack([left, nothing, left, left >> shift, above, near[2, 0]])
    seconds = np.stack([nothing, above, above, above >> shift, near[1, 3], near[0, 2]])
    pairs: Contexts = firsts << np.uint64(16) | seconds
    return pairs
