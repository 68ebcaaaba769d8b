"""What is kept of the codes so far: what each attention pattern can still see, and what token shift takes from.

All shapes are the same from the first code to the last. Positions are numbers, for which caches give views, or
tensors of one element, for which they give copies: that is how a CUDA graph is told where it is.
"""

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor

from core.generation.slots import Position, Slots
from core.model.config import AttentionPattern


class Shelf:
    """A tensor by its first dimension; views of it are made once, as making one costs as much as a small product."""

    def __init__(self, whole: Tensor) -> None:
        self._whole, self._views = whole, whole.unbind(0)

    def __getitem__(self, place: Position) -> Tensor:
        return self._views[place] if isinstance(place, int) else self._whole[place].squeeze(0)

    def put(self, place: Position, value: Tensor) -> None:
        if isinstance(place, int):
            self._views[place].copy_(value)
        else:
            self._whole[place] = value


class Sight(NamedTuple):
    """Where a pattern's layers write a code, and what it sees there."""

    line: Position
    slot: Position
    near: slice
    """Slots outside of which nothing is seen."""
    mask: Tensor
    """Added to the scores of those: (slots)."""


class Sights:
    """The sights of a pattern from each position, for all its layers."""

    def __init__(self, slots: Slots, like: Tensor) -> None:
        """``like`` has the type and the device of scores."""
        positions, places = torch.arange(slots.grid**2)[:, None], torch.arange(slots.length)
        visible = torch.as_tensor(slots.sees(positions, places), device=like.device)
        self._slots = slots
        self._masks = Shelf(like.new_zeros(visible.shape).masked_fill_(~visible, float("-inf")))

    def at(self, position: Position) -> Sight:
        slots = self._slots
        near = slots.near(position) if isinstance(position, int) else slice(0, slots.length)
        return Sight(slots.line(position), slots.slot(position), near, self._masks[position][near])


class AttentionCache:
    """Keys and values of one layer; n are the heads of all images."""

    def __init__(self, slots: Slots, n: int, dim_head: int, like: Tensor) -> None:
        """``like`` has the type and the device of keys and values."""
        self._kept = like.new_zeros(slots.lines, 2, n, slots.length, dim_head)
        self._lines = Shelf(self._kept)

    def extend(self, new: Tensor, sight: Sight) -> tuple[Tensor, Tensor]:
        """Take the key and the value of a code, (2, n, dim_head); returns those near it, (n, slots, dim_head)."""
        if isinstance(sight.slot, int):
            self._lines[sight.line][:, :, sight.slot] = new
        else:
            self._kept[sight.line, :, :, sight.slot] = new
        keys, values = self._lines[sight.line][:, :, sight.near].unbind(0)
        return keys, values


class Beside(NamedTuple):
    """Slots of a `ShiftCache`: that of a code, of the one above and of the one to the left."""

    here: Position
    above: Position
    left: Position

    @classmethod
    def of(cls, position: Position, grid: int) -> "Beside":
        """A ring has as many slots as codes lie from above to here; the slot after those is always zero."""
        ring = grid + 1
        left = (position - 1) % ring
        return cls(
            position % ring,
            (position - grid) % ring,
            left + (ring - left) * (position % grid == 0),
        )


class ShiftCache:
    """What token shift moves of the newest codes, back to the one above the next, for one sublayer."""

    def __init__(self, grid: int, images: int, dim: int, like: Tensor) -> None:
        """``like`` has the type and the device of what is shifted."""
        kept = like.new_zeros(grid + 2, images, dim // 2)
        down, right = kept.chunk(2, dim=2)
        self._kept, self._down, self._right = Shelf(kept), Shelf(down), Shelf(right)

    def shift(self, x: Tensor, beside: Beside) -> Tensor:
        """What `core.model.token_shift.token_shift` makes of a position, (images, dim)."""
        moved, stays = x.chunk(2, dim=1)
        self._kept.put(beside.here, moved)
        return torch.cat([self._down[beside.above], self._right[beside.left], stays], dim=1)


class Moment(NamedTuple):
    """What all sublayers need to know of the position whose code is taken."""

    rotation: Tensor
    """Complex factors of queries (scaled), keys and values: (3, 1, 1, 1, dim_head / 2)."""
    sights: Mapping[AttentionPattern, Sight]
    beside: Beside
