"""The codec of the embedded run keeps its emoji recognisable, and is asked for nothing it cannot do."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from core.codec.vqgan import ImageCodec, load_codec
from core.data.images import open_image
from core.data.pixels import square_pixels
from core.errors import CodecError
from core.model.config import preset

CODEC = Path(__file__).parents[3] / "assets" / "embedded" / "codec"
PICTURES = sorted(Path(__file__).with_name("noto").glob("*.png"))
LEAST_MEAN_PSNR = 22.5
LEAST_PSNR = 17.0
"""PSNR of emoji as the codec shows them, in dB; half of its training is scenes, and a code is of one patch alone."""


@pytest.fixture(scope="module")
def codec() -> ImageCodec:
    return load_codec(CODEC / "config.yaml", CODEC / "vqgan.safetensors")


@pytest.fixture(scope="module")
def emoji() -> Tensor:
    """Float (8, 3, 64, 64) in [0, 1]."""
    assert len(PICTURES) == 8
    return torch.from_numpy(np.stack([square_pixels(open_image(path.read_bytes()), 64) for path in PICTURES]))


def test_it_is_the_codec_that_the_emoji_preset_expects(codec: ImageCodec) -> None:
    assert codec.codebook_size == preset("emoji").image_vocab
    assert codec.grid == preset("emoji").grid
    assert codec.downsampling == 8
    assert (CODEC / "vqgan.safetensors").stat().st_size < 8_000_000


def test_emoji_survive_their_codes(codec: ImageCodec, emoji: Tensor) -> None:
    error = (codec.decode(codec.encode(emoji)) - emoji).square().mean(dim=(1, 2, 3))
    psnr = -10 * error.log10()
    assert psnr.mean() > LEAST_MEAN_PSNR
    assert psnr.min() > LEAST_PSNR


def test_different_emoji_have_different_codes(codec: ImageCodec, emoji: Tensor) -> None:
    codes = codec.encode(emoji)
    assert (codes[1:] != codes[:-1]).float().mean() > 0.5
    assert len(codes.unique()) > 100


def test_encoding_repeats_exactly(codec: ImageCodec, emoji: Tensor) -> None:
    assert torch.equal(codec.encode(emoji), codec.encode(emoji.clone()))


def test_shapes_and_types(codec: ImageCodec) -> None:
    codes = codec.encode(torch.rand(2, 3, 64, 128, generator=torch.Generator().manual_seed(0)))
    assert (codes.shape, codes.dtype) == ((2, 8, 16), torch.int64)
    images = codec.decode(codes)
    assert (images.shape, images.dtype) == ((2, 3, 64, 128), torch.float32)
    assert 0 <= images.min() <= images.max() <= 1


@pytest.mark.parametrize("code", [-1, 1024, 1 << 40])
def test_codes_of_another_codebook_are_refused(codec: ImageCodec, code: int) -> None:
    with pytest.raises(CodecError, match="0 to 1023") as caught:
        codec.decode(torch.full((1, 8, 8), code))
    assert caught.value.remedy


@pytest.mark.parametrize(
    "codes",
    [
        torch.zeros(8, 8, dtype=torch.int64),
        torch.zeros(1, 8, 8),
        torch.zeros(0, 8, 8, dtype=torch.int64),
        torch.zeros(1, 0, 8, dtype=torch.int64),
        torch.zeros(1, 1, 65, dtype=torch.int64),
    ],
)
def test_codes_of_another_shape_or_type_are_refused(codec: ImageCodec, codes: Tensor) -> None:
    with pytest.raises(ValueError, match="codes"):
        codec.decode(codes)


@pytest.mark.parametrize(
    "images",
    [
        torch.zeros(3, 64, 64),
        torch.zeros(0, 3, 64, 64),
        torch.zeros(1, 4, 64, 64),
        torch.zeros(1, 3, 64, 64, dtype=torch.uint8),
        torch.zeros(1, 3, 60, 64),
        torch.zeros(1, 3, 0, 64),
        torch.zeros(1, 3, 8, 520),
    ],
)
def test_images_of_another_shape_or_type_are_refused(codec: ImageCodec, images: Tensor) -> None:
    with pytest.raises(ValueError, match=r"images|sides"):
        codec.encode(images)
