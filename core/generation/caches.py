"""What is kept of the codes so far: what each attention pattern can still see, and what token shift takes from.

All shapes are the same from the first code to the last. Positions are numbers, for which caches give views, or
tensors of one element, for which they give copies: that is how a CUDA graph is told where it is.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from core.generation.slots import Position, Slots


class Seen(NamedTuple):
    """What a code sees of the codes so far in one layer; n are the heads of all images."""

    keys: Tensor
    """(n, slots, dim_head)"""
    values: Tensor
    mask: Tensor
    """Added to the scores: (slots) or (1, slots)."""


class AttentionCache:
    """Keys and values of one layer."""

    def __init__(self, slots: Slots, mask: Tensor, n: int, dim_head: int) -> None:
        """``mask`` is the slots' `additive_mask`, of the type and on the device that the cache is to have."""
        self._slots, self._mask = slots, mask
        self._kept = mask.new_zeros(slots.lines, 2, n, slots.length, dim_head)

    def extend(self, new: Tensor, position: Position) -> Seen:
        """Take the key and the value of a position, (2, n, dim_head); returns what it sees, itself included."""
        line = self._slots.line(position)
        self._kept[line, :, :, self._slots.slot(position)] = new
        near = self._slots.near(position) if isinstance(position, int) else slice(None)
        keys, values = self._kept[line].view(self._kept.shape[1:])[:, :, near].unbind(0)
        return Seen(keys, values, self._mask[position][..., near])


def additive_mask(slots: Slots, like: Tensor) -> Tensor:
    """0 where a code sees a slot of its line and -inf elsewhere, (positions, slots), typed ``like`` that."""
    positions, places = torch.arange(slots.grid**2)[:, None], torch.arange(slots.length)
    visible = torch.as_tensor(slots.sees(positions, places), device=like.device)
    return like.new_zeros(visible.shape).masked_fill_(~visible, float("-inf"))


class ShiftCache:
    """What token shift moves of the newest codes, back to the one above the next, for one sublayer."""

    def __init__(self, grid: int, images: int, dim: int, like: Tensor) -> None:
        """``like`` has the type and the device of what is shifted."""
        # A ring of codes, and a slot of zeros for what lies outside of the image.
        self._grid, self._ring = grid, grid + 1
        self._kept = like.new_zeros(self._ring + 1, images, dim // 2)

    def shift(self, x: Tensor, position: Position) -> Tensor:
        """What `core.model.token_shift.token_shift` makes of that position, (images, dim)."""
        half, quarter = x.shape[1] // 2, x.shape[1] // 4
        self._kept[position % self._ring] = x[:, :half]
        left = (position - 1) % self._ring
        left = left + (self._ring - left) * (position % self._grid == 0)
        above = self._kept[(position - self._grid) % self._ring].view(-1, half)[:, :quarter]
        beside = self._kept[left].view(-1, half)[:, quarter:]
        return torch.cat([above, beside, x[:, half:]], dim=1)
