"""Images become square pixels on white; broken and oversized ones are refused before they take memory."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image, ImageOps, PngImagePlugin

from core.data.images import FORMATS, BrokenImageError, open_image
from core.data.pixels import square_pixels


def png(image: Image.Image, format_name: str = "PNG", **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format_name, **options)
    return buffer.getvalue()


def test_pixels_are_channels_first_between_0_and_1() -> None:
    image = Image.new("RGB", (4, 4), (255, 0, 51))
    image.putpixel((3, 0), (0, 255, 0))
    pixels = square_pixels(open_image(png(image)), 4)
    assert pixels.shape == (3, 4, 4)
    assert pixels.dtype == np.float32
    assert pixels[:, 3, 0].tolist() == pytest.approx([1, 0, 0.2])
    assert pixels[:, 0, 3].tolist() == [0, 1, 0]


def test_transparent_parts_show_white() -> None:
    image = Image.new("RGBA", (2, 1), (255, 0, 0, 128))
    image.putpixel((1, 0), (0, 0, 0, 0))
    wide = Image.new("RGBA", (2, 2))
    wide.paste(image, (0, 0))
    pixels = square_pixels(open_image(png(wide)), 2)
    assert pixels[:, 0, 0].tolist() == pytest.approx([1, 127 / 255, 127 / 255], abs=0.01)
    assert pixels[:, 0, 1].tolist() == [1, 1, 1]


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "CMYK", "I;16"])
def test_every_mode_of_image_is_taken(mode: str) -> None:
    format_name = "TIFF" if mode == "CMYK" else "PNG"
    pixels = square_pixels(open_image(png(Image.new(mode, (3, 3)), format_name)), 3)
    assert pixels.shape == (3, 3, 3)


def test_the_centre_is_cropped_before_scaling() -> None:
    image = Image.new("RGB", (300, 100), "red")
    image.paste("blue", (100, 0, 200, 100))
    pixels = square_pixels(open_image(png(image)), 10)
    assert np.abs(pixels - np.array([0, 0, 1]).reshape(3, 1, 1)).max() < 0.01


def test_a_photograph_is_turned_upright() -> None:
    image = Image.new("RGB", (20, 20), "red")
    image.paste("blue", (0, 0, 20, 10))
    exif = Image.Exif()
    exif[0x0112] = 3  # upside down
    pixels = square_pixels(open_image(png(image, "JPEG", exif=exif, quality=95)), 20)
    assert pixels[2, 2].mean() < 0.1
    assert pixels[2, 17].mean() > 0.9


@pytest.mark.parametrize("data", [b"", b"no image", b"\x89PNG\r\n\x1a\n", b"<svg></svg>"])
def test_what_is_no_image_is_refused(data: bytes) -> None:
    with pytest.raises(BrokenImageError, match="It is not an image in PNG"):
        open_image(data)


def test_an_image_cut_short_is_refused() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    data = png(Image.fromarray(noise))
    with pytest.raises(BrokenImageError, match="damaged"):
        square_pixels(open_image(data[: len(data) // 2]), 8)


def test_an_image_that_states_too_many_pixels_is_refused_unpacked() -> None:
    bomb = png(Image.new("1", (9000, 9000)))
    assert len(bomb) < 20_000
    with pytest.raises(BrokenImageError, match="9000 x 9000"):
        open_image(bomb)


def test_sixteen_bits_of_grey_become_eight() -> None:
    grey = Image.fromarray(np.full((4, 4), 0x4000, np.uint16))
    assert square_pixels(open_image(png(grey)), 2) == pytest.approx(0.25, abs=0.01)


def test_exif_data_that_cannot_be_written_again_do_not_spoil_a_photograph() -> None:
    image = Image.new("RGB", (20, 20), "red")
    image.paste("blue", (0, 0, 20, 10))
    exif = Image.Exif()
    exif[0x0112], exif[0x0131] = 3, "camera"
    data = png(image, "JPEG", exif=exif, quality=95)
    # What should be the text of the software's name becomes a floating-point number.
    odd = data.replace(struct.pack(">HHI", 0x0131, 2, 7), struct.pack(">HHI", 0x0131, 11, 1))
    with pytest.raises(AttributeError):
        ImageOps.exif_transpose(Image.open(io.BytesIO(odd)))
    pixels = square_pixels(open_image(odd), 20)
    assert pixels[2, 2].mean() < 0.1
    assert pixels[2, 17].mean() > 0.9


def tiled(side: int, tile: int) -> bytes:
    """A grey TIFF of a size, in one packed tile of another."""
    packed = zlib.compress(bytes(tile * tile), 9)
    tags = {
        256: side,
        257: side,
        258: 8,
        259: 8,
        262: 1,
        277: 1,
        322: tile,
        323: tile,
        324: 0,
        325: len(packed),
    }
    tags[324] = 8 + 2 + 12 * len(tags) + 4
    entries = [struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags.items()]
    return b"II*\0" + struct.pack("<IH", 8, len(tags)) + b"".join(entries) + bytes(4) + packed


def test_a_small_image_in_a_huge_tile_is_refused_unpacked() -> None:
    assert square_pixels(open_image(tiled(64, 64)), 8).shape == (3, 8, 8)
    bomb = tiled(64, 1 << 14)
    assert len(bomb) < 300_000
    with pytest.raises(BrokenImageError, match="16384 x 16384"):
        open_image(bomb)


def test_a_text_that_unpacks_to_too_much_is_refused() -> None:
    texts = PngImagePlugin.PngInfo()
    texts.add_text("comment", "x" * (1 << 24), zip=True)
    bomb = png(Image.new("1", (8, 8)), pnginfo=texts)
    assert len(bomb) < 20_000
    with pytest.raises(BrokenImageError, match="too large"):
        square_pixels(open_image(bomb), 8)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("format_name", FORMATS)
def test_a_damaged_image_is_used_or_refused_and_nothing_else(format_name: str) -> None:
    draws = np.random.default_rng(0)
    whole = png(Image.fromarray(draws.integers(0, 256, (24, 24, 3), dtype=np.uint8)), format_name)
    refused = 0
    for _ in range(200):
        damaged = bytearray(whole)
        for place in draws.integers(0, min(len(whole), 400), 3):
            damaged[place] = draws.integers(256)
        try:
            assert square_pixels(open_image(bytes(damaged)), 8).shape == (3, 8, 8)
        except BrokenImageError:
            refused += 1
    assert refused
