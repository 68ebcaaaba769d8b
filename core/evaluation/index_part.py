"""A part of an index of training pictures, and its file, which says to which index and place in it it belongs."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from core.data.streaming.windows import CodedSample
from core.errors import DataError
from core.evaluation.caption_keys import Keys, caption_keys
from core.evaluation.cell_colours import Cells, cells_of_all
from core.evaluation.nearest import Embeddings
from core.evaluation.training_pictures import PictureEncoder
from core.storage.files import read_bounded, write_atomically

LARGEST_PART = 64 << 20
"""Largest size of a part's file, in bytes; a larger one is not ours."""
_LONGEST_CAPTION = 300
"""Characters of a caption that are kept."""


@dataclass(frozen=True)
class IndexPart:
    """Some training pictures, in their order."""

    captions: tuple[str, ...]
    keys: Keys
    """Keys of the whole captions, (n,)."""
    codes: NDArray[np.int16]
    """Codes, (n, grid * grid)."""
    images: Embeddings
    """Embeddings of the pictures, (n, d)."""
    texts: Embeddings
    """Embeddings of the captions, (n, d)."""
    cells: Cells
    """Mean colours of the pictures' cells in Oklab, (n, cells, 3)."""

    def picked(self, numbers: Sequence[int]) -> "IndexPart":
        """Return the pictures with those numbers in this part."""
        chosen = list(numbers)
        return IndexPart(
            tuple(self.captions[number] for number in chosen),
            self.keys[chosen],
            self.codes[chosen],
            self.images[chosen],
            self.texts[chosen],
            self.cells[chosen],
        )


@dataclass(frozen=True)
class PartPlace:
    """The place of a part in an index."""

    digest: str
    """Digest of the index's data, codec and ranker."""
    first: int
    """Number of the part's first picture in the index."""
    pictures: int
    """Number of the part's pictures."""


def encoded_part(samples: Sequence[CodedSample], encoder: PictureEncoder) -> IndexPart:
    """Return a part of training pictures; CoreError if a picture or caption cannot be embedded.

    Args:
        samples: Captions, each with the codes of its picture, int64 (grid * grid,).
        encoder: Codec and embeddings.
    """
    codes = np.stack([codes for _, codes in samples])
    images = encoder.pictures(torch.from_numpy(codes.astype(np.int64)))
    captions = tuple(caption for caption, _ in samples)
    return IndexPart(
        tuple(caption[:_LONGEST_CAPTION] for caption in captions),
        caption_keys(captions),
        codes.astype(np.int16),
        encoder.embedder.embed_images(images).numpy(),
        encoder.embedder.embed_texts(captions).numpy(),
        cells_of_all(images),
    )


def joined(parts: Sequence[IndexPart]) -> IndexPart:
    """Return the pictures of several parts, at least one, as one part."""
    captions = tuple(caption for part in parts for caption in part.captions)
    names = ("keys", "codes", "images", "texts", "cells")
    return IndexPart(captions, *(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def write_part(file: Path, part: IndexPart, place: PartPlace) -> None:
    """Write a part to a file, whole or not at all; OSError if that cannot be.

    Args:
        file: File to write.
        part: Pictures of the part.
        place: Place of the part in its index.
    """
    stored: dict[str, NDArray[Any]] = {
        name: getattr(part, name).astype(np.float16) for name in ("images", "texts", "cells")
    }
    stored |= {"captions": _bytes(json.dumps(part.captions)), "keys": part.keys, "codes": part.codes}
    write_atomically(file, save({**stored, "place": _bytes(_identity(place))}))


def read_part(file: Path, place: PartPlace) -> IndexPart:
    """Return the part in ``file``; DataError if it is missing, damaged, or not that of the ``place``."""
    remedy = f"Remove the folder {file.parent}: the index is built again then."
    try:
        stored = load(read_bounded(file, LARGEST_PART))
        found = stored["place"].tobytes().decode()
        part = IndexPart(
            tuple(map(str, json.loads(stored["captions"].tobytes()))),
            stored["keys"].astype(np.int64),
            stored["codes"].astype(np.int16),
            _unit(stored["images"]),
            _unit(stored["texts"]),
            stored["cells"].astype(np.float32),
        )
    except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
        raise DataError(f"The index of training pictures {file} is missing or damaged.", remedy) from error
    sizes = {len(getattr(part, name)) for name in vars(part)}
    if found != _identity(place) or sizes != {place.pictures}:
        raise DataError(f"The index of training pictures {file} is not the part that belongs there.", remedy)
    return part


def _identity(place: PartPlace) -> str:
    return json.dumps([place.digest, place.first, place.pictures])


def _bytes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), np.uint8)


def _unit(half: NDArray[np.float16]) -> Embeddings:
    full = half.astype(np.float32)
    scaled: Embeddings = full / np.linalg.norm(full, axis=1, keepdims=True).clip(1e-6)
    return scaled
