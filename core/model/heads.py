"""Queries, keys and values taken apart by head and line, rotated on the way, and outputs put together again.

Each way is one pass over memory; rotating, splitting and transposing one by one takes three or more.
"""

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from core.model.kernels import kernels_for


class Layout(NamedTuple):
    """Order of positions: the text, then whole rows of the image, read by rows or by columns."""

    text_positions: int
    grid: int
    """Codes along one side of an image."""
    by_columns: bool

    def text(self, x: Tensor) -> Tensor:
        """View ``x``, (batch, positions, heads, d), as (batch, heads, text positions, d)."""
        return x[:, : self.text_positions].transpose(1, 2)

    def image(self, x: Tensor) -> Tensor:
        """View ``x``, (batch, positions, heads, d), as (batch, heads, lines, places in a line, d)."""
        by_row: Tensor = x[:, self.text_positions :].unflatten(1, (-1, self.grid))
        return by_row.permute(0, 3, 2, 1, 4) if self.by_columns else by_row.permute(0, 3, 1, 2, 4)


class Heads(NamedTuple):
    """Queries (scaled), keys and values, all rotated; or their gradients. Batch and heads are one dimension, n.

    Text: (n, text positions, dim_head). Image: (n, lines, places in a line, dim_head).
    """

    text_query: Tensor
    text_key: Tensor
    text_value: Tensor
    image_query: Tensor
    image_key: Tensor
    image_value: Tensor

    def some(self, which: slice) -> "Heads":
        """Return views of the slice ``which`` of the n."""
        return Heads(*(part[which] for part in self))

    def empty_like(self) -> "Heads":
        """Return new tensors of the same shapes, which are not initialised."""
        return Heads(*(torch.empty_like(part) for part in self))


def split_heads(qkv: Tensor, table: Tensor, layout: Layout) -> Heads:
    """Rotate queries, keys and values, and take them apart by head, in the shapes of `Heads`.

    Values are rotated too, as in dalle-pytorch.

    Args:
        qkv: Queries, keys and values, (batch, positions, 3 * heads * dim_head).
        table: Result of ``core.model.positions.rotation_table``.
        layout: Order of positions.
    """
    batch, positions, _ = qkv.shape
    width = 2 * table.shape[1]
    if kernels := kernels_for(qkv, table, dtype=qkv.dtype, channels=width):
        heads = _new_heads(qkv, width, layout)
        kernels.split_heads(qkv, table, heads, layout)
        return heads
    pairs = _complex(qkv).view(batch, positions, 3, -1, table.shape[1])
    parts = []
    for part, factor in zip(_parts(pairs, layout), _factors(table, pairs, layout), strict=True):
        rotated = torch.mul(part, factor, out=pairs.new_empty(part.shape))
        parts.append(torch.view_as_real(rotated).flatten(-2).flatten(0, 1).to(qkv.dtype))
    return Heads(*parts)


def split_heads_backward(grads: Heads, batch: int, table: Tensor, layout: Layout) -> Tensor:
    """Compute the gradient of ``qkv``, (batch, positions, 3 * heads * dim_head).

    Args:
        grads: Gradients of the result of `split_heads`.
        batch: Number of samples.
        table: Rotations of the forward pass, (positions, dim_head / 2, 2).
        layout: Order of positions of the forward pass.
    """
    many, text_positions, dim_head = grads.text_query.shape
    positions = text_positions + grads.image_query.shape[1] * grads.image_query.shape[2]
    if kernels := kernels_for(*grads, table, dtype=grads.text_query.dtype, channels=dim_head):
        of_qkv = grads.text_query.new_empty(batch, positions, 3 * (many // batch) * dim_head)
        kernels.split_heads_backward(of_qkv, table, grads, layout)
        return of_qkv
    sources = [_complex(grad).unflatten(0, (batch, -1)) for grad in grads]
    pairs = sources[0].new_empty(batch, positions, 3, many // batch, dim_head // 2)
    factors = _factors(table, pairs, layout)
    for part, source, factor in zip(_parts(pairs, layout), sources, factors, strict=True):
        torch.mul(source, factor.conj(), out=part)
    return torch.view_as_real(pairs).flatten(2).to(grads.text_query.dtype)


def _new_heads(qkv: Tensor, width: int, layout: Layout) -> Heads:
    """Return new tensors for the heads of ``qkv``, (batch, positions, 3 * heads * width)."""
    batch, positions, channels = qkv.shape
    words = min(layout.text_positions, positions)
    many, lines = batch * (channels // 3 // width), (positions - words) // layout.grid
    image = (layout.grid, lines) if layout.by_columns else (lines, layout.grid)
    texts = (qkv.new_empty(many, words, width) for _ in range(3))
    return Heads(*texts, *(qkv.new_empty(many, *image, width) for _ in range(3)))


def merge_heads(text: Tensor, image: Tensor, batch: int, layout: Layout) -> Tensor:
    """Put the outputs of all heads together: (batch, positions, heads * dim_head).

    Args:
        text: Outputs of the text, (n, text positions, dim_head).
        image: Outputs of the codes, (n, lines, places in a line, dim_head).
        batch: Number of samples.
        layout: Order of positions.
    """
    many, text_positions, dim_head = text.shape
    positions = text_positions + image.shape[1] * image.shape[2]
    merged = text.new_empty(batch, positions, many // batch, dim_head)
    layout.text(merged).copy_(text.unflatten(0, (batch, -1)))
    layout.image(merged).copy_(image.unflatten(0, (batch, -1)))
    return merged.flatten(2)


def merge_heads_backward(grad: Tensor, heads: int, layout: Layout) -> tuple[Tensor, Tensor]:
    """Compute the gradients of text and image from that of the result of `merge_heads`.

    Args:
        grad: Gradient, (batch, positions, heads * dim_head).
        heads: Number of heads.
        layout: Order of positions.
    """
    apart = grad.unflatten(2, (heads, -1))
    return layout.text(apart).contiguous().flatten(0, 1), layout.image(apart).contiguous().flatten(0, 1)


def _complex(x: Tensor) -> Tensor:
    """Return pairs of channels as complex numbers, which torch computes with in float32 and float64."""
    x = x if x.dtype == torch.float64 else x.float()
    return torch.view_as_complex(x.unflatten(-1, (-1, 2)))


def _parts(pairs: Tensor, layout: Layout) -> Iterator[Tensor]:
    """Yield views of (batch, positions, 3, heads, pairs) in the order of `Heads`, batch and heads still apart."""
    roles = pairs.unbind(2)
    yield from map(layout.text, roles)
    yield from map(layout.image, roles)


def _factors(table: Tensor, pairs: Tensor, layout: Layout) -> Iterator[Tensor]:
    """Yield complex factors that broadcast to each of the parts; those of queries scale the dot product as well."""
    other = torch.view_as_complex(table[None, : pairs.shape[1], None].to(pairs.real.dtype))
    query = other * (2 * table.shape[1]) ** -0.5
    yield from map(layout.text, (query, other, other))
    yield from map(layout.image, (query, other, other))
