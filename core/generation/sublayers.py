"""The model's sublayers for drawing: for one code of each image, with caches of the codes before, and for prompts."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.generation.caches import AtPosition, AttentionCache, ShiftCache
from core.model.attention import Attention
from core.model.config import AttentionPattern, ModelConfig
from core.model.ends import normalise
from core.model.feed_forward import FeedForward, geglu
from core.model.products import fast_products
from core.model.transformer import Transformer, check_tokens


def code_rotations(config: ModelConfig, table: Tensor) -> Tensor:
    """Return complex factors of queries (scaled), keys and values at each code.

    Their shape is (codes, 3, 1, 1, 1, dim_head / 2). ``config`` is that of the model, and ``table`` the
    result of `core.model.positions.rotation_table`.
    """
    other = torch.view_as_complex(table[config.text_positions :])
    query = other * config.dim_head**-0.5
    return torch.stack([query, other, other], dim=1)[:, :, None, None, None]


class HeadBuffer:
    """Queries, keys and values of one code of each image, filled again by each layer.

    In the shapes, n are the heads of all images, ordered by prompt, then by head.
    """

    by_prompt: Tensor
    """Queries, (prompts * heads, images of a prompt, dim_head)."""
    query: Tensor
    """Queries as (n, 1, dim_head), in the same memory."""
    new: Tensor
    """Key and value, (2, n, dim_head)."""

    def __init__(self, config: ModelConfig, prompts: int, images: int, like: Tensor) -> None:
        """Allocate the buffer for ``images`` images of each of ``prompts`` prompts.

        ``config`` is that of the model; ``like`` has the type and the device of the weights.
        """
        wide = torch.float64 if like.dtype == torch.float64 else torch.float32
        pairs = config.dim_head // 2
        self._qkv = like.new_empty(prompts * images, 3 * config.heads * config.dim_head)
        self._wide = self._qkv.to(wide)  # the same memory, where that is its type
        apart = self._wide.view(prompts, images, 3, config.heads, pairs, 2).permute(2, 0, 3, 1, 4, 5)
        self._pairs = torch.view_as_complex(apart)
        self._turned = self._pairs.new_empty(self._pairs.shape)
        self._real = torch.view_as_real(self._turned).flatten(-2)
        heads = self._heads = self._real.to(like.dtype)
        self.by_prompt, self.query = heads[0].flatten(0, 1), heads[0].flatten(0, 2)[:, None]
        self.new = heads[1:].flatten(1, 3)

    def fill(self, rows: Tensor, to_qkv: Tensor, rotation: Tensor) -> None:
        """Compute queries, keys and values, and rotate them.

        Args:
            rows: Entered values, (images, dim).
            to_qkv: Transposed weight, (dim, 3 * heads * dim_head).
            rotation: Complex factors at the code's position, of shape (3, 1, 1, 1, dim_head / 2).
        """
        torch.mm(rows, to_qkv, out=self._qkv)
        if self._wide is not self._qkv:
            self._wide.copy_(self._qkv)
        torch.mul(self._pairs, rotation, out=self._turned)
        if self._heads is not self._real:
            self._heads.copy_(self._real)

    def merge(self, out: Tensor) -> Tensor:
        """Return the outputs of all heads side by side, (images, heads * dim_head).

        ``out`` has the outputs in the layout of ``by_prompt``.
        """
        prompts = self._heads.shape[1]
        merged: Tensor = out.unflatten(0, (prompts, -1)).transpose(1, 2)
        return merged.reshape(len(self._qkv), -1)


class TextSeen(NamedTuple):
    """Keys and values of the prompts in one layer, once for all images of a prompt; n: prompts times heads."""

    keys: Tensor
    """Transposed keys, (n, dim_head, text positions)."""
    values: Tensor
    """Values, (n, text positions, dim_head)."""


class LayerContext(NamedTuple):
    """Everything that codes see in one layer: earlier codes and the text."""

    pattern: AttentionPattern
    codes: AttentionCache
    text: TextSeen


class CodeEntry:
    """LayerNorm, then token shift if the model has it: `core.model.ends.BranchEntry` for one code."""

    def __init__(self, norm: nn.LayerNorm, shift: ShiftCache | None, dtype: torch.dtype) -> None:
        """Join the parts of an entry.

        Args:
            norm: LayerNorm of the sublayer.
            shift: Cache of the channels that token shift moves; None: the model has no token shift.
            dtype: Type of the sublayer's weights, to which the normalised values are converted.
        """
        self._norm = norm.normalized_shape, norm.weight, norm.bias, norm.eps
        self._shift, self._dtype = shift, dtype

    def enter(self, x: Tensor, at: AtPosition) -> Tensor:
        """Return the input of a sublayer, (images, dim), from the stream ``x`` of the same shape.

        ``at`` has what depends on the code's position.
        """
        normal = torch.layer_norm(x, *self._norm).to(self._dtype)
        return normal if self._shift is None else self._shift.shift(normal, at.shift)


class AttentionStep:
    """Adds scale * to_out(attention(entered x)) to a stream."""

    def __init__(
        self,
        entry: CodeEntry,
        weights: Attention,
        scale: Tensor,
        seen: LayerContext,
        heads: HeadBuffer,
    ) -> None:
        """Join the parts of a sublayer; its weights are the model's own, not copies.

        Args:
            entry: Norm and token shift before the attention.
            weights: Linear maps of the attention, which may serve several layers.
            scale: LayerScale, of shape (dim,).
            seen: Keys and values of the text, and the cache of the codes, which `add_to` extends.
            heads: Buffer of queries, keys and values, which all layers share and fill again.
        """
        self._entry, self._scale, self._seen, self._heads = entry, scale, seen, heads
        self._to_qkv = weights.to_qkv.weight.mT
        self._to_out = weights.to_out.weight, weights.to_out.bias

    def add_to(self, stream: Tensor, x: Tensor, at: AtPosition) -> None:
        """Add the sublayer's output for ``x`` to ``stream``; both are of shape (images, dim).

        ``at`` has what depends on the code's position.
        """
        rows = self._entry.enter(x, at)
        with fast_products(x.device):
            self._heads.fill(rows, self._to_qkv, at.rotation)
        merged = self._attend(at)  # in products so small that the faster library is the slower one
        with fast_products(x.device):
            stream.addcmul_(F.linear(merged, *self._to_out), self._scale)

    def _attend(self, at: AtPosition) -> Tensor:
        """Return the outputs, (images, heads * dim_head), of queries, keys and values in the buffer."""
        (pattern, cache, text), heads = self._seen, self._heads
        visible = at.visible[pattern]
        keys, values = cache.extend(heads.new, visible)
        of_text = torch.bmm(heads.by_prompt, text.keys)
        of_codes = torch.baddbmm(visible.mask, heads.query, keys.mT)
        prompt_heads, images, words = of_text.shape
        weights = torch.cat([of_text.view(-1, 1, words), of_codes], dim=-1).softmax(-1)
        out = torch.bmm(weights.view(prompt_heads, images, -1)[..., :words], text.values)
        out.view(heads.query.shape).baddbmm_(weights[..., words:], values)
        return heads.merge(out)


class FeedForwardStep:
    """Adds scale * to_out(geglu(to_hidden(entered x))) to a stream."""

    def __init__(self, entry: CodeEntry, weights: FeedForward, scale: Tensor) -> None:
        """Join the parts of a sublayer; its weights are the model's own, not copies.

        Args:
            entry: Norm and token shift before the feed-forward.
            weights: Linear maps of the feed-forward, which may serve several layers.
            scale: LayerScale, of shape (dim,).
        """
        self._entry, self._scale = entry, scale
        self._to_hidden = weights.to_hidden.weight, weights.to_hidden.bias
        self._to_out = weights.to_out.weight, weights.to_out.bias

    def add_to(self, stream: Tensor, x: Tensor, at: AtPosition) -> None:
        """Add the sublayer's output for ``x`` to ``stream``; both are of shape (images, dim).

        ``at`` has what depends on the code's position.
        """
        rows = self._entry.enter(x, at)
        with fast_products(x.device):
            hidden = geglu(F.linear(rows, *self._to_hidden))
            stream.addcmul_(F.linear(hidden, *self._to_out), self._scale)


class Prefix:
    """The text's pass through the model, computed once for all images of each prompt.

    If ``model.between``, which is called before each sublayer, raises, nothing is lost.
    """

    @torch.no_grad()
    def __init__(self, model: Transformer, text: Tensor) -> None:
        """Prepare to read ``text``, tokens int64 (prompts, text_length), by ``model``.

        Raises ValueError if they are not such tokens.
        """
        check_tokens("text", text, model.config.text_length, model.config.text_vocab)
        self.prompts = len(text)
        self.seen: list[TextSeen] = []
        """Keys and values of each layer that was computed; of all layers once ``done``."""
        text = text.to(model.vocabulary.weight.device)
        # The model's layers want whole rows of codes; the text does not see them.
        x = model.embed(model.ids(text, text.new_zeros(len(text), model.config.grid)))
        self._model, self._read = model, 0
        self._streams = [x, x.clone()] if model.config.reversible else [x]

    @property
    def done(self) -> bool:
        """True if the text has passed all sublayers."""
        return self._read == 2 * self._model.config.depth

    @torch.no_grad()
    def read_on(self) -> None:
        """Compute the next sublayer."""
        self._model.between()
        branch = self._model.layer_branches(self._read // 2)[self._read % 2]
        count, attends = len(self._streams), self._read % 2 == 0
        stream, other = self._streams[self._read % count], self._streams[(self._read + 1) % count]
        with fast_products(stream.device):
            kept = branch.add_to(stream, other, attends)
        if attends:
            self.seen.append(TextSeen(kept.heads.text_key.mT.contiguous(), kept.heads.text_value))
        self._read += 1
        if self.done:  # of the streams, only what predicts the first code is needed any more
            self._streams = [stream[:, self._model.config.text_length].clone() for stream in self._streams]

    @torch.no_grad()
    def hidden(self) -> Tensor:
        """Return the hidden states that predict the first code, (prompts, dim), once ``done``."""
        return normalise(torch.stack(self._streams).mean(dim=0), self._model.norm)[0]
