"""Scales in 16 bits with float32's range: a block's scale costs two bytes, and none overflows or vanishes."""

import numpy as np
from numpy.typing import NDArray

from core.swarm.wire.bits import Bytes

_Floats = NDArray[np.float32]
_DROPPED_BITS = 16


def rounded_down(scales: _Floats) -> _Floats:
    """Return the largest magnitudes with 8 significant bits that do not exceed ``scales``, of any shape."""
    kept = scales.astype(np.float32, copy=False).view(np.uint32) >> _DROPPED_BITS << _DROPPED_BITS
    return kept.view(np.float32)


def rounded(scales: _Floats) -> _Floats:
    """Return the nearest magnitudes with 8 significant bits to ``scales`` of any shape; none is infinite."""
    half = np.uint32(1 << (_DROPPED_BITS - 1))
    nearest = rounded_down((scales.astype(np.float32, copy=False).view(np.uint32) + half).view(np.float32))
    return np.where(np.isfinite(nearest), nearest, rounded_down(scales))


def packed(scales: _Floats) -> Bytes:
    """Return two bytes for each of ``scales``, which have 8 significant bits."""
    return (scales.view(np.uint32) >> _DROPPED_BITS).astype("<u2").view(np.uint8).reshape(-1)


def unpacked(buffer: Bytes) -> _Floats | None:
    """Return the scales in ``buffer``, flat; None if one is negative or not finite."""
    scales = (buffer.view("<u2").astype(np.uint32) << _DROPPED_BITS).view(np.float32)
    return scales if np.isfinite(scales).all() and not np.signbit(scales).any() else None
