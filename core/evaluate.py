"""What a trained model memorised and what generalises, by pictures it saw and combinations it never saw.

A combination is a thing with an attribute, such as "red heart" or "thumbs up, dark skin tone". Held-out
combinations are in no training row, though their thing and their attribute are, each with other partners.
"""

import random
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from core.codec.vqgan import ImageCodec
from core.errors import DataError
from core.model.transformer import Transformer

_TONED = re.compile(r"(?P<thing>[^,]+), (?P<tone>[a-z-]+) skin tone(?P<rest>.*)")
_DECODED_TOGETHER = 64


@dataclass(frozen=True)
class Combination:
    """What a caption names; of captions that combine nothing the whole is the thing."""

    thing: str
    attribute: str = ""

    @classmethod
    def parse(cls, caption: str, shapes: Mapping[str, Collection[str]]) -> "Combination":
        """Take "THING, TONE skin tone" or "COLOUR SHAPE" apart; ``shapes`` has the colours of each shape."""
        if toned := _TONED.fullmatch(caption):
            return cls(toned["thing"] + toned["rest"], toned["tone"])
        colour, _, shape = caption.rpartition(" ")
        return cls(shape, colour) if colour in shapes.get(shape, ()) else cls(caption)

    def is_variant_of(self, other: "Combination") -> bool:
        """Whether it is the same thing with another attribute."""
        return self.thing == other.thing and bool(self.attribute) and self.attribute != other.attribute

    def is_unlike(self, other: "Combination") -> bool:
        """Whether neither thing nor attribute is the same."""
        return self.thing != other.thing and self.attribute != other.attribute


@dataclass(frozen=True)
class Rows:
    """Captions, their pictures' codes, int64 (rows, grid * grid), and what the captions combine.

    The last ``heldout`` rows were not trained on; rows are named by their index.
    """

    captions: tuple[str, ...]
    codes: Tensor
    combinations: tuple[Combination, ...]
    heldout: int

    @property
    def seen_rows(self) -> list[int]:
        return list(range(len(self.captions) - self.heldout))

    @property
    def heldout_rows(self) -> list[int]:
        return list(range(len(self.captions) - self.heldout, len(self.captions)))

    def variants(self, seed: int = 0) -> list[int]:
        """For each held-out row a seen one of the same thing with another attribute, each row once if it can be.

        Raises:
            DataError: a held-out thing was never seen, so that nothing could have been learned of it.
        """
        return self._partners(self.seen_rows, Combination.is_variant_of, seed)

    def strangers(self, seed: int = 0) -> list[int]:
        """For each held-out row another held-out one, unlike in thing and attribute; DataError if none is."""
        return self._partners(self.heldout_rows, Combination.is_unlike, seed)

    def _partners(
        self, candidates: list[int], fits: Callable[[Combination, Combination], bool], seed: int
    ) -> list[int]:
        draws, times_taken = random.Random(seed), [0] * len(self.captions)
        partners = []
        for row in self.heldout_rows:
            fitting = [
                other for other in candidates if fits(self.combinations[other], self.combinations[row])
            ]
            if not fitting:
                raise DataError(
                    f'There is no row to compare the held-out "{self.captions[row]}" with.',
                    "Hold out combinations whose parts occur in other rows.",
                )
            fewest = min(times_taken[other] for other in fitting)
            partner = draws.choice([other for other in fitting if times_taken[other] == fewest])
            times_taken[partner] += 1
            partners.append(partner)
        return partners


@torch.no_grad()
def image_losses(model: Transformer, text: Tensor, codes: Tensor, batch: int = 64) -> Tensor:
    """Cross-entropy of each row's codes in nats per code: float (rows,).

    ``text`` is int64 (rows, text_length), ``codes`` int64 (rows, grid * grid).
    """
    losses = []
    for words, targets in zip(text.split(batch), codes.split(batch), strict=True):
        logits = model.logits(words, targets)[1].float()
        losses.append(F.cross_entropy(logits.mT, targets, reduction="none").mean(dim=1))
    return torch.cat(losses)


@dataclass(frozen=True)
class Likeness:
    """Shares of drawings, in [0, 1], by the picture that each is nearest to."""

    picture: float
    """It is the very picture that was asked for."""
    thing: float
    """It shows the right thing, whatever its attribute."""
    attribute: float
    """It has the right attribute, whatever the thing."""


class Gallery:
    """The pictures of all rows, as the codec shows them, to find the nearest to a drawing.

    Rows with equal codes share one picture, and a drawing next to it counts as each of them in equal parts.
    """

    def __init__(self, rows: Rows, codec: ImageCodec) -> None:
        self._rows = rows
        self._codec = codec
        distinct, self._picture_of = torch.unique(rows.codes, dim=0, return_inverse=True)
        self._pictures = self._pixels(distinct)

    def nearest(self, codes: Tensor) -> Tensor:
        """Which rows' picture is nearest, by Euclidean distance of pixels, to each drawing's.

        Takes codes, int64 (drawings, grid * grid); gives float (drawings, rows), each drawing adding up to 1.
        """
        # Squares in float32 by matrix products would cancel where pictures are almost equal.
        exactly = "donot_use_mm_for_euclid_dist"
        distances = torch.cdist(self._pixels(codes), self._pictures, compute_mode=exactly)
        theirs: Tensor = (distances.argmin(dim=1)[:, None] == self._picture_of).float()
        return theirs / theirs.sum(dim=1, keepdim=True)

    def anywhere(self, drawings: int) -> Tensor:
        """As ``nearest`` for drawings that may be anything: any row is as likely."""
        rows = len(self._rows.captions)
        return torch.full((drawings, rows), 1 / rows)

    def likeness(self, nearest: Tensor, targets: Sequence[int]) -> Likeness:
        """How far drawings, by their nearest rows, are what the target rows, one for each, show."""
        right = [self._combinations_like(row) for row in targets]
        same_picture = self._picture_of[list(targets)][:, None] == self._picture_of
        return Likeness(
            picture=_share(nearest, same_picture),
            thing=_share(nearest, torch.tensor([things for things, _ in right])),
            attribute=_share(nearest, torch.tensor([attributes for _, attributes in right])),
        )

    def _combinations_like(self, row: int) -> tuple[list[bool], list[bool]]:
        """For all rows: whether they share its thing, and whether they share its attribute."""
        wanted, all_rows = self._rows.combinations[row], self._rows.combinations
        return [one.thing == wanted.thing for one in all_rows], [
            one.attribute == wanted.attribute for one in all_rows
        ]

    def _pixels(self, codes: Tensor) -> Tensor:
        """Pictures as rows of pixels: float (n, 3 * height * width)."""
        grid = round(codes.shape[1] ** 0.5)
        parts = codes.view(-1, grid, grid).split(_DECODED_TOGETHER)
        return torch.cat([self._codec.decode(part).flatten(1) for part in parts])


def _share(nearest: Tensor, right: Tensor) -> float:
    return float((nearest * right).sum(dim=1).mean())
