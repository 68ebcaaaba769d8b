"""Layers: what each has of its own, the weights that several share, and their join into residual branches."""

import torch
from torch import Tensor, nn

from core.model.attention import Attention, AttentionBranch
from core.model.config import ModelConfig
from core.model.ends import BranchEntry
from core.model.feed_forward import FeedForward, FeedForwardBranch
from core.model.positions import Neighbourhood
from core.model.stack import Branch


class WeightSet(nn.Module):
    """Attention and feed-forward weights, which may serve several layers."""

    def __init__(self, config: ModelConfig) -> None:
        """Make the weights in the sizes of ``config``."""
        super().__init__()
        self.attention = Attention(config)
        self.feed_forward = FeedForward(config)


class Sublayer(nn.Module):
    """Own parameters of a sublayer: a LayerNorm before, and a LayerScale (Touvron et al., 2021) after."""

    def __init__(self, config: ModelConfig, layer: int) -> None:
        """Make the parameters in the sizes of ``config``.

        The number ``layer``, counted from 0, decides the initial LayerScale.
        """
        super().__init__()
        self.norm = nn.LayerNorm(config.dim)
        self.scale = nn.Parameter(torch.full((config.dim,), initial_scale(layer)))
        self._config = config

    def entry(self, dtype: torch.dtype) -> BranchEntry:
        """Return the entry of a stream into the sublayer, whose weights have the type ``dtype``."""
        config = self._config
        return BranchEntry(self.norm, config.text_positions, config.grid, config.token_shift, dtype)


class Layer(nn.Module):
    """A layer's own parameters."""

    def __init__(self, config: ModelConfig, index: int) -> None:
        """Make the parameters of the layer number ``index``, counted from 0, in the sizes of ``config``."""
        super().__init__()
        self.attention = Sublayer(config, index)
        self.feed_forward = Sublayer(config, index)

    def branches(
        self, weights: WeightSet, neighbourhood: Neighbourhood, table: Tensor
    ) -> tuple[Branch, Branch]:
        """Join the layer with shared weights into its attention branch and its feed-forward branch.

        Args:
            weights: Weights, which may serve several layers.
            neighbourhood: The codes that each code sees.
            table: Rotations by `core.model.positions.rotation_table`, (positions, dim_head / 2, 2).
        """
        entry = self.attention.entry(weights.attention.to_qkv.weight.dtype)
        attention = AttentionBranch(entry, weights.attention, self.attention.scale, neighbourhood, table)
        entry = self.feed_forward.entry(weights.feed_forward.to_hidden.weight.dtype)
        return attention, FeedForwardBranch(entry, weights.feed_forward, self.feed_forward.scale)


def initial_scale(layer: int) -> float:
    """Return the initial LayerScale of a ``layer``, counted from 0: the deeper, the smaller."""
    if layer < 18:
        return 0.1
    return 1e-5 if layer < 24 else 1e-6
