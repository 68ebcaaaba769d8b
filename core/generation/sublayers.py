"""The model's sublayers, for one code of each image: what came before is in caches."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from core.generation.caches import AttentionCache, ShiftCache
from core.generation.slots import Position
from core.model.attention import Attention
from core.model.config import ModelConfig
from core.model.feed_forward import FeedForward, geglu
from core.model.products import fast_products


class TextSeen(NamedTuple):
    """What codes see of their prompts in one layer, once for all images of a prompt; n is prompts times heads."""

    keys: Tensor
    """(n, dim_head, text positions)"""
    values: Tensor
    """(n, text positions, dim_head)"""


class Entry:
    """LayerNorm, then token shift if the model has it: `core.model.ends.Entry` for one code."""

    def __init__(self, norm: torch.nn.LayerNorm, shift: ShiftCache | None, dtype: torch.dtype) -> None:
        self._norm = norm.normalized_shape, norm.weight, norm.bias, norm.eps
        self._shift, self._dtype = shift, dtype

    def enter(self, x: Tensor, position: Position) -> Tensor:
        normal = torch.layer_norm(x, *self._norm).to(self._dtype)
        return normal if self._shift is None else self._shift.shift(normal, position)


def code_rotations(config: ModelConfig, table: Tensor) -> Tensor:
    """Complex factors of queries (scaled), keys and values at each code, (positions, 3, 1, 1, 1, dim_head / 2).

    ``table`` is that of `core.model.rotary.rotation_table`.
    """
    other = torch.view_as_complex(table[config.text_positions :])
    query = other * config.dim_head**-0.5
    return torch.stack([query, other, other], dim=1)[:, :, None, None, None]


class AttentionStep:
    """Adds scale * to_out(attention(entered x)) to a stream."""

    def __init__(
        self, entry: Entry, weights: Attention, scale: Tensor, cache: AttentionCache, text: TextSeen
    ) -> None:
        self._entry, self._scale, self._cache, self._text = entry, scale, cache, text
        self._to_qkv = weights.to_qkv.weight
        self._to_out = weights.to_out.weight, weights.to_out.bias

    def add_to(self, stream: Tensor, x: Tensor, position: Position, rotation: Tensor) -> None:
        """For streams (images, dim) and the position's part of `code_rotations`."""
        rows = self._entry.enter(x, position)
        with fast_products(x.device):
            qkv = F.linear(rows, self._to_qkv)
        merged = self._attend(_split(qkv, rotation, len(self._text.keys)), position)
        with fast_products(x.device):
            stream.addcmul_(F.linear(merged, *self._to_out), self._scale)

    def _attend(self, heads: Tensor, position: Position) -> Tensor:
        """(images, heads * dim_head) of (3, prompts, heads, images of a prompt, dim_head)."""
        _, prompts, _, images, _ = heads.shape
        by_image, by_prompt = heads.flatten(1, 3), heads[0].flatten(0, 1)
        seen = self._cache.extend(by_image[1:], position)
        of_text = torch.bmm(by_prompt, self._text.keys)
        of_codes = torch.baddbmm(seen.mask, by_image[0][:, None], seen.keys.mT)
        words = of_text.shape[-1]
        weights = torch.cat([of_text.view(-1, 1, words), of_codes], dim=-1).softmax(-1)
        out = torch.bmm(weights.view(-1, images, weights.shape[-1])[..., :words], self._text.values)
        out.flatten(0, 1)[:, None].baddbmm_(weights[..., words:], seen.values)
        merged: Tensor = out.unflatten(0, (prompts, -1)).transpose(1, 2)
        return merged.reshape(prompts * images, -1)


def _split(qkv: Tensor, rotation: Tensor, n: int) -> Tensor:
    """Rotate and take apart (images, 3 * heads * dim_head): (3, prompts, heads, images of a prompt, dim_head).

    ``n`` is prompts times heads.
    """
    images, pairs = len(qkv), rotation.shape[-1]
    heads = qkv.shape[1] // (6 * pairs)
    prompts = n // heads
    apart = qkv.to(rotation.real.dtype).view(prompts, images // prompts, 3, heads, pairs, 2)
    turned = torch.view_as_complex(apart).permute(2, 0, 3, 1, 4)
    turned = torch.mul(turned, rotation, out=rotation.new_empty(turned.shape))
    return torch.view_as_real(turned).flatten(-2).to(qkv.dtype)


class FeedForwardStep:
    """Adds scale * to_out(geglu(to_hidden(entered x))) to a stream."""

    def __init__(self, entry: Entry, weights: FeedForward, scale: Tensor) -> None:
        self._entry, self._scale = entry, scale
        self._to_hidden = weights.to_hidden.weight, weights.to_hidden.bias[:, None]
        self._to_out = weights.to_out.weight, weights.to_out.bias

    def add_to(self, stream: Tensor, x: Tensor, position: Position, rotation: Tensor) -> None:
        """For streams (images, dim)."""
        rows = self._entry.enter(x, position)
        weight, bias = self._to_hidden
        with fast_products(x.device):
            # Few rows and large weights: the product of the transposes is faster, and both halves lie together.
            hidden = torch.addmm(bias, weight, rows.mT).mT
            stream.addcmul_(F.linear(geglu(hidden), *self._to_out), self._scale)
