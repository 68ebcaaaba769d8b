"""Streams of predicted codes give them back, whatever they are and in however many waves they go."""

import numpy as np
import pytest

from core.data.packed.scan import decode_codes, encode_codes


@pytest.mark.parametrize(
    ("images", "grid", "bits"),
    [(1, 1, 1), (1, 4, 10), (63, 1, 3), (64, 1, 3), (65, 1, 3), (200, 1, 15), (100, 5, 2), (300, 6, 13)],
)
@pytest.mark.parametrize("spread", [0, 1, 4, 100])
def test_codes_come_back(images: int, grid: int, bits: int, spread: int) -> None:
    generator = np.random.default_rng(images)
    codes = generator.geometric(1 / (1 + spread), (images, grid, grid)) % (1 << bits)
    assert np.array_equal(decode_codes(encode_codes(codes, bits), images, grid, bits), codes)


def test_codes_that_never_change_take_hardly_any_bytes() -> None:
    codes = np.full((1000, 8, 8), 77)
    assert len(encode_codes(codes, 10)) < 0.05 * codes.size


def test_images_that_repeat_one_another_take_less_the_more_there_are() -> None:
    few = np.tile(np.random.default_rng(0).integers(0, 512, (16, 8, 8)), (16, 1, 1))
    many = np.tile(few, (4, 1, 1))
    assert len(encode_codes(many, 9)) < 2 * len(encode_codes(few, 9))
