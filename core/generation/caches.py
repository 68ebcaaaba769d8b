"""Caches of the codes so far: keys and values that attention can still see, and channels that token shift moves.

All shapes are the same from the first code to the last. Positions are numbers, for which caches give views, or
tensors of one element, for which they give copies: a CUDA graph reads its position from such a tensor.
"""

from collections.abc import Mapping
from typing import NamedTuple, Self

import torch
from torch import Tensor

from core.generation.cache_layout import CodePosition, Slots
from core.model.config import AttentionPattern


class Slices:
    """A tensor indexed by its first dimension. Views are made once: each takes as long as a small product."""

    def __init__(self, whole: Tensor) -> None:
        """Make views of ``whole``, of shape (slices, ...), whose memory they share."""
        self._whole, self._views = whole, whole.unbind(0)

    def __getitem__(self, index: CodePosition) -> Tensor:
        return self._views[index] if isinstance(index, int) else self._whole[index].squeeze(0)

    def put(self, index: CodePosition, value: Tensor) -> None:
        """Write ``value``, of the shape of a slice, to the slice at ``index``."""
        if isinstance(index, int):
            self._views[index].copy_(value)
        else:
            self._whole[index] = value


class Visible(NamedTuple):
    """The place where a pattern's layers keep a code, and the kept codes that it sees."""

    line: CodePosition
    slot: CodePosition
    near: slice
    """Range of slots of the line that contains all that is seen."""
    mask: Tensor
    """Term of the scores of the slots in ``near``, of shape (slots,): 0, or -inf where a slot is not seen."""


class Visibility:
    """The codes that a pattern sees from each position, for all its layers."""

    def __init__(self, slots: Slots, like: Tensor) -> None:
        """Compute the masks of all positions, (grid * grid, slots of a line).

        Args:
            slots: Layout of the pattern's caches.
            like: Tensor of any shape that has the type and the device of scores.
        """
        positions, places = torch.arange(slots.grid**2)[:, None], torch.arange(slots.length)
        visible = torch.as_tensor(slots.sees(positions, places), device=like.device)
        self._slots = slots
        self._masks = Slices(like.new_zeros(visible.shape).masked_fill_(~visible, float("-inf")))

    def at(self, position: CodePosition) -> Visible:
        """Return what the code at ``position`` sees; its mask has the shape (slots,) of the slots near it."""
        slots = self._slots
        near = slots.near(position) if isinstance(position, int) else slice(0, slots.length)
        return Visible(slots.line(position), slots.slot(position), near, self._masks[position][near])


class AttentionCache:
    """Keys and values of one layer; n are the heads of all images."""

    def __init__(self, slots: Slots, n: int, dim_head: int, like: Tensor) -> None:
        """Allocate keys and values, (lines, 2, n, slots of a line, dim_head), as zeros.

        Args:
            slots: Layout of the layer's pattern.
            n: Number of images times the heads of the layer.
            dim_head: Channels of a head.
            like: Tensor of any shape that has the type and the device of keys and values.
        """
        self._kept = like.new_zeros(slots.lines, 2, n, slots.length, dim_head)
        self._lines = Slices(self._kept)

    def extend(self, new: Tensor, visible: Visible) -> tuple[Tensor, Tensor]:
        """Take in the key and value of a code; return the keys and values near it, each (n, slots, dim_head).

        Args:
            new: Key and value, (2, n, dim_head).
            visible: Where the code is kept, and which slots are near it.
        """
        if isinstance(visible.slot, int):
            self._lines[visible.line][:, :, visible.slot] = new
        else:
            self._kept[visible.line, :, :, visible.slot] = new
        keys, values = self._lines[visible.line][:, :, visible.near].unbind(0)
        return keys, values


class ShiftSlots(NamedTuple):
    """Slots of a `ShiftCache`: that of a code, and those of the codes that it takes channels from."""

    here: CodePosition
    above: CodePosition
    left: CodePosition

    @classmethod
    def of(cls, position: CodePosition, grid: int) -> Self:
        """Return the slots of the code at ``position`` in an image of ``grid`` codes on a side.

        The ``grid + 1`` slots from the code above to this one are used in turns. The slot after them is never
        written and stands for the zeros left of the first column.
        """
        ring = grid + 1
        left, outside = (position - 1) % ring, position % grid == 0
        return cls(position % ring, (position - grid) % ring, left + (ring - left) * outside)


class ShiftCache:
    """Channels of the newest codes that token shift moves, for one sublayer; zeros before the first code."""

    def __init__(self, grid: int, images: int, dim: int, like: Tensor) -> None:
        """Allocate the channels, (grid + 2, images, dim / 2), as zeros.

        Args:
            grid: Codes along one side of an image.
            images: Number of images that are drawn at once.
            dim: Channels of the stream, of which token shift moves the first half.
            like: Tensor of any shape that has the type and the device of the channels.
        """
        kept = like.new_zeros(grid + 2, images, dim // 2)
        down, right = kept.chunk(2, dim=2)
        self._kept, self._down, self._right = Slices(kept), Slices(down), Slices(right)

    def shift(self, x: Tensor, slots: ShiftSlots) -> Tensor:
        """Return the token shift of a code ``x``, (images, dim), as `core.model.ends.token_shift` computes it.

        ``slots`` are those of the code's position.
        """
        moved, stays = x.chunk(2, dim=1)
        self._kept.put(slots.here, moved)
        return torch.cat([self._down[slots.above], self._right[slots.left], stays], dim=1)


class AtPosition(NamedTuple):
    """Values that depend on the position alone, for all sublayers."""

    rotation: Tensor
    """Complex factors of queries (scaled), keys and values: (3, 1, 1, 1, dim_head / 2)."""
    visible: Mapping[AttentionPattern, Visible]
    shift: ShiftSlots
