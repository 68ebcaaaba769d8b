"""Structured attention: text sees the text before it; a code sees all of the text and its line or window.

No tensor has the size of the sequence's length squared: the codes are grouped into lines, and each line attends
only to the text and the keys that its pattern allows (`core.model.positions`).

The backward pass computes the scores again, for a few heads at a time: those of all would not fit a CPU's cache.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.config import ModelConfig
from core.model.ends import BranchEntry, Exit, add_linear_gradients, linear_gradients
from core.model.gradients import Gradients
from core.model.heads import (
    Heads,
    merge_heads,
    merge_heads_backward,
    split_heads,
    split_heads_backward,
)
from core.model.positions import Neighbourhood
from core.model.techniques import SCORES_ON_CPU, SCORES_ON_GPU, aligned


class Attention(nn.Module):
    """The weights, which may serve several layers."""

    def __init__(self, config: ModelConfig) -> None:
        """Make the linear maps to queries, keys and values, and back to the stream, in the sizes of ``config``."""
        super().__init__()
        inner = config.heads * config.dim_head
        self.to_qkv = nn.Linear(config.dim, 3 * inner, bias=False)
        self.to_out = nn.Linear(inner, config.dim)


class ScoreColumns(NamedTuple):
    """Places of the text's keys and of a line's own among the columns of the scores.

    Both parts start at multiples of `core.model.techniques.ALIGNMENT` on a GPU, whose fast products need that.
    Nothing sees the columns between them: they hold minus infinity, and gradients of 0.
    """

    words: int
    """Number of the text's keys, which take the first columns."""
    start: int
    """Column of the first local key."""
    end: int
    """Column after the last local key."""
    width: int
    """Number of all columns."""

    @classmethod
    def of(cls, words: int, keys: int, *, on_gpu: bool) -> "ScoreColumns":
        """Return the places of ``words`` keys of the text and of ``keys`` local ones.

        ``on_gpu`` is true if a GPU computes the scores.
        """
        start = aligned(words, on_gpu=on_gpu)
        return cls(words, start, start + keys, aligned(start + keys, on_gpu=on_gpu))

    def text(self, scores: Tensor) -> Tensor:
        """View the columns before the local keys in ``scores``, (n, rows, width)."""
        return scores[..., : self.start]

    def local(self, scores: Tensor) -> Tensor:
        """View the columns of the local keys in ``scores``, (n, rows, width)."""
        return scores[..., self.start : self.end]

    def padded(self, text: Tensor) -> Tensor:
        """Return keys or values of the text, (n, words, d), with zeros behind them: (n, start, d)."""
        return text if self.words == self.start else F.pad(text, (0, 0, 0, self.start - self.words))

    def hide(self, scores: Tensor, value: float) -> None:
        """Write ``value`` into the columns of ``scores``, (n, rows, width), that belong to no key."""
        for first, last in ((self.words, self.start), (self.end, self.width)):
            if first < last:
                scores[..., first:last] = value


class KeptAttention(NamedTuple):
    """Parts of an attention sublayer's forward pass that its backward pass can use."""

    heads: Heads
    merged: Tensor


class AttentionBranch:
    """Adds scale * to_out(attention(entered x)) to a stream; see `core.model.stack.Branch`."""

    def __init__(
        self,
        entry: BranchEntry,
        weights: Attention,
        scale: Tensor,
        neighbourhood: Neighbourhood,
        table: Tensor,
    ) -> None:
        """Join the parts of an attention branch.

        Args:
            entry: Norm and token shift before the attention.
            weights: Linear maps, which may serve several layers.
            scale: LayerScale, of shape (dim,).
            neighbourhood: The codes that each code sees.
            table: Rotations by `core.model.positions.rotation_table`, (positions, dim_head / 2, 2).
        """
        self.scale = scale
        self._entry, self._to_qkv, self._exit = entry, weights.to_qkv, Exit(weights.to_out, scale)
        self._neighbourhood, self._table = neighbourhood, table

    def add_to(self, stream: Tensor, x: Tensor, keep: bool) -> KeptAttention | None:
        """Add the sublayer's output for ``x`` to ``stream``, both (batch, positions, dim).

        Returns:
            The parts that `backward` can use, if ``keep``.
        """
        made = self._attend(self._entry.enter(x).values)
        self._exit.add_to(stream.flatten(0, 1), made.merged)
        return made if keep else None

    def backward(
        self,
        stream: Tensor,
        x: Tensor,
        grad: Tensor,
        kept: KeptAttention | None,
        rebuild: bool,
        gradients: Gradients,
    ) -> Tensor:
        """Compute the gradient of ``x`` as `core.model.stack.Branch.backward` states.

        Args:
            stream: Stream behind the sublayer, from which its output is taken off again if ``rebuild``.
            x: Input of the sublayer, (batch, positions, dim).
            grad: Gradient of the sublayer's output.
            kept: Parts of the forward pass, or None to compute them again.
            rebuild: True to turn ``stream`` back into the stream before the sublayer.
            gradients: Sums that the parameters' gradients are added to.
        """
        entered = self._entry.enter(x)
        rows, grads = entered.values.flatten(0, 1), grad.flatten(0, 1)
        heads, merged = kept or self._attend(entered.values)
        if rebuild:
            taken = self._exit.take_off(stream.flatten(0, 1), merged, grads)
            of_merged = taken.of_out @ self._exit.linear.weight
        else:
            taken, of_merged = None, self._exit.rows_gradient(grads)
        of_qkv = self._attend_backward(of_merged, heads, len(x))
        of_rows = of_qkv @ self._to_qkv.weight
        del of_merged, heads, kept
        of_map = linear_gradients(self._to_qkv, of_qkv, rows, gradients)
        if taken is not None:
            of_exit = linear_gradients(self._exit.linear, taken.of_out, merged, gradients)
            gradients.add(self.scale, taken.of_scale)
            add_linear_gradients(self._exit.linear, of_exit, gradients)
            del of_exit
        else:
            self._exit.add_gradients(self._exit.product(grads, merged), grads, gradients)
        add_linear_gradients(self._to_qkv, of_map, gradients)
        del taken, merged, of_qkv, of_map
        return self._entry.backward(of_rows.view_as(entered.values), x, entered, gradients)

    def _attend(self, entered: Tensor) -> KeptAttention:
        layout = self._neighbourhood.layout
        heads = split_heads(self._to_qkv(entered), self._table, layout)
        merged = merge_heads(*attend(heads, self._neighbourhood), len(entered), layout)
        return KeptAttention(heads, merged.flatten(0, 1))

    def _attend_backward(self, of_merged: Tensor, heads: Heads, batch: int) -> Tensor:
        layout = self._neighbourhood.layout
        apart = of_merged.unflatten(0, (batch, -1))
        of_outputs = merge_heads_backward(apart, len(heads.text_query) // batch, layout)
        of_heads = attend_backward(heads, self._neighbourhood, *of_outputs)
        return split_heads_backward(of_heads, batch, self._table, layout).flatten(0, 1)


def attend(heads: Heads, neighbourhood: Neighbourhood) -> tuple[Tensor, Tensor]:
    """Compute the attention outputs of text and codes, in the shapes of ``text_query`` and ``image_query``.

    Args:
        heads: Queries, keys and values.
        neighbourhood: The codes that each code sees.
    """
    text, image = torch.empty_like(heads.text_query), torch.empty_like(heads.image_query)
    for some in _pieces(heads, neighbourhood):
        _attend_text(heads.some(some), neighbourhood, text[some])
        _attend_image(heads.some(some), neighbourhood, image[some])
    return text, image


def attend_backward(heads: Heads, neighbourhood: Neighbourhood, of_text: Tensor, of_image: Tensor) -> Heads:
    """Compute the gradients of queries, keys and values, in the shapes of `Heads`.

    Args:
        heads: Queries, keys and values of the forward pass.
        neighbourhood: The codes that each code sees.
        of_text: Gradient of the text's outputs, in the shape of ``text_query``.
        of_image: Gradient of the codes' outputs, in the shape of ``image_query``.
    """
    grads = heads.empty_like()
    for some in _pieces(heads, neighbourhood):
        _text_backward(heads.some(some), neighbourhood, of_text[some], grads.some(some))
        _image_backward(heads.some(some), neighbourhood, of_image[some], grads.some(some))
    return grads


def _pieces(heads: Heads, neighbourhood: Neighbourhood) -> Iterator[slice]:
    many, lines, length, _ = heads.image_query.shape
    keys = neighbourhood.local_mask(lines, length).shape[-1]
    columns = ScoreColumns.of(heads.text_key.shape[1], keys, on_gpu=_on_gpu(heads.image_query))
    scores = SCORES_ON_GPU if _on_gpu(heads.image_query) else SCORES_ON_CPU
    step = max(1, scores // (lines * length * columns.width))
    for start in range(0, many, step):
        yield slice(start, start + step)


def _text_columns(heads: Heads) -> ScoreColumns:
    return ScoreColumns.of(heads.text_key.shape[1], 0, on_gpu=_on_gpu(heads.text_key))


def _text_probabilities(heads: Heads, neighbourhood: Neighbourhood) -> Tensor:
    """Return the attention weights of the text, (n, text positions, columns of `ScoreColumns`)."""
    columns, mask = _text_columns(heads), neighbourhood.text_mask.to(heads.text_query.dtype)
    if columns.width > columns.words:
        mask = F.pad(mask, (0, columns.width - columns.words), value=-math.inf)
    scores = torch.baddbmm(mask, heads.text_query, columns.padded(heads.text_key).mT)
    return torch.softmax(scores, dim=-1, out=scores)


def _attend_text(heads: Heads, neighbourhood: Neighbourhood, out: Tensor) -> None:
    values = _text_columns(heads).padded(heads.text_value)
    torch.bmm(_text_probabilities(heads, neighbourhood), values, out=out)


def _text_backward(heads: Heads, neighbourhood: Neighbourhood, grad: Tensor, grads: Heads) -> None:
    """Write the gradients of the text's queries, keys and values, as far as the text itself attends."""
    columns, probabilities = _text_columns(heads), _text_probabilities(heads, neighbourhood)
    _columns_product(probabilities, grad, grads.text_value)
    of_probabilities = torch.bmm(grad, columns.padded(heads.text_value).mT)
    of_scores = _softmax_backward(of_probabilities, probabilities)
    torch.bmm(of_scores, columns.padded(heads.text_key), out=grads.text_query)
    _columns_product(of_scores, heads.text_query, grads.text_key)


def _columns_product(by: Tensor, rows: Tensor, out: Tensor) -> None:
    """Write ``by.mT @ rows`` into ``out``, (n, words, d), without what belongs to no key."""
    if by.shape[2] == out.shape[1]:
        torch.bmm(by.mT, rows, out=out)
    else:
        out.copy_(torch.bmm(by.mT, rows)[:, : out.shape[1]])


def _image_probabilities(heads: Heads, keys: Tensor, neighbourhood: Neighbourhood) -> Tensor:
    """Return the attention weights of the codes, (n, lines, length, columns of `ScoreColumns`).

    The local keys are those of ``keys``.
    """
    mask = neighbourhood.local_mask(*heads.image_query.shape[1:3])
    scores = _two_products(heads.image_query, heads.text_key, keys, mask)
    return torch.softmax(scores, dim=-1, out=scores)


def _two_products(rows: Tensor, text: Tensor, local: Tensor, start: Tensor | None = None) -> Tensor:
    """Return the dot products of rows with all of the text and with what their line meets, side by side.

    Shapes: ``rows`` (n, lines, length, d), ``text`` (n, text positions, d), ``local`` (n, lines, local keys, d).
    ``start`` is added to the latter.
    """
    many, lines, length, _ = rows.shape
    columns = ScoreColumns.of(text.shape[1], local.shape[2], on_gpu=_on_gpu(rows))
    out = rows.new_empty(many, lines, length, columns.width)
    torch.bmm(rows.flatten(1, 2), columns.padded(text).mT, out=columns.text(out.flatten(1, 2)))
    columns.hide(out, 0.0 if start is None else -math.inf)
    by_line = columns.local(out)
    if start is None:
        torch.bmm(rows.flatten(0, 1), local.flatten(0, 1).mT, out=by_line.flatten(0, 1))
    else:
        by_line.copy_(start)
        by_line.flatten(0, 1).baddbmm_(rows.flatten(0, 1), local.flatten(0, 1).mT)
    return out


def _weighted_sums(by: Tensor, text: Tensor, local: Tensor, out: Tensor) -> None:
    """Write sums of ``text`` and ``local``, weighted by what `_two_products` is shaped like, into ``out``."""
    columns = ScoreColumns.of(text.shape[1], local.shape[2], on_gpu=_on_gpu(by))
    torch.bmm(columns.text(by.flatten(1, 2)), columns.padded(text), out=out.flatten(1, 2))
    out.flatten(0, 1).baddbmm_(columns.local(by.flatten(0, 1)), local.flatten(0, 1))


def _attend_image(heads: Heads, neighbourhood: Neighbourhood, out: Tensor) -> None:
    keys, values = neighbourhood.local(heads.image_key), neighbourhood.local(heads.image_value)
    probabilities = _image_probabilities(heads, keys, neighbourhood)
    _weighted_sums(probabilities, heads.text_value, values, out)


def _image_backward(heads: Heads, neighbourhood: Neighbourhood, grad: Tensor, grads: Heads) -> None:
    """Write the gradients of the image's queries, keys and values, and add those of the text's."""
    length = heads.image_query.shape[2]
    keys, values = neighbourhood.local(heads.image_key), neighbourhood.local(heads.image_value)
    probabilities = _image_probabilities(heads, keys, neighbourhood)
    of_scores = _softmax_backward(_two_products(grad, heads.text_value, values), probabilities)
    _weighted_sums(of_scores, heads.text_key, keys, grads.image_query)
    columns = ScoreColumns.of(heads.text_key.shape[1], keys.shape[2], on_gpu=_on_gpu(grad))
    for by, rows, of_text, of_image in (
        (of_scores, heads.image_query, grads.text_key, grads.image_key),
        (probabilities, grad, grads.text_value, grads.image_value),
    ):
        # The product of the transposes: torch would first copy a transposed part of the scores.
        of_columns = torch.bmm(rows.flatten(1, 2).mT, columns.text(by.flatten(1, 2))).mT
        of_text.add_(of_columns[:, : columns.words])
        local = torch.bmm(rows.flatten(0, 1).mT, columns.local(by.flatten(0, 1))).mT
        of_image.copy_(neighbourhood.local_backward(local.unflatten(0, rows.shape[:2]), length))


def _softmax_backward(grad: Tensor, probabilities: Tensor) -> Tensor:
    out: Tensor = torch.ops.aten._softmax_backward_data(grad, probabilities, -1, probabilities.dtype)
    return out


def _on_gpu(x: Tensor) -> bool:
    return x.device.type != "cpu"
