"""Eight bits a value: the error of every decade, what stays zero, and agreement with bitsandbytes."""

import pytest
import torch
from bitsandbytes import functional as bnb
from torch import Tensor

from core.optim.blockwise import block_count, codebook, decode, encode

BLOCK = 4096


def nearest(values: Tensor, signed: bool) -> Tensor:
    """The values of the map that are nearest to those of a block whose maximum is 1."""
    codes = codebook(signed).values.double()
    middles = (codes[1:] + codes[:-1]) / 2
    return codes[torch.bucketize(values.double(), middles)]


def decade(power: int, signed: bool) -> Tensor:
    """A block with maximum 1 whose other values lie within one decade, of either sign if signed."""
    generator = torch.Generator().manual_seed(power)
    values = 10.0 ** -(power + torch.rand(BLOCK, generator=generator))
    if signed:
        values *= torch.randint(0, 2, (BLOCK,), generator=generator) * 2 - 1
    values[0] = 1.0
    return values


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("power", range(6))
def test_error_is_that_of_the_nearest_value(power: int, signed: bool) -> None:
    values = decade(power, signed)
    decoded = decode(*encode(values, signed=signed, block_size=BLOCK), signed=signed, block_size=BLOCK)
    error = (decoded - values).abs().double() / values.abs()
    least = (nearest(values, signed) - values).abs() / values.abs().double()
    assert (error <= least + 2**-11).all()


@pytest.mark.parametrize("signed", [True, False])
def test_the_map_is_that_of_bitsandbytes_to_the_bit(signed: bool) -> None:
    values = codebook(signed).values
    assert torch.equal(values, bnb.create_dynamic_map(signed=signed))
    assert values.shape == (256,)


@pytest.mark.parametrize("signed", [True, False])
def test_agrees_with_bitsandbytes_where_that_is_exact(signed: bool) -> None:
    values = torch.cat([decade(0, signed), decade(1, signed)])
    codes, maxima = encode(values, signed=signed, block_size=BLOCK)
    theirs, state = bnb.quantize_blockwise(values, code=codebook(signed).values.clone(), blocksize=BLOCK)
    assert torch.equal(maxima, state.absmax)
    assert (codes != theirs).float().mean() < 0.01
    assert (codes.int() - theirs.int()).abs().max() <= 1


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("elements", [BLOCK, 3 * BLOCK + 17])
def test_decodes_as_bitsandbytes_to_the_bit(elements: int, signed: bool) -> None:
    generator = torch.Generator().manual_seed(elements)
    codes = torch.randint(0, 256, (elements,), generator=generator).to(torch.uint8)
    maxima = torch.rand(block_count(elements, BLOCK), generator=generator)
    theirs = bnb.dequantize_blockwise(codes, absmax=maxima, code=codebook(signed).values, blocksize=BLOCK)
    assert torch.equal(decode(codes, maxima, signed=signed, block_size=BLOCK), theirs)


@pytest.mark.parametrize("signed", [True, False])
def test_zero_stays_zero(signed: bool) -> None:
    values = torch.zeros(2 * BLOCK)
    values[5] = 3.0
    decoded = decode(*encode(values, signed=signed, block_size=BLOCK), signed=signed, block_size=BLOCK)
    assert torch.equal(decoded, values)


def test_a_second_moment_never_becomes_zero() -> None:
    values = torch.full((BLOCK,), 1e-30)
    values[0] = 1.0
    decoded = decode(*encode(values, signed=False, block_size=BLOCK), signed=False, block_size=BLOCK)
    assert (decoded > 0).all()


@pytest.mark.parametrize("signed", [True, False])
def test_every_code_survives_a_round_trip(signed: bool) -> None:
    codes = torch.arange(256, dtype=torch.uint8)
    maxima = torch.tensor([0.37])
    again = encode(decode(codes, maxima, signed=signed, block_size=256), signed=signed, block_size=256)
    assert torch.equal(again[0], codes)
    assert torch.equal(again[1], maxima)


@pytest.mark.parametrize("elements", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 17])
def test_blocks_need_not_divide(elements: int) -> None:
    values = torch.randn(elements, generator=torch.Generator().manual_seed(elements))
    codes, maxima = encode(values, signed=True, block_size=BLOCK)
    assert codes.shape == (elements,)
    assert maxima.shape == (block_count(elements, BLOCK),)
    decoded = decode(codes, maxima, signed=True, block_size=BLOCK)
    bound = maxima.repeat_interleave(BLOCK)[:elements] * 0.008
    assert ((decoded - values).abs() <= bound).all()
