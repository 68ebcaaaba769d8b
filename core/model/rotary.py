"""Rotary angles for the text position and the image's row and column of every position in the sequence.

RoFormer (Su et al., 2021), with the three axes and two kinds of frequencies of dalle-pytorch 1.6.6.
"""

import math

import torch
from torch import Tensor

from core.model.config import ModelConfig

# Where dalle-pytorch puts the image on the text's axis, and the text on the image's two axes of [-1, 1].
_IMAGE_ON_TEXT_AXIS = 8192.0
_TEXT_ON_IMAGE_AXES = -10.0


def rotary_angles(config: ModelConfig) -> Tensor:
    """Angle by position and pair of channels: float32, (text_positions + grid * grid, dim_head / 2).

    Each axis turns a third of a head, rounded down to pairs; the channels left over stay as they are. Angles
    are rounded as dalle-pytorch rounds them: at position 8192 float32 is off by 5e-4 radians, and published
    weights were trained with that.
    """
    pairs = config.dim_head // 3 // 2
    by_word = 1.0 / 10_000 ** (torch.arange(0, 2 * pairs, 2).float() / (config.dim_head // 3))
    word = torch.arange(config.text_positions).float()
    outside = torch.full((config.text_positions,), _TEXT_ON_IMAGE_AXES)
    # Named: transformers replaces linspace for a while, and PyTorch may then have a context's device not reach it.
    by_pixel = torch.linspace(1.0, 5.0, pairs, device=word.device) * math.pi
    line = torch.linspace(-1.0, 1.0, config.grid, device=word.device)
    words = torch.cat([word, torch.full((config.image_length,), _IMAGE_ON_TEXT_AXIS)])
    rows = torch.cat([outside, line.repeat_interleave(config.grid)])
    columns = torch.cat([outside, line.repeat(config.grid)])
    still = torch.zeros(len(words), config.dim_head // 2 - 3 * pairs)
    return torch.cat([words.outer(by_word), rows.outer(by_pixel), columns.outer(by_pixel), still], dim=1)


def rotation_table(config: ModelConfig) -> Tensor:
    """What turns a pair of channels, as a complex number (cos, sin): (positions, dim_head / 2, 2)."""
    angles = rotary_angles(config) if config.rotary else rotary_angles(config).zero_()
    return torch.stack([angles.cos(), angles.sin()], dim=-1)
