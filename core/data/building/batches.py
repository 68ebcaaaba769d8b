"""Cuts what was prepared into batches, and encodes them: the same batches however often a build goes on."""

from collections.abc import Iterable, Iterator

import numpy as np
import torch

from core.codec.vqgan import ImageCodec
from core.data.building.journal import Step
from core.data.building.preparing import LeftOut, Prepared
from core.data.shards import CodeRow
from core.errors import CodecError

DEALT_WITH_PER_KEPT = 64
"""Where hardly an image is kept, a batch is closed after so many times its size; the journal moves on with it."""

Batch = list[Prepared | LeftOut]


def cut(outcomes: Iterable[Prepared | LeftOut], size: int) -> Iterator[Batch]:
    """Cuts after every ``size`` images that are kept: the codec's result may depend on what it encodes at once."""
    batch: Batch = []
    kept = 0
    for outcome in outcomes:
        batch.append(outcome)
        kept += isinstance(outcome, Prepared)
        if kept == size or len(batch) == DEALT_WITH_PER_KEPT * size:
            yield batch
            batch, kept = [], 0
    if batch:
        yield batch


def encode(batch: Batch, codec: ImageCodec) -> Step:
    """What the batch comes to in the journal.

    Raises:
        CodecError: the GPU has too little memory for so many images at once.
    """
    kept = [outcome for outcome in batch if isinstance(outcome, Prepared)]
    rows: list[tuple[str, CodeRow]] = []
    if kept:
        pixels = torch.from_numpy(np.stack([image.pixels for image in kept]))
        try:
            codes = codec.encode(pixels).cpu().numpy()
        except torch.OutOfMemoryError as error:
            raise CodecError(
                f"The GPU has too little memory for {len(kept)} images at once.",
                "Begin anew with a smaller --batch-size and --restart.",
            ) from error
        for image, code in zip(kept, codes, strict=True):
            rows += [(split, image.row(code)) for split in image.splits]
    left_out = [outcome for outcome in batch if isinstance(outcome, LeftOut)]
    return Step(rows, len(kept), sum(image.source_bytes for image in kept), left_out, batch[-1].after)
