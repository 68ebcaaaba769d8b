"""Layers: what each has of its own, the weights that several share, and their join into residual branches."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from core.model.attention import Attention, Neighbourhood
from core.model.config import ModelConfig
from core.model.feed_forward import FeedForward
from core.model.reversible import Branch
from core.model.token_shift import token_shift


class WeightSet(nn.Module):
    """Attention and feed-forward weights, which may serve several layers."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.attention = Attention(config)
        self.feed_forward = FeedForward(config)


class Sublayer(nn.Module):
    """What a sublayer has of its own: a LayerNorm before, and a LayerScale (Touvron et al., 2021) after."""

    def __init__(self, config: ModelConfig, layer: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.dim)
        self.scale = nn.Parameter(torch.full((config.dim,), initial_scale(layer)))
        self._config = config

    def branch(self, function: Callable[[Tensor], Tensor], weights: nn.Module) -> Branch:
        """The residual branch around a function of (batch, positions, dim) that uses ``weights``."""

        def compute(x: Tensor) -> Tensor:
            return function(self._shifted(self.norm(x)))

        return Branch(compute, self.scale, (*self.norm.parameters(), *weights.parameters()))

    def _shifted(self, x: Tensor) -> Tensor:
        if not self._config.token_shift:
            return x
        return token_shift(x, self._config.text_positions, self._config.grid)


class Layer(nn.Module):
    """A layer's own parameters."""

    def __init__(self, config: ModelConfig, index: int) -> None:
        super().__init__()
        self.attention = Sublayer(config, index)
        self.feed_forward = Sublayer(config, index)

    def branches(
        self, weights: WeightSet, neighbourhood: Neighbourhood, table: Tensor
    ) -> tuple[Branch, Branch]:
        """Attention by a pattern, then feed-forward; ``table`` is that of ``rotation_table``."""

        def attend(x: Tensor) -> Tensor:
            out: Tensor = weights.attention(x, neighbourhood, table)
            return out

        return (
            self.attention.branch(attend, weights.attention),
            self.feed_forward.branch(weights.feed_forward, weights.feed_forward),
        )


def initial_scale(layer: int) -> float:
    """Where the LayerScale of a layer starts, layers counted from 0: the deeper, the smaller."""
    if layer < 18:
        return 0.1
    return 1e-5 if layer < 24 else 1e-6
