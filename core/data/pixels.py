"""Turns images into the square pixels that a codec takes."""

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image

from core.data.images import DECODER_ERRORS, REPLACE, BrokenImageError

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
    except DECODER_ERRORS as error:
        raise BrokenImageError(f"It is damaged: {error}.", REPLACE) from error
    pixels = np.asarray(scaled, dtype=np.float32) / 255
    return np.ascontiguousarray(pixels.transpose(2, 0, 1))


def _upright(image: Image.Image) -> Image.Image:
    # Not by ImageOps.exif_transpose: it rewrites the EXIF data, and fails where a camera left odd data.
    try:
        turn = _TURNS.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    except DECODER_ERRORS:
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
