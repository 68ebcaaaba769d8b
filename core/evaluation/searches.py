"""Searches an index of training pictures: pictures by texts, captions by pictures, and what looks like a drawing.

Each search reads the index once, whatever the number of queries, and holds one part of it in memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.evaluation.caption_keys import Keys, caption_keys, code_keys
from core.evaluation.cell_colours import Cells, changed_shares
from core.evaluation.index import PictureIndex
from core.evaluation.index_part import IndexPart
from core.evaluation.nearest import NOWHERE, Embeddings, Nearest
from core.evaluation.sorting import TextFit


@dataclass(frozen=True)
class OwnRows:
    """The pictures that are no other ones for a query: those of the same caption, and the same picture."""

    captions: Keys
    codes: Keys

    @classmethod
    def of(cls, part: IndexPart) -> "OwnRows":
        """Return the rows of the pictures of ``part``, each a query."""
        return cls(part.keys, code_keys(part.codes))

    def among(self, part: IndexPart) -> NDArray[np.bool_]:
        """Return which pictures of ``part`` are each query's own, (queries, n)."""
        captions = self.captions[:, None] == part.keys
        same: NDArray[np.bool_] = captions | (self.codes[:, None] == code_keys(part.codes))
        return same


def pictures_by_texts(
    index: PictureIndex, texts: Embeddings, count: int, own: OwnRows | None = None
) -> Nearest:
    """Return the training pictures that are nearest to texts.

    Args:
        index: The training pictures.
        texts: Embeddings of the texts, (n, d).
        count: Pictures for each text.
        own: Pictures of each text that do not count; None: all count.
    """
    nearest = Nearest(texts, count)
    for part in index.parts():
        nearest.add(part.images, None if own is None else own.among(part))
    return nearest


def pictures_by_pictures(index: PictureIndex, images: Embeddings, count: int) -> Nearest:
    """Return the training pictures that are nearest to other pictures.

    Args:
        index: The training pictures.
        images: Embeddings of the other pictures, (n, d).
        count: Pictures for each of them.
    """
    nearest = Nearest(images, count)
    for part in index.parts():
        nearest.add(part.images)
    return nearest


def fits(index: PictureIndex, images: Embeddings, texts: Embeddings, captions: Keys) -> list[TextFit]:
    """Return how well pictures fit their texts, beside all other captions of the training data.

    Args:
        index: The training pictures, whose captions are the other ones.
        images: Embeddings of the pictures, (n, d).
        texts: Embeddings of the text of each picture, (n, d).
        captions: Keys of these texts, which are no other captions, (n,).
    """
    # A picture without any other caption fits its own as well as can be.
    best = np.full(len(images), -1, np.float32)
    for part in index.parts():
        own = captions[:, None] == part.keys
        rivals = np.where(own, np.float32(-1), images @ part.texts.T)
        best = np.maximum(best, rivals.max(axis=1))
    scores = np.clip((images * texts).sum(axis=1), -1, 1)
    return [
        TextFit(score=float(score), margin=float(score - rival))
        for score, rival in zip(scores, best, strict=True)
    ]


@dataclass(frozen=True)
class MostSimilarPicture:
    """The training picture that looks most like a drawing."""

    place: int
    """Number of the picture in the index."""
    changed: float
    """Share of the cells in which both visibly differ."""
    changed_from_own: float | None = None
    """Smallest such share among the training pictures of the drawing's own caption; None: there are none."""


def most_similar_pictures(index: PictureIndex, drawings: Cells, captions: Keys) -> list[MostSimilarPicture]:
    """Return the training picture that looks most like each drawing.

    Args:
        index: The training pictures.
        drawings: Cells of the drawings, (n, cells, 3).
        captions: Keys of their prompts, (n,).
    """
    best, before = [MostSimilarPicture(NOWHERE, np.inf)] * len(drawings), 0
    for part in index.parts():
        own = captions[:, None] == part.keys
        for number, cells in enumerate(drawings):
            best[number] = _more_alike(best[number], changed_shares(cells, part.cells), own[number], before)
        before += len(part.captions)
    return best


def _more_alike(
    best: MostSimilarPicture, shares: NDArray[np.float32], own: NDArray[np.bool_], before: int
) -> MostSimilarPicture:
    """Return ``best``, or what is better in a part with these ``shares``; ``before`` pictures came before it."""
    place = int(shares.argmin())
    if shares[place] < best.changed:
        best = replace(best, place=before + place, changed=float(shares[place]))
    if own.any():
        least = float(shares[own].min())
        before_it = best.changed_from_own
        best = replace(best, changed_from_own=least if before_it is None else min(least, before_it))
    return best


def known_captions(index: PictureIndex, texts: Sequence[str]) -> list[bool]:
    """Return which texts are captions of the training data.

    Args:
        index: The training pictures with their captions.
        texts: Texts to look for.
    """
    wanted, known = caption_keys(texts), set[int]()
    for part in index.parts():
        known |= set(part.keys.tolist()) & set(wanted.tolist())
    return [int(key) in known for key in wanted]
