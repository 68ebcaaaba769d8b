"""Four bits a value: 15 even levels for each small block, which is scaled by its largest magnitude."""

import numpy as np
import torch
from numpy.typing import NDArray

from core.run.encodings import BLOCK_4_BITS
from core.swarm.wire.bits import Bytes, pack_scales, scales_rounded_down, unpack_scales

_LARGEST = 7
"""Steps from zero to a block's largest magnitude. Zero is a level: what did not move must not be pushed one way.

Even steps fit drifts better than those of NF4 (Dettmers et al., 2023): an optimizer's steps have light tails.
"""


def encode_4_bits(values: torch.Tensor) -> bytes:
    """Return the wire's bytes of ``values``, finite float32 of shape (values,)."""
    blocks = -(-len(values) // BLOCK_4_BITS)
    padded = torch.zeros(blocks, BLOCK_4_BITS)
    padded.view(-1)[: len(values)] = values
    scales = torch.from_numpy(scales_rounded_down(padded.abs().amax(1).numpy()))
    scaled = padded / scales.where(scales > 0, 1.0)[:, None]
    codes = (scaled * _LARGEST).round_().clamp_(-_LARGEST, _LARGEST).view(-1).numpy().astype(
        np.int8
    ) + _LARGEST
    codes = codes.astype(np.uint8)
    pairs = codes[: len(values) + len(values) % 2].reshape(-1, 2)
    return pack_scales(scales.numpy()).tobytes() + (pairs[:, 0] | pairs[:, 1] << 4).tobytes()


def decode_4_bits(buffer: bytes, values: int) -> torch.Tensor | None:
    """Return the many ``values`` that ``buffer`` holds, float32 of shape (values,); None if it is malformed.

    Its length must be that which `core.run.encodings.wire_bytes` predicts.
    """
    blocks = -(-values // BLOCK_4_BITS)
    whole = np.frombuffer(buffer, np.uint8)
    scales, codes = unpack_scales(whole[: 2 * blocks]), _nibbles(whole[2 * blocks :], values)
    if scales is None or codes.max() > 2 * _LARGEST:
        return None
    decoded = np.zeros(blocks * BLOCK_4_BITS, np.float32)
    decoded[:values] = codes.astype(np.float32) - _LARGEST
    shares = decoded.reshape(blocks, -1) / _LARGEST  # first, so that no product overflows
    return torch.from_numpy((shares * scales[:, None]).reshape(-1)[:values])


def _nibbles(pairs: Bytes, count: int) -> NDArray[np.uint8]:
    codes = np.empty((len(pairs), 2), np.uint8)
    codes[:, 0], codes[:, 1] = pairs & 15, pairs >> 4
    return codes.reshape(-1)[:count]
