"""What the images of a source take as they come, and as JPEG of the size that a model sees, over some of them."""

import io
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

import numpy as np
from PIL import Image

from core.data.filters import FilterSettings, drop_reason
from core.data.pixels import BrokenImageError, open_image, square_pixels
from core.data.sources.source import SourceImage

SIDE = 256
"""Pixels: what the paper's codec sees."""
QUALITIES = (75, 90, 95)
IMAGES = 1000


@dataclass(frozen=True)
class ImageSizes:
    """Means in bytes."""

    images: int
    """Over how many; the first of the source that the filters keep."""
    source: float
    """As the source holds them, encoded."""
    jpeg: dict[int, float]
    """By quality: centre crop, at ``SIDE`` pixels, or at their own size where that is smaller."""


def measure_images(
    source: Iterable[SourceImage], filters: FilterSettings, images: int = IMAGES
) -> ImageSizes | None:
    """Encodes as many images of the source; None if it has none that can be used.

    Raises:
        DataError: as the source does.
    """
    measured = islice((sizes for image in source if (sizes := _sizes(image, filters))), images)
    rows = np.array(list(measured), dtype=np.float64)
    if not len(rows):
        return None
    in_source, *as_jpeg = rows.mean(axis=0).tolist()
    return ImageSizes(len(rows), in_source, dict(zip(QUALITIES, as_jpeg, strict=True)))


def _sizes(image: SourceImage, filters: FilterSettings) -> tuple[int, ...] | None:
    try:
        data = image.read()
        opened = open_image(data)
        if drop_reason(image.caption, image.nsfw, *(image.size or opened.size), filters):
            return None
        pixels = square_pixels(opened, min(SIDE, *opened.size))
    except BrokenImageError:
        return None
    picture = Image.fromarray((pixels.transpose(1, 2, 0) * 255).round().astype(np.uint8))
    return len(data), *(_jpeg_bytes(picture, quality) for quality in QUALITIES)


def _jpeg_bytes(picture: Image.Image, quality: int) -> int:
    encoded = io.BytesIO()
    picture.save(encoded, "JPEG", quality=quality)
    return encoded.tell()
