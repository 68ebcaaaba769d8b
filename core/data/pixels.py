"""Turns encoded images into the square pixels that a codec takes; refuses broken and oversized images."""

import io
import struct
import zlib

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, UnidentifiedImageError
from PIL.TiffImagePlugin import TILELENGTH, TILEWIDTH, TiffImageFile

from core.errors import DataError

MAX_PIXELS = 1 << 26
"""Most pixels that an image may state; a larger one is refused before it is unpacked."""
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")

_REMEDY = "Replace the image, or leave it out."
# One file must not end a build of days: besides what Pillow documents, what parsers of damaged files raise.
_DECODER_ERRORS = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    LookupError,
    TypeError,
    ArithmeticError,
    AttributeError,
    RuntimeError,
    struct.error,
    zlib.error,
    AssertionError,
    Image.DecompressionBombError,
)
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""Transposition that turns an image upright, by the orientation in its EXIF data."""


class BrokenImageError(DataError):
    """An image of a source, or its record, cannot be used; a build lists it and goes on."""

    reason = "broken image"
    """Reason under which a report counts the image."""


class TooSmallImageError(BrokenImageError):
    """The image has fewer pixels along one side than codes."""

    reason = "too small"


class NoImageError(BrokenImageError):
    """The source has a caption without an image."""

    reason = "no image"


class NoCaptionError(BrokenImageError):
    """The source has an image without a caption."""

    reason = "no caption"


class BadCaptionError(BrokenImageError):
    """The caption is not text, or is absurdly long."""

    reason = "unusable caption"


class NotDownloadedError(BrokenImageError):
    """The source lists the image, but it could not be downloaded when the source was made."""

    reason = "not downloaded"


def open_image(data: bytes, max_pixels: int = MAX_PIXELS, formats: tuple[str, ...] = FORMATS) -> Image.Image:
    """Read the header of an encoded image; its pixels stay packed.

    Args:
        data: The encoded image.
        max_pixels: Most pixels that the image may state.
        formats: Accepted formats, by the names of Pillow.

    Raises:
        BrokenImageError: the data are damaged, have none of the formats, or state more pixels.
    """
    try:
        image = Image.open(io.BytesIO(data), formats=formats)
        side, tile_side = image.size, _tile_size(image)
    except UnidentifiedImageError as error:
        raise BrokenImageError(f"It is not an image in {', '.join(formats)}.", _REMEDY) from error
    except _DECODER_ERRORS as error:
        raise BrokenImageError(f"It is damaged: {error}.", _REMEDY) from error
    for width, height in (side, tile_side):
        if width * height > max_pixels:
            raise BrokenImageError(f"It states {width} x {height} pixels.", "Make it smaller.")
    return image


def only_pixels(image: Image.Image) -> Image.Image:
    """Return the colours of the first frame of ``image`` alone, without profile, metadata or any other data.

    Raises:
        BrokenImageError: the image is cut short or damaged.
    """
    try:
        image.load()
        colours = image.convert("RGB")
        return Image.frombytes("RGB", colours.size, colours.tobytes())
    except _DECODER_ERRORS as error:
        raise BrokenImageError(f"It is damaged: {error}.", _REMEDY) from error


def square_pixels(image: Image.Image, resolution: int) -> NDArray[np.float32]:
    """Return the centre of ``image`` on white, float32 of shape (3, resolution, resolution) in [0, 1].

    An animation gives its first frame; a photograph is turned upright as its EXIF data says.

    Raises:
        BrokenImageError: the image is cut short or damaged.
    """
    try:
        image.load()
        # Cropped first, and copied only where something changes: less memory for large images.
        square = _in_eight_bits(_centre(_upright(image)))
        flat = _on_white(square) if square.has_transparency_data else _as(square, "RGB")
        scaled = flat.resize((resolution, resolution), Image.Resampling.LANCZOS)
    except _DECODER_ERRORS as error:
        raise BrokenImageError(f"It is damaged: {error}.", _REMEDY) from error
    pixels = np.asarray(scaled, dtype=np.float32) / 255
    return np.ascontiguousarray(pixels.transpose(2, 0, 1))


def _tile_size(image: Image.Image) -> tuple[int, int]:
    """Return width and height of a TIFF's tiles: a small image may have huge tiles, which are unpacked whole."""
    if not isinstance(image, TiffImageFile):
        return 0, 0
    return int(image.tag_v2.get(TILEWIDTH, 0)), int(image.tag_v2.get(TILELENGTH, 0))


def _upright(image: Image.Image) -> Image.Image:
    # Not by ImageOps.exif_transpose: it rewrites the EXIF data, and fails where a camera left odd data.
    try:
        turn = _TURNS.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    except _DECODER_ERRORS:
        turn = None
    return image if turn is None else image.transpose(turn)


def _centre(image: Image.Image) -> Image.Image:
    side = min(image.size)
    if image.size == (side, side):
        return image
    left, top = (image.width - side) // 2, (image.height - side) // 2
    return image.crop((left, top, left + side, top + side))


def _in_eight_bits(image: Image.Image) -> Image.Image:
    # Pillow would cut brighter greys than 255 of 65,535 off to white.
    if not image.mode.startswith("I;16"):
        return image
    return Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))


def _on_white(image: Image.Image) -> Image.Image:
    clear = _as(image, "RGBA")
    return Image.alpha_composite(Image.new("RGBA", clear.size, "white"), clear).convert("RGB")


def _as(image: Image.Image, mode: str) -> Image.Image:
    return image if image.mode == mode else image.convert(mode)
