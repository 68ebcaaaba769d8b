"""Rotated queries, keys and values of one code of each image, by head: one place in memory for all layers."""

import torch
from torch import Tensor

from core.model.config import ModelConfig


def code_rotations(config: ModelConfig, table: Tensor) -> Tensor:
    """Complex factors of queries (scaled), keys and values at each code, (positions, 3, 1, 1, 1, dim_head / 2).

    ``table`` is that of `core.model.rotary.rotation_table`.
    """
    other = torch.view_as_complex(table[config.text_positions :])
    query = other * config.dim_head**-0.5
    return torch.stack([query, other, other], dim=1)[:, :, None, None, None]


class HeadBuffer:
    """Filled by each layer anew. n are the heads of all images, prompt by prompt and head by head."""

    by_prompt: Tensor
    """Queries, (prompts * heads, images of a prompt, dim_head)."""
    query: Tensor
    """The same as (n, 1, dim_head)."""
    new: Tensor
    """Key and value, (2, n, dim_head)."""

    def __init__(self, config: ModelConfig, prompts: int, images: int, like: Tensor) -> None:
        """For so many ``images`` of each prompt; ``like`` has the type and the device of the weights."""
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
        """From entered values, (images, dim), and the transposed weight, (dim, 3 * heads * dim_head)."""
        torch.mm(rows, to_qkv, out=self._qkv)
        if self._wide is not self._qkv:
            self._wide.copy_(self._qkv)
        torch.mul(self._pairs, rotation, out=self._turned)
        if self._heads is not self._real:
            self._heads.copy_(self._real)

    def merge(self, out: Tensor) -> Tensor:
        """Heads of outputs laid out as ``by_prompt`` side by side, (images, heads * dim_head)."""
        prompts = self._heads.shape[1]
        merged: Tensor = out.unflatten(0, (prompts, -1)).transpose(1, 2)
        return merged.reshape(len(self._qkv), -1)
