"""Eight bits a value: the dynamic map of 8-bit optimizers, in blocks that are each scaled by their largest magnitude.

Map, layout and decoded values equal those of bitsandbytes to the last bit (Dettmers et al., 2021, "8-bit Optimizers
via Block-wise Quantization"), which the tests compare with; its code is not used. The CPU encoder of bitsandbytes
0.50 takes codes from a table in linear steps of 3e-5 of a block's maximum, so that zero comes back as 2e-5 and
smaller differences are lost; ours looks codes up by the leading bits of the float: the whole map, in a fifth of the
time. Its decoder starts OpenMP's threads for every call, which stalls where other programs want the cores; ours
stays on one.
"""

from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

_MANTISSA_BITS = (
    11  # of 23: floats within 2^-12 of each other may share a code, steps of the map are 2^-7 or more
)
_DROPPED_BITS = 23 - _MANTISSA_BITS
_SIGN = 1 << (8 + _MANTISSA_BITS)
_ONE = 0x3F800000 >> _DROPPED_BITS  # the leading bits of 1.0, the largest magnitude after scaling
_SMALLEST_DECADE = (
    -6
)  # powers of ten; the map has seven, and each larger one has twice the values of the one below


@dataclass(frozen=True)
class Codebook:
    """The 256 values that codes stand for, ascending, and the code of each float by its leading bits."""

    values: Tensor  # float32 (256,), in [-1, 1]
    code_of: Tensor  # uint8, indexed by sign, exponent and the leading bits of the mantissa


@cache
def codebook(signed: bool) -> Codebook:
    """Return the dynamic map for values of either sign, or for values that are never negative.

    The code is that of the nearest value, but in the unsigned map nothing above zero becomes zero: where a
    second moment vanished, a step would be divided by eps alone.

    Args:
        signed: True for values of either sign.
    """
    values = _dynamic_map(signed)
    middles = (values[1:].double() + values[:-1].double()) / 2
    leading = torch.arange(_ONE + 1, dtype=torch.int32)
    centres = ((leading << _DROPPED_BITS) + (1 << (_DROPPED_BITS - 1))).view(torch.float32).double()
    code_of = torch.zeros(_SIGN + _ONE + 1 if signed else _ONE + 1, dtype=torch.uint8)
    code_of[: _ONE + 1] = torch.bucketize(centres, middles)
    if signed:
        code_of[_SIGN:] = torch.bucketize(-centres, middles)
    else:
        code_of[1:].clamp_(min=1)
    return Codebook(values, code_of)


def _dynamic_map(signed: bool) -> Tensor:
    """Return the 256 values, float32 and ascending: centres of equal steps in each decade, 0 and 1.

    The map is that of Dettmers (2016). The operations and their order are those of
    ``bitsandbytes.functional.create_dynamic_map``: peers whose maps differed in the last bit would drift
    apart.
    """
    values = [0.0, 1.0]
    for decade in range(_SMALLEST_DECADE, 1):
        steps = 2 ** (decade - _SMALLEST_DECADE + (0 if signed else 1))
        edges = torch.linspace(0.1, 1, steps + 1, dtype=torch.float32, device="cpu")
        centres = 10**decade * ((edges[:-1] + edges[1:]) / 2.0)
        values += centres.tolist() + ((-centres).tolist() if signed else [])
    return torch.tensor(sorted(values), dtype=torch.float32, device="cpu")


def block_count(elements: int, block_size: int) -> int:
    """Return the number of blocks that a flat tensor of ``elements`` takes.

    Args:
        elements: Number of values.
        block_size: Values of a block; the last block may have fewer.
    """
    return -(-elements // block_size)


def encode(values: Tensor, *, signed: bool, block_size: int) -> tuple[Tensor, Tensor]:
    """Encode finite float32 values in 8 bits each.

    Args:
        values: Flat tensor, float32 of shape (n,).
        signed: True for values of either sign.
        block_size: Values that share a scale.

    Returns:
        Codes, uint8 of shape (n,), and block maxima, float32 of shape (blocks,).
    """
    whole = values.numel() // block_size * block_size
    codes, maxima = _encode_blocks(values[:whole].view(-1, block_size), signed)
    if whole == values.numel():
        return codes, maxima
    last_codes, last_maximum = _encode_blocks(values[whole:].view(1, -1), signed)
    return torch.cat([codes, last_codes]), torch.cat([maxima, last_maximum])


def _encode_blocks(blocks: Tensor, signed: bool) -> tuple[Tensor, Tensor]:
    maxima = blocks.abs().amax(1)
    scaled = blocks / maxima.masked_fill(maxima == 0, 1.0)[:, None]
    leading = scaled.view(torch.int32).bitwise_right_shift_(_DROPPED_BITS)
    if signed:
        leading.bitwise_and_(2 * _SIGN - 1)  # the shift has drawn the sign through all higher bits
    return codebook(signed).code_of.index_select(0, leading.view(-1)), maxima


def decode(codes: Tensor, maxima: Tensor, *, signed: bool, block_size: int) -> Tensor:
    """Decode codes into new memory.

    Args:
        codes: Codes, uint8 of shape (n,).
        maxima: Largest magnitude of each block, float32 of shape (blocks,).
        signed: True if the codes were made for values of either sign.
        block_size: Values that share a scale.

    Returns:
        The values, float32 of shape (n,).
    """
    return look_up(codes, maxima, codebook(signed).values, block_size=block_size)


def look_up(codes: Tensor, maxima: Tensor, book: Tensor, *, block_size: int) -> Tensor:
    """Decode codes by any map of 256 values into new memory, and return the values, float32 of shape (n,).

    Args:
        codes: Codes, uint8 of shape (n,).
        maxima: Largest magnitude of each block, float32 of shape (blocks,).
        book: Values of the codes, float32 of shape (256,).
        block_size: Values that share a scale.
    """
    values = book.index_select(0, codes.int())
    whole = codes.numel() // block_size * block_size
    values[:whole].view(-1, block_size).mul_(maxima[: whole // block_size, None])
    if whole < codes.numel():
        values[whole:].mul_(maxima[-1])
    return values
