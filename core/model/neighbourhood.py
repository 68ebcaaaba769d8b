"""Which codes a code sees in structured attention: lines of the image, and the keys that each line meets.

The patterns are those of dalle-pytorch 1.6.6 (Sparse Transformers, Child et al., 2019; DALL-E, Ramesh et al., 2021).
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.config import AttentionPattern, ModelConfig
from core.model.heads import Layout


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
        """Keys or values (n, lines, length, d) that each line meets: (n, lines, local keys, d)."""
        if self._window == 1:
            return keys
        above = F.pad(keys, (0, 0, 0, 0, self._window - 1, 0))
        return torch.stack([above[:, i : i + keys.shape[1]] for i in range(self._window)], dim=2).flatten(
            2, 3
        )

    def local_backward(self, grad: Tensor, length: int) -> Tensor:
        """The gradient of ``keys``, from that of what `local` made of them."""
        if self._window == 1:
            return grad
        by_offset = grad.unflatten(2, (self._window, length))
        lines = grad.shape[1]
        out: Tensor = by_offset[:, :, -1].clone()
        for above in range(1, min(self._window, lines)):
            out[:, : lines - above] += by_offset[:, above:, -1 - above]
        return out

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
