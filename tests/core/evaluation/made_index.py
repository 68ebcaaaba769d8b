"""An index of training pictures whose embeddings and colours are known, and drawings to compare with it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.evaluation.caption_keys import caption_keys
from core.evaluation.cell_colours import cells_of_all
from core.evaluation.drawings import PromptDrawings
from core.evaluation.index import PictureIndex, SeenShards
from core.evaluation.index_part import IndexPart, PartPlace, write_part
from core.evaluation.nearest import Embeddings
from tests.swarms.tiny_run import MODEL

DIGEST = "made"
SIDE = 16


def vectors(*rows: Sequence[float]) -> Embeddings:
    """Return rows as embeddings of length 1."""
    found = np.array(rows, np.float32)
    scaled: Embeddings = found / np.linalg.norm(found, axis=1, keepdims=True)
    return scaled


def plain_picture(level: float) -> Tensor:
    """Return a picture of one grey, floats (3, SIDE, SIDE)."""
    return torch.full((3, SIDE, SIDE), level)


class CountedIndex(PictureIndex):
    """An index that counts how often all of it was read."""

    passes = 0

    def parts(self) -> Iterator[IndexPart]:
        self.passes += 1
        return super().parts()


def made_index(
    folder: Path, captions: Sequence[str], texts: Embeddings, images: Embeddings, pictures: Sequence[Tensor]
) -> CountedIndex:
    """Write an index of two parts; each picture has codes of its own."""
    codes = np.arange(len(captions), dtype=np.int16)[:, None].repeat(MODEL.image_length, axis=1)
    cells = cells_of_all(torch.stack(list(pictures)))
    whole = IndexPart(tuple(captions), caption_keys(captions), codes, images, texts, cells)
    first, counts = 0, [len(captions) - 2, 2]
    for number, count in enumerate(counts):
        part = whole.picked(range(first, first + count))
        write_part(folder / f"part-{number:05d}.safetensors", part, PartPlace(DIGEST, first, count))
        first += count
    return CountedIndex(folder, DIGEST, counts, len(captions), SeenShards(1, 0, 1), is_whole=True)


def drawing(text: Embeddings, image: Embeddings, picture: Tensor) -> PromptDrawings:
    """Return one drawing of a prompt."""
    pixels: NDArray[np.uint8] = (picture * 255).round().byte().numpy()
    return PromptDrawings(np.array([0]), image, text, pixels)
