"""Prepares images, cuts them into batches and encodes these; a resumed build makes the same batches."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.codec.vqgan import ImageCodec
from core.data.building.journal import EncodedBatch, LeftOut
from core.data.images import BrokenImageError, TooSmallImageError, open_image
from core.data.pixels import square_pixels
from core.data.shards import CodeRow, encode_codes
from core.data.sources.source import SourceImage, SourcePlace
from core.errors import CodecError
from core.run.filters import FilterSettings, drop_reason


@dataclass(frozen=True)
class PreparedImage:
    """An image that is ready for the codec."""

    caption: str
    nsfw: str
    splits: tuple[str, ...]
    width: int
    """Width of the original image in pixels."""
    height: int
    """Height of the original image in pixels."""
    source_bytes: int
    """Bytes of the image as the source holds it, encoded."""
    pixels: NDArray[np.float32]
    """Shape (3, resolution, resolution), values in [0, 1]."""
    after: SourcePlace

    def row(self, codes: NDArray[np.int64]) -> CodeRow:
        """Return the row of a shard with the image's caption and its ``codes`` of shape (grid, grid)."""
        return CodeRow(self.caption, encode_codes(codes), self.nsfw, self.width, self.height)


def prepare(
    image: SourceImage, grid: int, downsampling: int, filters: FilterSettings
) -> PreparedImage | LeftOut:
    """Read an image and make it the codec's input; its pixels are unpacked only if it is kept.

    Args:
        image: Image of a source.
        grid: Codes along one side; an image with fewer pixels along one side is left out.
        downsampling: Pixels along one side that one code stands for.
        filters: Rules by which images are left out.

    Returns:
        The codec's input, or the reason why the image is left out.
    """
    try:
        data = image.read()
        opened = open_image(data)
        _require_pixels(opened.size, grid)
        width, height = image.size or opened.size
        reason = drop_reason(image.caption, image.nsfw, width, height, filters)
        if reason:
            return LeftOut(image.name, reason, image.caption, image.after)
        pixels = square_pixels(opened, grid * downsampling)
    except BrokenImageError as error:
        return LeftOut(image.name, error.reason, error.what, image.after)
    return PreparedImage(
        image.caption, image.nsfw, image.splits, width, height, len(data), pixels, image.after
    )


def _require_pixels(size: tuple[int, int], grid: int) -> None:
    if min(size) < grid:
        raise TooSmallImageError(
            f"It has {size[0]} x {size[1]} pixels, fewer than {grid} x {grid} codes stand for.",
            "Replace it by a larger one, or leave it out.",
        )


DEALT_WITH_PER_KEPT = 64
"""Most outcomes in a batch as a multiple of its size: the journal advances even if few images are kept."""

_Batch = list[PreparedImage | LeftOut]


def cut(outcomes: Iterable[PreparedImage | LeftOut], size: int) -> Iterator[_Batch]:
    """Yield batches of outcomes with ``size`` kept images each; the last one may have fewer.

    A batch of few kept images is closed after ``DEALT_WITH_PER_KEPT * size`` outcomes. The codec's result may
    depend on which images it encodes at once, so the same outcomes always give the same batches.
    """
    batch: _Batch = []
    kept = 0
    for outcome in outcomes:
        batch.append(outcome)
        kept += isinstance(outcome, PreparedImage)
        if kept == size or len(batch) == DEALT_WITH_PER_KEPT * size:
            yield batch
            batch, kept = [], 0
    if batch:
        yield batch


def encode(batch: _Batch, codec: ImageCodec) -> EncodedBatch:
    """Encode the kept images of a batch with the codec, and return the batch as the journal takes it.

    Raises:
        CodecError: the GPU has too little memory for so many images at once.
    """
    kept = [outcome for outcome in batch if isinstance(outcome, PreparedImage)]
    rows: list[tuple[str, CodeRow]] = []
    if kept:
        pixels = torch.from_numpy(np.stack([image.pixels for image in kept]))
        try:
            codes = codec.encode(pixels).cpu().numpy()
        except torch.OutOfMemoryError as error:
            raise CodecError(
                f"The GPU has too little memory for {len(kept)} images at once.",
                "Start again with a smaller --batch-size and --restart.",
            ) from error
        for image, code in zip(kept, codes, strict=True):
            rows += [(split, image.row(code)) for split in image.splits]
    left_out = [outcome for outcome in batch if isinstance(outcome, LeftOut)]
    return EncodedBatch(rows, len(kept), sum(image.source_bytes for image in kept), left_out, batch[-1].after)
