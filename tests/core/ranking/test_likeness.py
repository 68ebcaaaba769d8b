"""Pictures that look alike to people: noise and small shifts do not matter, colours and things do."""

import numpy as np
import pytest
import torch
from PIL import Image, ImageDraw
from torch import Tensor

from core.ranking.likeness import cells_of, look_alike


def disc(left: int = 16, colour: str = "tomato", width: int = 32) -> Image.Image:
    picture = Image.new("RGB", (64, 64), "white")
    ImageDraw.Draw(picture).ellipse((left, 16, left + width, 16 + width), colour)
    return picture


def pixels(picture: Image.Image) -> Tensor:
    return torch.from_numpy(np.array(picture)).permute(2, 0, 1)


def noisy(picture: Image.Image, spread: float) -> Image.Image:
    noise = np.random.default_rng(0).normal(0, spread, (64, 64, 3))
    return Image.fromarray((np.array(picture) + noise).clip(0, 255).astype(np.uint8))


def alike(one: Image.Image, other: Image.Image) -> bool:
    return look_alike(cells_of(pixels(one)), cells_of(pixels(other)))


@pytest.mark.parametrize(
    "other",
    [
        disc(),
        disc(left=17),
        noisy(disc(), 12.0),
        disc(colour="#ff5a40"),
        disc(width=33),
    ],
    ids=["the same", "a pixel beside", "with noise", "a shade lighter", "a little larger"],
)
def test_these_look_alike(other: Image.Image) -> None:
    assert alike(disc(), other)
    assert alike(other, disc())


@pytest.mark.parametrize(
    "other",
    [
        disc(colour="royalblue"),
        disc(colour="orange"),
        disc(left=30),
        disc(width=16),
        disc(width=0, colour="white"),
    ],
    ids=["blue", "orange", "elsewhere", "half as large", "nothing"],
)
def test_these_look_different(other: Image.Image) -> None:
    assert not alike(disc(), other)


def test_small_and_uneven_pictures_have_fewer_cells() -> None:
    assert cells_of(torch.zeros(3, 5, 100, dtype=torch.uint8)).shape == (5, 16, 3)
