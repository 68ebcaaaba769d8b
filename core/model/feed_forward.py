"""The feed-forward sublayer: a GEGLU (Shazeer, 2020) between two linear maps."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from core.model.config import ModelConfig


class FeedForward(nn.Module):
    """Position by position; its weights may serve several layers."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        inner = config.feed_forward_factor * config.dim
        self.to_hidden = nn.Linear(config.dim, 2 * inner)
        self.to_out = nn.Linear(inner, config.dim)

    def forward(self, x: Tensor) -> Tensor:
        """Map (..., dim) to the same shape."""
        out: Tensor = self.to_out(geglu(self.to_hidden(x)))
        return out


def geglu(hidden: Tensor) -> Tensor:
    """The first half of the last dimension times the GELU of the second."""
    out: Tensor = _GEGLU.apply(hidden)  # type: ignore[no-untyped-call]
    return out


class _GEGLU(torch.autograd.Function):
    """Keeps its input alone, and writes both halves of the gradient in place."""

    @staticmethod
    def forward(ctx: Any, hidden: Tensor) -> Tensor:
        ctx.save_for_backward(hidden)
        value, gate = hidden.chunk(2, dim=-1)
        return F.gelu(gate).mul_(value)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (hidden,) = ctx.saved_tensors
        value, gate = hidden.chunk(2, dim=-1)
        out = torch.empty_like(hidden)
        of_value, of_gate = out.chunk(2, dim=-1)
        torch.mul(grad, F.gelu(gate), out=of_value)
        torch.ops.aten.gelu_backward.grad_input(grad * value, gate, grad_input=of_gate)
        return out
