"""Bits come back from a stream as they were put on it, in few bytes more than their information."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.packed.ans import PROBABILITY_BITS, Bits, Decoder, Probabilities, encode

ONE = 1 << PROBABILITY_BITS


def drawn(seed: int, lanes: int, steps: int) -> tuple[list[Bits], list[Probabilities]]:
    """Bits that follow their probabilities, for all lanes in most steps and for some in the others."""
    generator = np.random.default_rng(seed)
    widths = [lanes if generator.random() < 0.8 else generator.integers(1, lanes + 1) for _ in range(steps)]
    probabilities = [generator.choice([1, ONE // 9, ONE // 2, ONE - 1], width) for width in widths]
    return [generator.random(len(one)) < one / ONE for one in probabilities], probabilities


def information(bits: list[Bits], probabilities: list[Probabilities]) -> float:
    """Bits that an ideal coder needs."""
    shares = [np.where(bit, one, ONE - one) / ONE for bit, one in zip(bits, probabilities, strict=True)]
    return -float(np.log2(np.concatenate(shares)).sum())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 32), st.integers(1, 40), st.integers(1, 60))
def test_bits_come_back_in_order(seed: int, lanes: int, steps: int) -> None:
    bits, probabilities = drawn(seed, lanes, steps)
    stream = encode(lanes, bits, probabilities)
    decoder = Decoder(lanes, stream)
    for bit, one in zip(bits, probabilities, strict=True):
        assert decoder.take(one).tolist() == bit.tolist()
    decoder.finish()


def test_a_stream_has_hardly_more_bits_than_it_carries_information() -> None:
    lanes = 16
    bits, probabilities = drawn(0, lanes, 4000)
    assert 8 * len(encode(lanes, bits, probabilities)) < 1.001 * information(bits, probabilities) + 32 * lanes


@pytest.mark.parametrize("change", ["cut", "longer", "first byte", "last byte", "odd", "empty"])
def test_a_changed_stream_is_noticed(change: str) -> None:
    lanes = 4
    bits, probabilities = drawn(1, lanes, 200)
    stream = encode(lanes, bits, probabilities)
    changed = {
        "cut": stream[:-2],
        "longer": stream + b"\0\0",
        "first byte": bytes([stream[0] ^ 1]) + stream[1:],
        "last byte": stream[:-1] + bytes([stream[-1] ^ 1]),
        "odd": stream[:-1],
        "empty": b"",
    }[change]
    with pytest.raises(ValueError, match=r"cut short|does not end"):
        take_all(Decoder(lanes, changed), probabilities)


def take_all(decoder: Decoder, probabilities: list[Probabilities]) -> None:
    for one in probabilities:
        decoder.take(one)
    decoder.finish()
