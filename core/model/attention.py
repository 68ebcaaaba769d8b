"""Structured attention: text sees the text before it; a code sees all of the text and its line or window.

Nothing of the sequence's length squared is ever made: the codes are grouped into lines, and each line meets
only the text and the keys that its pattern allows. The patterns are those of dalle-pytorch 1.6.6 (Sparse
Transformers, Child et al., 2019; DALL-E, Ramesh et al., 2021).
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.config import AttentionPattern, ModelConfig
from core.model.heads import Heads, Layout, merge_heads, split_heads


class Neighbourhood(nn.Module):
    """Which codes a code sees: how they are grouped into lines, and which keys a line meets.

    A query at row r, column c sees, by pattern: *row* columns up to c of row r; *column* rows up to r of
    column c; *convolutional* the square of ``convolution_size`` with (r, c) in its lower right corner.
    """

    mask: Tensor
    text_mask: Tensor

    def __init__(self, config: ModelConfig, pattern: AttentionPattern) -> None:
        super().__init__()
        self.layout = Layout(config.text_positions, config.grid, pattern is AttentionPattern.COLUMN)
        self._window = config.convolution_size if pattern is AttentionPattern.CONVOLUTIONAL else 1
        if pattern is AttentionPattern.CONVOLUTIONAL:
            visible = _window_visibility(config.grid, self._window)
        else:
            visible = torch.ones(1, config.grid, config.grid, dtype=torch.bool).tril()
        past = torch.ones(config.text_positions, config.text_positions, dtype=torch.bool).tril()
        self.register_buffer("mask", _additive(visible), persistent=False)
        self.register_buffer("text_mask", _additive(past), persistent=False)

    def local(self, keys: Tensor) -> Tensor:
        """Keys or values that each line meets: (batch, heads, lines, local keys, dim_head)."""
        if self._window == 1:
            return keys
        above = F.pad(keys, (0, 0, 0, 0, self._window - 1, 0))
        return torch.stack([above[:, :, i : i + keys.shape[2]] for i in range(self._window)], dim=3).flatten(
            3, 4
        )

    def local_mask(self, lines: int, length: int) -> Tensor:
        """Additive mask that broadcasts to (lines, length, local keys), for an image of whole rows."""
        return self.mask[:lines, :length, : self._window * length]


def _additive(visible: Tensor) -> Tensor:
    return torch.zeros(visible.shape).masked_fill(~visible, float("-inf"))


def _window_visibility(grid: int, size: int) -> Tensor:
    """Whether the query at (row, column) sees key (i, column'), i counting rows from row - size + 1."""
    row, offset, column = torch.arange(grid), torch.arange(size), torch.arange(grid)
    inside = (row[:, None] + offset - (size - 1) >= 0)[:, None, :, None]
    left = column[:, None] - column
    near = ((left >= 0) & (left < size))[None, :, None, :]
    return (inside & near).flatten(2)


class Attention(nn.Module):
    """Multi-head attention over [text | whole rows of codes]; its weights may serve several layers."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        inner = config.heads * config.dim_head
        self.to_qkv = nn.Linear(config.dim, 3 * inner, bias=False)
        self.to_out = nn.Linear(inner, config.dim)

    def forward(self, x: Tensor, neighbourhood: Neighbourhood, table: Tensor) -> Tensor:
        """Map (batch, positions, dim) to the same shape; ``table`` is that of ``rotation_table``."""
        heads = split_heads(self.to_qkv(x), table, neighbourhood.layout)
        text, image = attend_text(heads, neighbourhood.text_mask), attend_image(heads, neighbourhood)
        out: Tensor = self.to_out(merge_heads(text, image, neighbourhood.layout))
        return out


def attend_text(heads: Heads, mask: Tensor) -> Tensor:
    """Causal attention of the text to itself, laid out as the text queries.

    On a CPU, forward and backward take two thirds of the time of torch 2.13's fused attention at 257 positions,
    and a fourteenth at 17.
    """
    scores = heads.text_query @ heads.text_key.mT + mask
    return scores.softmax(dim=-1) @ heads.text_value


def attend_image(heads: Heads, neighbourhood: Neighbourhood) -> Tensor:
    """Attention of codes to all of the text and to their neighbourhood, laid out as the image queries."""
    shape = heads.image_query.shape
    batch, many_heads, lines, length, _ = shape
    keys, values = neighbourhood.local(heads.image_key), neighbourhood.local(heads.image_value)
    queries = heads.image_query.flatten(2, 3).flatten(0, 1)
    to_text = queries @ heads.text_key.flatten(0, 1).mT
    to_image = heads.image_query @ keys.mT + neighbourhood.local_mask(lines, length)
    scores = torch.cat([to_text.view(*shape[:4], -1), to_image], dim=-1)
    probabilities = scores.softmax(dim=-1)
    by_text, by_image = probabilities.split([to_text.shape[-1], to_image.shape[-1]], dim=-1)
    from_text = by_text.reshape(batch * many_heads, lines * length, -1) @ heads.text_value.flatten(0, 1)
    attended: Tensor = from_text.view(shape) + by_image @ values
    return attended
