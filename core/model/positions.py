"""Positions of the sequence: their rotary angles, and the codes that each code sees in structured attention.

Rotary angles are RoFormer's (Su et al., 2021), with the three axes and two kinds of frequencies of dalle-pytorch
1.6.6. The attention patterns are also its own (Sparse Transformers, Child et al., 2019; DALL-E, Ramesh et al., 2021).
"""

import math
from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.config import AttentionPattern, ModelConfig
from core.model.heads import Layout

# Where dalle-pytorch puts the image on the text's axis, and the text on the image's two axes of [-1, 1].
_IMAGE_ON_TEXT_AXIS = 8192.0
_TEXT_ON_IMAGE_AXES = -10.0


def rotary_angles(config: ModelConfig) -> Tensor:
    """Return the angle of each position and pair of channels, float32 (positions, dim_head / 2).

    Positions are ``text_positions`` of text, then grid * grid codes. Each axis turns a third of a head,
    rounded down to pairs; the channels left over stay as they are. Angles are rounded as dalle-pytorch rounds
    them: at position 8192 float32 is off by 5e-4 radians, and published weights were trained with that.

    Args:
        config: The model.
    """
    pairs = config.dim_head // 3 // 2
    by_word = 1.0 / 10_000 ** (torch.arange(0, 2 * pairs, 2).float() / (config.dim_head // 3))
    word = torch.arange(config.text_positions).float()
    outside = torch.full((config.text_positions,), _TEXT_ON_IMAGE_AXES)
    by_pixel = torch.linspace(1.0, 5.0, pairs) * math.pi
    line = torch.linspace(-1.0, 1.0, config.grid)
    words = torch.cat([word, torch.full((config.image_length,), _IMAGE_ON_TEXT_AXIS)])
    rows = torch.cat([outside, line.repeat_interleave(config.grid)])
    columns = torch.cat([outside, line.repeat(config.grid)])
    still = torch.zeros(len(words), config.dim_head // 2 - 3 * pairs)
    return torch.cat([words.outer(by_word), rows.outer(by_pixel), columns.outer(by_pixel), still], dim=1)


def rotation_table(config: ModelConfig) -> Tensor:
    """Return the rotation of each pair of channels as (cos, sin), float32 (positions, dim_head / 2, 2).

    Args:
        config: The model; without ``rotary`` all angles are zero.
    """

    def compute() -> Tensor:
        angles = rotary_angles(config) if config.rotary else rotary_angles(config).zero_()
        return torch.stack([angles.cos(), angles.sin()], dim=-1)

    return _computed_on_cpu(compute)


class Neighbourhood(nn.Module):
    """The codes that a code sees: their grouping into lines, and the keys that a line meets.

    A query at row r, column c sees, by pattern: *row* columns up to c of row r; *column* rows up to r of
    column c; *convolutional* the square of ``convolution_size`` with (r, c) in its lower right corner.
    """

    mask: Tensor
    text_mask: Tensor

    def __init__(self, config: ModelConfig, pattern: AttentionPattern) -> None:
        """Make the masks of text and codes, which are buffers and no part of a checkpoint.

        Args:
            config: Sizes of the model: text positions, grid, and the window of the convolutional pattern.
            pattern: Attention pattern of the layers that use the masks.
        """
        super().__init__()
        self.layout = Layout(config.text_positions, config.grid, pattern is AttentionPattern.COLUMN)
        self._window = config.convolution_size if pattern is AttentionPattern.CONVOLUTIONAL else 1
        if pattern is AttentionPattern.CONVOLUTIONAL:
            visible = partial(_window_visibility, config.grid, self._window)
        else:
            visible = partial(_past, 1, config.grid)
        past = partial(_past, config.text_positions)
        self.register_buffer("mask", _additive(visible), persistent=False)
        self.register_buffer("text_mask", _additive(past), persistent=False)

    def local(self, keys: Tensor) -> Tensor:
        """Return the keys or values that each line meets, (n, lines, local keys, d).

        ``keys`` are those of the lines, (n, lines, length, d).
        """
        if self._window == 1:
            return keys
        above = F.pad(keys, (0, 0, 0, 0, self._window - 1, 0))
        return torch.stack([above[:, i : i + keys.shape[1]] for i in range(self._window)], dim=2).flatten(
            2, 3
        )

    def local_backward(self, grad: Tensor, length: int) -> Tensor:
        """Compute the gradient of ``keys``, (n, lines, length, d), from that of the result of `local`.

        Args:
            grad: Gradient, (n, lines, local keys, d).
            length: Number of keys of a line.
        """
        if self._window == 1:
            return grad
        by_offset = grad.unflatten(2, (self._window, length))
        lines = grad.shape[1]
        out: Tensor = by_offset[:, :, -1].clone()
        for above in range(1, min(self._window, lines)):
            out[:, : lines - above] += by_offset[:, above:, -1 - above]
        return out

    def local_mask(self, lines: int, length: int) -> Tensor:
        """Return an additive mask that broadcasts to (lines, length, local keys), for an image of whole rows.

        ``lines`` is the number of lines, ``length`` that of places in a line.
        """
        return self.mask[:lines, :length, : self._window * length]


def _computed_on_cpu(compute: Callable[[], Tensor]) -> Tensor:
    """Return the result of ``compute`` on the device of the context.

    It is computed on a CPU: on ``meta`` PyTorch would load its compiler for it, which takes a second and 80 MB.
    """
    device = torch.get_default_device()
    with torch.device("cpu"):
        return compute().to(device)


def _additive(visibility: Callable[[], Tensor]) -> Tensor:
    def compute() -> Tensor:
        visible = visibility()
        return torch.zeros(visible.shape).masked_fill(~visible, float("-inf"))

    return _computed_on_cpu(compute)


def _past(*lines: int) -> Tensor:
    """Return where a query of a line sees the keys up to itself, for ``lines`` of that length."""
    return torch.ones(*lines, lines[-1], dtype=torch.bool).tril()


def _window_visibility(grid: int, size: int) -> Tensor:
    """Return where the query at (row, column) sees key (i, column'), i counting rows from row - size + 1.

    Its shape is (grid, grid, size * grid).
    """
    row, offset, column = torch.arange(grid), torch.arange(size), torch.arange(grid)
    inside = (row[:, None] + offset - (size - 1) >= 0)[:, None, :, None]
    left = column[:, None] - column
    near = ((left >= 0) & (left < size))[None, :, None, :]
    return (inside & near).flatten(2)
