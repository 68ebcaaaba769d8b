"""Encoded images to the square pixels that a codec takes, with broken and oversized images refused."""

import io
import struct
import zlib

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from core.errors import DataError

MAX_PIXELS = 1 << 26
"""An image that states more is refused before it is unpacked."""
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
)


class BrokenImageError(DataError):
    """One image of a source cannot be used; a build lists it and goes on."""

    reason = "broken image"
    """What a report counts it as."""


class NotDownloadedError(BrokenImageError):
    """The source knows of the image, but whoever made the source could not get it."""

    reason = "not downloaded"


def open_image(data: bytes, max_pixels: int = MAX_PIXELS) -> Image.Image:
    """Reads the header of an encoded image; its pixels stay packed.

    Raises:
        BrokenImageError: it is no image in one of ``FORMATS``, or states more than ``max_pixels``.
    """
    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
    except UnidentifiedImageError as error:
        raise BrokenImageError(f"It is no image in {', '.join(FORMATS)}.", _REMEDY) from error
    except (*_DECODER_ERRORS, Image.DecompressionBombError) as error:
        raise BrokenImageError(f"It is damaged: {error}.", _REMEDY) from error
    if image.width * image.height > max_pixels:
        raise BrokenImageError(f"It states {image.width} x {image.height} pixels.", "Make it smaller.")
    return image


def square_pixels(image: Image.Image, resolution: int) -> NDArray[np.float32]:
    """The centre of the image on white, float32 of shape (3, resolution, resolution) in [0, 1].

    An animation gives its first frame; a photograph is turned upright as its EXIF data says.

    Raises:
        BrokenImageError: the image is cut short or damaged.
    """
    try:
        # Cropped first, and on white only where something shows through: less memory for large images.
        square = _centre(ImageOps.exif_transpose(image))
        flat = _on_white(square) if square.has_transparency_data else square.convert("RGB")
    except _DECODER_ERRORS as error:
        raise BrokenImageError(f"It is damaged: {error}.", _REMEDY) from error
    scaled = flat.resize((resolution, resolution), Image.Resampling.LANCZOS)
    pixels = np.asarray(scaled, dtype=np.float32) / 255
    return np.ascontiguousarray(pixels.transpose(2, 0, 1))


def _on_white(image: Image.Image) -> Image.Image:
    clear = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", clear.size, "white"), clear).convert("RGB")


def _centre(image: Image.Image) -> Image.Image:
    side = min(image.size)
    left, top = (image.width - side) // 2, (image.height - side) // 2
    return image.crop((left, top, left + side, top + side))
