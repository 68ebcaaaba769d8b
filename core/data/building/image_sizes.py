"""Measures the images of a source: their bytes as they come, and as JPEG of the size that a model sees."""

import io
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

import numpy as np
from PIL import Image

from core.data.images import BrokenImageError, open_image
from core.data.pixels import square_pixels
from core.data.sources.source import SourceImage
from core.run.filters import FilterSettings, drop_reason

SIDE = 256
"""Pixels along one side of an image that the paper's codec takes."""
QUALITIES = (75, 90, 95)
IMAGES = 1000


@dataclass(frozen=True)
class ImageSizes:
    """Mean sizes of images, in bytes."""

    images: int
    """Number of images that were measured."""
    source: float
    """Mean bytes of an image as the source holds it, encoded."""
    jpeg: dict[int, float]
    """Mean bytes of an image as JPEG, by quality.

    The centre of each image is scaled to ``SIDE`` pixels, but never enlarged.
    """


def measure_images(source: Iterable[SourceImage], filters: FilterSettings) -> ImageSizes | None:
    """Return the mean sizes of the first `IMAGES` usable images of a source, or None if no image can be used.

    Args:
        source: Images with captions.
        filters: Rules by which images are left out.

    Raises:
        DataError: the source cannot be read.
    """
    measured = islice((sizes for image in source if (sizes := _sizes(image, filters))), IMAGES)
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
