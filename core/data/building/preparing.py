"""What happens to one image before it is encoded: it is read, filtered, and made a square; or it is left out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.data.filters import FilterSettings, drop_reason
from core.data.pixels import BrokenImageError, open_image, square_pixels
from core.data.shards import CodeRow, encode_codes
from core.data.sources.source import Place, SourceImage


@dataclass(frozen=True)
class Prepared:
    """An image that is ready for the codec."""

    caption: str
    nsfw: str
    splits: tuple[str, ...]
    width: int
    height: int
    """Of the original."""
    source_bytes: int
    """That the source's encoding of it takes."""
    pixels: NDArray[np.float32]
    """Of shape (3, resolution, resolution), in [0, 1]."""
    after: Place

    def row(self, codes: NDArray[np.int64]) -> CodeRow:
        """The row of a shard that it becomes."""
        return CodeRow(self.caption, encode_codes(codes), self.nsfw, self.width, self.height)


@dataclass(frozen=True)
class LeftOut:
    """An image that does not get into the shards."""

    name: str
    reason: str
    """A few fixed words, by which reports count."""
    detail: str
    """The caption of a pair that the filters drop, or what is wrong with the image."""
    after: Place


def prepare(image: SourceImage, resolution: int, filters: FilterSettings) -> Prepared | LeftOut:
    """Reads an image and makes it the codec's input; its pixels are unpacked only if the filters keep it."""
    try:
        data = image.read()
        opened = open_image(data)
        width, height = image.size or opened.size
        reason = drop_reason(image.caption, image.nsfw, width, height, filters)
        if reason:
            return LeftOut(image.name, reason, image.caption, image.after)
        pixels = square_pixels(opened, resolution)
    except BrokenImageError as error:
        return LeftOut(image.name, error.reason, error.what, image.after)
    return Prepared(image.caption, image.nsfw, image.splits, width, height, len(data), pixels, image.after)
