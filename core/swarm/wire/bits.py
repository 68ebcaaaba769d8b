"""Packs small whole numbers into bits, and ascending indices into a fixed length; no loop runs over values."""

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Indices = NDArray[np.int64]


def pack(numbers: NDArray[np.integer], bits: int) -> Bytes:
    """Return ``numbers`` of any shape, each below 2^``bits``, packed in their order; the lowest bit comes first."""
    planes = np.empty((*numbers.shape, bits), np.uint8)
    for bit in range(bits):
        planes[..., bit] = (numbers >> bit) & 1
    return np.packbits(planes, bitorder="little")


def unpack(packed: Bytes, count: int, bits: int) -> Indices:
    """Return ``count`` numbers of ``bits`` each from ``packed``, as `pack` makes it; their shape is (count,)."""
    planes = np.unpackbits(packed, count=count * bits, bitorder="little").reshape(count, bits)
    numbers = np.zeros(count, np.int64)
    for bit in range(bits):
        numbers |= planes[:, bit].astype(np.int64) << bit
    return numbers


def pack_ascending(indices: Indices, *, low_bits: int, high_bits: int) -> tuple[Bytes, Bytes]:
    """Return rows of ascending indices in a fixed length (Elias, 1974; Fano, 1971): low bits, and unary steps.

    Index i of a row sets the bit at its high part plus i: the high parts ascend, so no bit is set twice. For 64
    of 4,096 that is 8 bits an index, where any order-free form needs 7.4 and plain numbers need 12.

    Args:
        indices: Shape (rows, kept), each row ascending.
        low_bits: Lowest bits of an index, which are written as they are.
        high_bits: Bits of a row's unary steps.
    """
    rows, kept = indices.shape
    steps = np.zeros((rows, high_bits), np.uint8)
    np.put_along_axis(steps, (indices >> low_bits) + np.arange(kept), 1, axis=1)
    return pack(indices & ((1 << low_bits) - 1), low_bits), np.packbits(steps, bitorder="little")


def unpack_ascending(
    low: Bytes, high: Bytes, *, shape: tuple[int, int], low_bits: int, high_bits: int
) -> Indices | None:
    """Return the indices from bytes of `pack_ascending`; None if a row has not just as many, or repeats one.

    Args:
        low: Low bits.
        high: Unary steps.
        shape: Rows, and indices of a row.
        low_bits: Lowest bits of an index.
        high_bits: Bits of a row's unary steps.
    """
    rows, kept = shape
    steps = np.unpackbits(high, count=rows * high_bits, bitorder="little").reshape(rows, high_bits)
    if not (steps.sum(1, dtype=np.int64) == kept).all():
        return None
    upper = (np.flatnonzero(steps) % high_bits).reshape(shape) - np.arange(kept)
    indices = (upper << low_bits) | unpack(low, rows * kept, low_bits).reshape(shape)
    return indices if (np.diff(indices, axis=1) > 0).all() else None
