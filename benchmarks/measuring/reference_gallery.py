"""Compares drawings with seen pictures and held-out combinations: what a model memorised, and what it generalises.

Held-out combinations are in no training row, though their thing and their attribute are, each with other partners.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from assets.embedded.recipe.combination import Combination
from core.codec.vqgan import ImageCodec

_DECODED_TOGETHER = 64


@dataclass(frozen=True)
class EvaluationRows:
    """Captions, their pictures' codes, int64 (rows, grid * grid), and what the captions combine.

    The last ``heldout`` rows were not trained on; rows are named by their index.
    """

    captions: tuple[str, ...]
    codes: Tensor
    combinations: tuple[Combination, ...]
    heldout: int

    @property
    def seen_rows(self) -> list[int]:
        """Indices of the rows that were trained on."""
        return list(range(len(self.captions) - self.heldout))

    @property
    def heldout_rows(self) -> list[int]:
        """Indices of the rows that were not trained on."""
        return list(range(len(self.captions) - self.heldout, len(self.captions)))


@dataclass(frozen=True)
class Likeness:
    """Shares of drawings, in [0, 1], by the picture that each is nearest to."""

    picture: float
    """Share that is nearest to the picture that was asked for."""
    thing: float
    """Share that shows the right thing with any attribute."""
    attribute: float
    """Share that has the right attribute on any thing."""


class ReferenceGallery:
    """The pictures of all rows, as the codec shows them, for finding the one nearest to a drawing.

    Rows with equal codes share one picture; a drawing nearest to it counts for each of them in equal parts.
    """

    def __init__(self, rows: EvaluationRows, codec: ImageCodec) -> None:
        self._rows = rows
        self._codec = codec
        distinct, self._picture_of = torch.unique(rows.codes, dim=0, return_inverse=True)
        self._pictures = self._pixels(distinct)

    def nearest(self, codes: Tensor) -> Tensor:
        """Return the share of each drawing that falls to each row, float (drawings, rows).

        The shares of a drawing add up to 1: it falls to the rows whose picture is nearest by Euclidean
        distance of pixels. ``codes`` are those of the drawings, int64 (drawings, grid * grid).
        """
        # Squares in float32 by matrix products would cancel where pictures are almost equal.
        exactly = "donot_use_mm_for_euclid_dist"
        distances = torch.cdist(self._pixels(codes), self._pictures, compute_mode=exactly)
        theirs: Tensor = (distances.argmin(dim=1)[:, None] == self._picture_of).float()
        return theirs / theirs.sum(dim=1, keepdim=True)

    def anywhere(self, drawings: int) -> Tensor:
        """Return the result of ``nearest`` for ``drawings`` drawings that resemble all rows equally.

        Its shape is (drawings, rows), and each element 1 / rows.
        """
        rows = len(self._rows.captions)
        return torch.full((drawings, rows), 1 / rows)

    def likeness(self, nearest: Tensor, targets: Sequence[int]) -> Likeness:
        """Return the shares of drawings that show what their target rows show.

        Args:
            nearest: Result of ``nearest``, (drawings, rows).
            targets: Index of the target row of each drawing.
        """
        right = [self._combinations_like(row) for row in targets]
        same_picture = self._picture_of[list(targets)][:, None] == self._picture_of
        return Likeness(
            picture=_share(nearest, same_picture),
            thing=_share(nearest, torch.tensor([things for things, _ in right])),
            attribute=_share(nearest, torch.tensor([attributes for _, attributes in right])),
        )

    def _combinations_like(self, row: int) -> tuple[list[bool], list[bool]]:
        """Return for all rows if they share the row's thing, and if they share its attribute."""
        wanted, all_rows = self._rows.combinations[row], self._rows.combinations
        return [one.thing == wanted.thing for one in all_rows], [
            one.attribute == wanted.attribute for one in all_rows
        ]

    def _pixels(self, codes: Tensor) -> Tensor:
        """Return the pictures as rows of pixels, float (n, 3 * height * width)."""
        grid = round(codes.shape[1] ** 0.5)
        parts = codes.view(-1, grid, grid).split(_DECODED_TOGETHER)
        return torch.cat([self._codec.decode(part).flatten(1) for part in parts])


def _share(nearest: Tensor, right: Tensor) -> float:
    return float((nearest * right).sum(dim=1).mean())
