"""Opens encoded images, and refuses those that are broken or too large, before and while they are unpacked."""

import io
import struct
import zlib

from PIL import Image, UnidentifiedImageError
from PIL.TiffImagePlugin import TILELENGTH, TILEWIDTH, TiffImageFile

from core.errors import DataError

MAX_PIXELS = 1 << 26
"""Most pixels that an image may state; a larger one is refused before it is unpacked."""
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
REPLACE = "Replace the image, or leave it out."
"""Remedy for an image that cannot be used."""
DECODER_ERRORS = (
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
"""Errors of opening and unpacking an image: besides what Pillow documents, those of parsers of damaged files.

One file must not end a build of days.
"""


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
        raise BrokenImageError(f"It is not an image in {', '.join(formats)}.", REPLACE) from error
    except DECODER_ERRORS as error:
        raise BrokenImageError(f"It is damaged: {error}.", REPLACE) from error
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
    except DECODER_ERRORS as error:
        raise BrokenImageError(f"It is damaged: {error}.", REPLACE) from error


def _tile_size(image: Image.Image) -> tuple[int, int]:
    """Return width and height of a TIFF's tiles: a small image may have huge tiles, which are unpacked whole."""
    if not isinstance(image, TiffImageFile):
        return 0, 0
    return int(image.tag_v2.get(TILEWIDTH, 0)), int(image.tag_v2.get(TILELENGTH, 0))
