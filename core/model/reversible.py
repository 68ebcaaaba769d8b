"""Residual stacks, reversible or not: what runs them forward, and backward from the last activations alone.

RevNet (Gomez et al., 2017) as in Brügger et al. (2019): two streams, y1 = x1 + f(x2), y2 = x2 + g(y1), so
the inputs of a layer follow from its outputs, and memory does not grow with depth. Branches must be
deterministic.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


@dataclass(frozen=True)
class Branch:
    """A residual branch: adds ``scale * compute(x)``, where ``compute`` depends on ``parameters``."""

    compute: Callable[[Tensor], Tensor]
    scale: Tensor
    parameters: tuple[Tensor, ...]

    def add_to(self, stream: Tensor, x: Tensor) -> Tensor:
        """``stream + scale * compute(x)``."""
        return torch.addcmul(stream, self.compute(x), self.scale)


Layers = Sequence[tuple[Branch, Branch]]


def residual_stack(x: Tensor, layers: Layers) -> Tensor:
    """The plain residual stack."""
    for f, g in layers:
        x = f.add_to(x, x)
        x = g.add_to(x, x)
    return x


def reversible_stack(x: Tensor, layers: Layers, recompute: bool = True) -> Tensor:
    """Start both streams at ``x`` and return their mean at the end.

    With ``recompute`` only the last activations are kept, for a third more computing; else all are.
    """
    if not (recompute and torch.is_grad_enabled()):
        first, second = _forward(x, layers)
    else:
        parameters = _parameters(layers)
        autocast = torch.is_autocast_enabled(x.device.type)
        first, second = _Reversible.apply(x, layers, autocast, *parameters)  # type: ignore[no-untyped-call]
    return (first + second) / 2


def _forward(x: Tensor, layers: Layers) -> tuple[Tensor, Tensor]:
    first = second = x
    for f, g in layers:
        first = f.add_to(first, second)
        second = g.add_to(second, first)
    return first, second


def _parameters(layers: Layers) -> list[Tensor]:
    """Every parameter once, however many layers share it."""
    found = {}
    for layer in layers:
        for branch in layer:
            found.update({id(p): p for p in (branch.scale, *branch.parameters)})
    return list(found.values())


class _Reversible(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, layers: Layers, autocast: bool, *parameters: Tensor
    ) -> tuple[Tensor, Tensor]:
        kind = x.device.type
        ctx.layers, ctx.autocast = layers, (kind, torch.get_autocast_dtype(kind), autocast)
        with _autocast(ctx.autocast):
            first, second = _forward(x, layers)
        ctx.save_for_backward(first, second, *parameters)
        return first, second

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, first_grad: Tensor, second_grad: Tensor) -> tuple[Tensor | None, ...]:
        first, second, *_ = ctx.saved_tensors
        grads = _Gradients(_parameters(ctx.layers))
        with _autocast(ctx.autocast):
            for f, g in reversed(ctx.layers):
                second, first_grad = _undo(g, second, first, second_grad, first_grad, grads)
                first, second_grad = _undo(f, first, second, first_grad, second_grad, grads)
        return first_grad + second_grad, None, None, *grads.in_order()


def _autocast(state: tuple[str, torch.dtype, bool]) -> torch.autocast:
    """The forward pass's autocast, without its cache: weights cast without gradients must not be found."""
    kind, dtype, enabled = state
    return torch.autocast(kind, dtype=dtype, enabled=enabled, cache_enabled=False)


class _Gradients:
    """Sums of the gradients of parameters that several layers share."""

    def __init__(self, parameters: Sequence[Tensor]) -> None:
        self._parameters = parameters
        self._sums: dict[int, Tensor] = {}

    def add(self, parameter: Tensor, grad: Tensor) -> None:
        known = self._sums.get(id(parameter))
        self._sums[id(parameter)] = grad if known is None else known.add_(grad)

    def in_order(self) -> list[Tensor]:
        return [self._sums[id(parameter)] for parameter in self._parameters]


def _undo(
    branch: Branch, stream: Tensor, x: Tensor, stream_grad: Tensor, x_grad: Tensor, grads: _Gradients
) -> tuple[Tensor, Tensor]:
    """Take the branch's output off its stream again, and its gradient through it.

    Returns the stream as it was before, and the whole gradient of ``x``.
    """
    x = x.detach().requires_grad_()
    with torch.enable_grad():
        out = branch.compute(x)
    out_grad = (stream_grad * branch.scale).to(out.dtype)
    x_part, *parts = torch.autograd.grad(out, (x, *branch.parameters), out_grad)
    out = out.detach()
    grads.add(branch.scale, (stream_grad * out).sum_to_size(branch.scale.shape))
    for parameter, part in zip(branch.parameters, parts, strict=True):
        grads.add(parameter, part)
    return torch.addcmul(stream, out, branch.scale, value=-1), x_grad + x_part
