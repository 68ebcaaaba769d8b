"""Queries, keys and values taken apart by head and line, rotated on the way, and outputs put together again.

Each way is one pass over memory; rotating, splitting and transposing one by one takes three or more.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


class Layout(NamedTuple):
    """How positions are laid out: the text, then whole rows of the image, read by rows or by columns."""

    text_positions: int
    grid: int
    by_columns: bool

    def text(self, x: Tensor) -> Tensor:
        """View (batch, positions, heads, d) as (batch, heads, text positions, d)."""
        return x[:, : self.text_positions].transpose(1, 2)

    def image(self, x: Tensor) -> Tensor:
        """View (batch, positions, heads, d) as (batch, heads, lines, places in a line, d)."""
        by_row: Tensor = x[:, self.text_positions :].unflatten(1, (-1, self.grid))
        return by_row.permute(0, 3, 2, 1, 4) if self.by_columns else by_row.permute(0, 3, 1, 2, 4)


class Heads(NamedTuple):
    """Queries (scaled), keys and values, all rotated.

    Text: (batch, heads, text positions, dim_head). Image: (batch, heads, lines, places in a line, dim_head).
    """

    text_query: Tensor
    text_key: Tensor
    text_value: Tensor
    image_query: Tensor
    image_key: Tensor
    image_value: Tensor


def split_heads(qkv: Tensor, table: Tensor, layout: Layout) -> Heads:
    """Rotate and take apart ``qkv`` of shape (batch, positions, 3 * heads * dim_head).

    ``table`` is that of ``core.model.rotary.rotation_table``. Values are turned too, as in dalle-pytorch.
    """
    return Heads(*_SplitHeads.apply(qkv, table, layout))  # type: ignore[no-untyped-call]


def merge_heads(text: Tensor, image: Tensor, layout: Layout) -> Tensor:
    """Put outputs laid out as in :class:`Heads` together: (batch, positions, heads * dim_head)."""
    merged: Tensor = _MergeHeads.apply(text, image, layout)  # type: ignore[no-untyped-call]
    return merged


def _complex(x: Tensor) -> Tensor:
    """Pairs of channels as complex numbers, which torch computes with in float32 and float64."""
    x = x if x.dtype == torch.float64 else x.float()
    return torch.view_as_complex(x.contiguous().unflatten(-1, (-1, 2)))


def _parts(pairs: Tensor, layout: Layout) -> Iterator[Tensor]:
    """Views of (batch, positions, 3, heads, pairs) in the order of :class:`Heads`."""
    roles = pairs.unbind(2)
    yield from map(layout.text, roles)
    yield from map(layout.image, roles)


def _factors(table: Tensor, positions: int, layout: Layout, dtype: torch.dtype) -> Iterator[Tensor]:
    """Complex factors that broadcast to each of the parts; those of queries scale the dot product as well."""
    other = torch.view_as_complex(table[None, :positions, None].to(dtype))
    query = other * (2 * table.shape[1]) ** -0.5
    yield from map(layout.text, (query, other, other))
    yield from map(layout.image, (query, other, other))


class _SplitHeads(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, qkv: Tensor, table: Tensor, layout: Layout) -> tuple[Tensor, ...]:
        ctx.save_for_backward(table)
        ctx.layout, ctx.shape, ctx.dtype = layout, qkv.shape, qkv.dtype
        batch, positions, _ = qkv.shape
        pairs = _complex(qkv).view(batch, positions, 3, -1, table.shape[1])
        factors = _factors(table, positions, layout, pairs.real.dtype)
        parts = []
        for part, factor in zip(_parts(pairs, layout), factors, strict=True):
            rotated = torch.mul(part, factor, out=pairs.new_empty(part.shape))
            parts.append(torch.view_as_real(rotated).flatten(-2).to(qkv.dtype))
        return tuple(parts)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        (table,) = ctx.saved_tensors
        batch, positions, width = ctx.shape
        sources = [_complex(grad) for grad in grads]
        pairs = sources[0].new_empty(batch, positions, 3, width // 6 // table.shape[1], table.shape[1])
        factors = _factors(table, positions, ctx.layout, pairs.real.dtype)
        for part, source, factor in zip(_parts(pairs, ctx.layout), sources, factors, strict=True):
            torch.mul(source, factor.conj(), out=part)
        return torch.view_as_real(pairs).view(ctx.shape).to(ctx.dtype), None, None


class _MergeHeads(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, text: Tensor, image: Tensor, layout: Layout) -> Tensor:
        ctx.layout, ctx.heads = layout, text.shape[1]
        batch, heads, text_positions, dim_head = text.shape
        positions = text_positions + image.shape[2] * image.shape[3]
        merged = text.new_empty(batch, positions, heads, dim_head)
        layout.text(merged).copy_(text)
        layout.image(merged).copy_(image)
        return merged.flatten(2)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        grad = grad.unflatten(2, (ctx.heads, -1))
        return ctx.layout.text(grad), ctx.layout.image(grad), None
