"""What is kept of the codes so far: what each attention pattern can still see, and what token shift takes from.

All shapes are the same from the first code to the last. Positions are numbers, for which caches give views, or
tensors of one element, for which they give copies: that is how a CUDA graph is told where it is.
"""

from collections.abc import Mapping
from typing import NamedTuple, Self

import torch
from torch import Tensor

from core.generation.slots import Position, Slots
from core.model.config import AttentionPattern


class Slices:
    """A tensor by its first dimension. Views are made once: making one takes as long as a small product."""

    def __init__(self, whole: Tensor) -> None:
        self._whole, self._views = whole, whole.unbind(0)

    def __getitem__(self, index: Position) -> Tensor:
        return self._views[index] if isinstance(index, int) else self._whole[index].squeeze(0)

    def put(self, index: Position, value: Tensor) -> None:
        if isinstance(index, int):
            self._views[index].copy_(value)
        else:
            self._whole[index] = value


class Visible(NamedTuple):
    """Where a pattern's layers keep a code, and what it sees of what they keep."""

    line: Position
    slot: Position
    near: slice
    """Slots of the line outside of which nothing is seen."""
    mask: Tensor
    """Added to the scores of those near: 0, or -inf where nothing is seen, (slots)."""


class Visibility:
    """What a pattern sees from each position, for all its layers."""

    def __init__(self, slots: Slots, like: Tensor) -> None:
        """``like`` has the type and the device of scores."""
        positions, places = torch.arange(slots.grid**2)[:, None], torch.arange(slots.length)
        visible = torch.as_tensor(slots.sees(positions, places), device=like.device)
        self._slots = slots
        self._masks = Slices(like.new_zeros(visible.shape).masked_fill_(~visible, float("-inf")))

    def at(self, position: Position) -> Visible:
        slots = self._slots
        near = slots.near(position) if isinstance(position, int) else slice(0, slots.length)
        return Visible(slots.line(position), slots.slot(position), near, self._masks[position][near])


class AttentionCache:
    """Keys and values of one layer; n are the heads of all images."""

    def __init__(self, slots: Slots, n: int, dim_head: int, like: Tensor) -> None:
        """``like`` has the type and the device of keys and values."""
        self._kept = like.new_zeros(slots.lines, 2, n, slots.length, dim_head)
        self._lines = Slices(self._kept)

    def extend(self, new: Tensor, visible: Visible) -> tuple[Tensor, Tensor]:
        """Take in a code's key and value, (2, n, dim_head); returns those near it, (n, slots, dim_head)."""
        if isinstance(visible.slot, int):
            self._lines[visible.line][:, :, visible.slot] = new
        else:
            self._kept[visible.line, :, :, visible.slot] = new
        keys, values = self._lines[visible.line][:, :, visible.near].unbind(0)
        return keys, values


class ShiftSlots(NamedTuple):
    """Slots of a `ShiftCache`: of a code, and of those that it takes channels from."""

    here: Position
    above: Position
    left: Position

    @classmethod
    def of(cls, position: Position, grid: int) -> Self:
        """As many slots as codes lie from above to here are used in turns, and the one after them is never."""
        ring = grid + 1
        left, outside = (position - 1) % ring, position % grid == 0
        return cls(position % ring, (position - grid) % ring, left + (ring - left) * outside)


class ShiftCache:
    """What token shift moves of the newest codes, for one sublayer; zeros where there was none."""

    def __init__(self, grid: int, images: int, dim: int, like: Tensor) -> None:
        """``like`` has the type and the device of what is shifted."""
        kept = like.new_zeros(grid + 2, images, dim // 2)
        down, right = kept.chunk(2, dim=2)
        self._kept, self._down, self._right = Slices(kept), Slices(down), Slices(right)

    def shift(self, x: Tensor, slots: ShiftSlots) -> Tensor:
        """What `core.model.token_shift.token_shift` makes of a code, (images, dim)."""
        moved, stays = x.chunk(2, dim=1)
        self._kept.put(slots.here, moved)
        return torch.cat([self._down[slots.above], self._right[slots.left], stays], dim=1)


class AtPosition(NamedTuple):
    """What all sublayers need to know of a position."""

    rotation: Tensor
    """Complex factors of queries (scaled), keys and values: (3, 1, 1, 1, dim_head / 2)."""
    visible: Mapping[AttentionPattern, Visible]
    shift: ShiftSlots
