"""The model's sublayers for one code of each image: what came before is in caches."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.generation.caches import AtPosition, AttentionCache, ShiftCache
from core.generation.heads import HeadBuffer
from core.model.attention import Attention
from core.model.config import AttentionPattern
from core.model.feed_forward import FeedForward, geglu
from core.model.products import fast_products


class TextSeen(NamedTuple):
    """What codes see of the prompts in one layer, once for all images of a prompt; n is prompts times heads."""

    keys: Tensor
    """(n, dim_head, text positions)"""
    values: Tensor
    """(n, text positions, dim_head)"""


class Surroundings(NamedTuple):
    """What codes see in one layer."""

    pattern: AttentionPattern
    codes: AttentionCache
    text: TextSeen


class Entry:
    """LayerNorm, then token shift if the model has it: `core.model.ends.Entry` for one code."""

    def __init__(self, norm: nn.LayerNorm, shift: ShiftCache | None, dtype: torch.dtype) -> None:
        self._norm = norm.normalized_shape, norm.weight, norm.bias, norm.eps
        self._shift, self._dtype = shift, dtype

    def enter(self, x: Tensor, at: AtPosition) -> Tensor:
        normal = torch.layer_norm(x, *self._norm).to(self._dtype)
        return normal if self._shift is None else self._shift.shift(normal, at.shift)


class AttentionStep:
    """Adds scale * to_out(attention(entered x)) to a stream."""

    def __init__(
        self,
        entry: Entry,
        weights: Attention,
        scale: Tensor,
        seen: Surroundings,
        heads: HeadBuffer,
    ) -> None:
        self._entry, self._scale, self._seen, self._heads = entry, scale, seen, heads
        self._to_qkv = weights.to_qkv.weight.mT
        self._to_out = weights.to_out.weight, weights.to_out.bias

    def add_to(self, stream: Tensor, x: Tensor, at: AtPosition) -> None:
        """For streams (images, dim)."""
        rows = self._entry.enter(x, at)
        with fast_products(x.device):
            self._heads.fill(rows, self._to_qkv, at.rotation)
        merged = self._attend(at)  # in products so small that the faster library is the slower one
        with fast_products(x.device):
            stream.addcmul_(F.linear(merged, *self._to_out), self._scale)

    def _attend(self, at: AtPosition) -> Tensor:
        """(images, heads * dim_head), from the queries, keys and values in the buffer."""
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

    def __init__(self, entry: Entry, weights: FeedForward, scale: Tensor) -> None:
        self._entry, self._scale = entry, scale
        self._to_hidden = weights.to_hidden.weight, weights.to_hidden.bias
        self._to_out = weights.to_out.weight, weights.to_out.bias

    def add_to(self, stream: Tensor, x: Tensor, at: AtPosition) -> None:
        """For streams (images, dim)."""
        rows = self._entry.enter(x, at)
        with fast_products(x.device):
            hidden = geglu(F.linear(rows, *self._to_hidden))
            stream.addcmul_(F.linear(hidden, *self._to_out), self._scale)
