"""Packs indices, whole numbers and scales for the wire: many in as few bits as they need, without a loop."""

import struct
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Indices = NDArray[np.int64]
_INDEX = struct.Struct("<I")


def pack_indices(indices: Iterable[int]) -> bytes:
    """Return the ``indices`` of parts or pieces, as a question for them carries them: four bytes each."""
    return b"".join(_INDEX.pack(index) for index in indices)


def unpack_indices(packed: bytes, most: int | None = None) -> list[int]:
    """Return the indices in ``packed``, as `pack_indices` makes it, each once; of a longer list the first ``most``.

    Bytes that are left over are no index.
    """
    usable = len(packed) - len(packed) % _INDEX.size
    wanted = usable if most is None else min(usable, most * _INDEX.size)
    return list(dict.fromkeys(index for (index,) in _INDEX.iter_unpack(packed[:wanted])))


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


# --- scales in 16 bits with the range of float32: none overflows or vanishes ----------------------------------------

_Floats = NDArray[np.float32]
_DROPPED_BITS = 16


def scales_rounded_down(scales: _Floats) -> _Floats:
    """Return the largest magnitudes with 8 significant bits that do not exceed ``scales``, of any shape."""
    kept = scales.astype(np.float32, copy=False).view(np.uint32) >> _DROPPED_BITS << _DROPPED_BITS
    return kept.view(np.float32)


def rounded_scales(scales: _Floats) -> _Floats:
    """Return the nearest magnitudes with 8 significant bits to ``scales`` of any shape; none is infinite."""
    half = np.uint32(1 << (_DROPPED_BITS - 1))
    nearest = scales_rounded_down(
        (scales.astype(np.float32, copy=False).view(np.uint32) + half).view(np.float32)
    )
    return np.where(np.isfinite(nearest), nearest, scales_rounded_down(scales))


def pack_scales(scales: _Floats) -> Bytes:
    """Return two bytes for each of ``scales``, which have 8 significant bits."""
    return (scales.view(np.uint32) >> _DROPPED_BITS).astype("<u2").view(np.uint8).reshape(-1)


def unpack_scales(buffer: Bytes) -> _Floats | None:
    """Return the scales in ``buffer``, flat; None if one is negative or not finite."""
    scales = (buffer.view("<u2").astype(np.uint32) << _DROPPED_BITS).view(np.float32)
    return scales if np.isfinite(scales).all() and not np.signbit(scales).any() else None
