"""Blocks of codes: exact for all codes, small where codes tell of one another, refused where they were changed."""

import hashlib
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.data.packed.block import images_per_block, pack, unpack
from core.data.packed.scan import encode_codes
from core.errors import DataError

HEADER_BYTES = 14
Make = Callable[[int, int, int, int], NDArray[np.int64]]
"""Of images, grid, vocab and seed."""
GOLDEN = Path(__file__).with_name("block-1.bin")


def patches(images: int, grid: int, vocab: int, seed: int = 0) -> NDArray[np.int64]:
    """Codes of which most are like the one to the left or the one above, as in pictures with large areas."""
    generator = np.random.default_rng(seed)
    codes = generator.integers(0, vocab, (images, grid, grid))
    choice = generator.random(codes.shape)
    for row in range(grid):
        for column in range(1, grid):
            left, above = codes[:, row, column - 1], codes[:, max(0, row - 1), column]
            draw = choice[:, row, column]
            codes[:, row, column] = np.where(
                draw < 0.5, left, np.where(draw < 0.8, above, codes[:, row, column])
            )
    return codes.reshape(images, -1)


def uniform(images: int, grid: int, vocab: int, seed: int = 0) -> NDArray[np.int64]:
    return np.random.default_rng(seed).integers(0, vocab, (images, grid**2))


@settings(max_examples=30, deadline=None)
@given(
    make=st.sampled_from([patches, uniform]),
    images=st.integers(1, 90),
    grid=st.integers(1, 5),
    vocab=st.sampled_from([1, 2, 3, 17, 1000, 1024, 1 << 15]),
    seed=st.integers(0, 1 << 32),
)
def test_codes_come_back_exactly(make: Make, images: int, grid: int, vocab: int, seed: int) -> None:
    codes = make(images, grid, vocab, seed)
    assert np.array_equal(unpack(pack(codes, grid, vocab), "a block"), codes)


@pytest.mark.parametrize(("vocab", "bits"), [(1, 1), (2, 1), (3, 2), (1024, 10), (8192, 13), (1 << 15, 15)])
def test_codes_that_tell_nothing_of_one_another_take_the_bits_of_the_codebook(vocab: int, bits: int) -> None:
    codes = uniform(16, 8, vocab) if vocab > 1 else np.arange(16 * 64).reshape(16, 64) % 1
    assert len(pack(codes, 8, vocab)) <= HEADER_BYTES + 16 * 64 * bits // 8


def test_codes_that_tell_of_one_another_take_far_fewer() -> None:
    block = pack(patches(512, 8, 256), 8, 256)
    assert len(block) < 0.6 * 512 * 64
    assert np.array_equal(unpack(block, "a block"), patches(512, 8, 256))


def test_the_same_codes_give_the_same_block() -> None:
    assert pack(patches(64, 4, 32), 4, 32) == pack(patches(64, 4, 32), 4, 32)


def test_a_block_of_an_earlier_day_reads_as_it_did() -> None:
    # Made by this version's `pack`; a decoder that predicts anything else in any place cannot read it.
    codes = unpack(GOLDEN.read_bytes(), "the golden block")
    assert codes.shape == (200, 36)
    assert hashlib.sha256(codes.astype("<i2").tobytes()).hexdigest() == (
        "df0f70c4b7c30a45fc13f8ec212c00848f9522720b484114d38756e4deeeb18b"
    )


@pytest.mark.parametrize(
    ("codes", "grid"), [([[0, 1, 2, 8]], 2), ([[0, 1, 2, -1]], 2), ([[0, 1, 2]], 2), ([[0, 1, 2, 3]], 4)]
)
def test_codes_of_another_grid_or_codebook_are_not_packed(codes: list[list[int]], grid: int) -> None:
    with pytest.raises(ValueError, match=r"in \[0, 8\)"):
        pack(np.array(codes), grid, 8)


def test_more_images_than_a_block_may_have_are_not_packed() -> None:
    with pytest.raises(ValueError, match="4097 images"):
        pack(np.zeros((images_per_block(1) + 1, 1), int), 1, 2)


@pytest.mark.parametrize("make", [patches, uniform])
def test_a_changed_or_cut_block_is_refused(make: Make) -> None:
    block = pack(make(40, 4, 64, 0), 4, 64)
    changed = [block[:length] for length in (0, 3, HEADER_BYTES - 1, HEADER_BYTES, len(block) // 2)]
    changed += [block + b"\0", *(flipped(block, place) for place in range(0, len(block), 7))]
    for damaged in changed:
        with pytest.raises(DataError, match=r"The codes of row group 3 cannot be unpacked: .") as caught:
            unpack(damaged, "row group 3")
        assert caught.value.remedy


def flipped(block: bytes, place: int) -> bytes:
    return block[:place] + bytes([block[place] ^ 0x10]) + block[place + 1 :]


def sealed(coding: int, grid: int, vocab: int, images: int, payload: bytes, magic: bytes = b"IBC\1") -> bytes:
    """A block with a checksum that is right, whatever it claims."""
    fields = struct.pack("<4sBBHH", magic, coding, grid, vocab, images)
    return fields + struct.pack("<I", zlib.crc32(payload, zlib.crc32(fields))) + payload


HOSTILE = {
    "of no layout": sealed(0, 2, 4, 1, b"\0", b"IBC\2"),
    "no coding": sealed(7, 2, 4, 1, b"\0"),
    "claims 0 x 0": sealed(0, 0, 4, 1, b"\0"),
    "claims 65 x 65": sealed(0, 65, 4, 1, b"\0"),
    "of 0": sealed(0, 2, 0, 1, b"\0"),
    "of 32769": sealed(0, 2, (1 << 15) + 1, 1, b"\0"),
    "claims 0 images": sealed(0, 2, 4, 0, b""),
    "claims 4097 images": sealed(0, 2, 4, 4097, b"\0" * 4097),
    "claims 257 images": sealed(0, 64, 4, 257, b"\0" * 257),
    "do not take 1 bytes": sealed(0, 64, 1 << 15, 256, b"\0"),
    "holds 3": sealed(0, 2, 3, 1, b"\xff"),
    "cut short": sealed(1, 2, 4, 4096, b"\x1b" + b"\0" * 8),
    "do not take 0 bytes": sealed(1, 64, 4, 256, b""),
    "out of its codebook": sealed(1, 1, 3, 1, b"\x18" + encode_codes(np.array([[[3]]]), bits=2)),
}


@pytest.mark.parametrize("reason", HOSTILE)
def test_what_a_block_must_not_claim_is_refused_before_memory_is_taken(reason: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match=reason):
            unpack(HOSTILE[reason], "row group 3")
        assert tracemalloc.get_traced_memory()[1] < 1 << 26
    finally:
        tracemalloc.stop()
