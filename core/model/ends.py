"""The two ends of a residual branch: LayerNorm and token shift before it, projection and LayerScale after it."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from core.model.gradients import Gradients, Part
from core.model.token_shift import token_shift, token_shift_backward

_LARGEST_BOOST = 100
"""As a power of two: that of a gradient of zero must not be infinite."""


class Entered(NamedTuple):
    """What a branch computes with, (batch, positions, dim), and the statistics of its LayerNorm."""

    values: Tensor
    mean: Tensor
    inverse_deviation: Tensor


@dataclass(frozen=True)
class Entry:
    """LayerNorm, then token shift if the model has it; the result has the type of the branch's weights."""

    norm: nn.LayerNorm
    text_positions: int
    grid: int
    shifts: bool
    dtype: torch.dtype

    def enter(self, x: Tensor) -> Entered:
        """For a stream (batch, positions, dim)."""
        normal, mean, inverse = normalise(x, self.norm)
        if self.shifts:
            normal = token_shift(normal, self.text_positions, self.grid)
        return Entered(normal.to(self.dtype), mean, inverse)

    def backward(self, grad: Tensor, x: Tensor, entered: Entered, gradients: Gradients) -> Tensor:
        """The gradient of the stream, from that of the entered values; adds those of the norm."""
        grad = grad.to(x.dtype)
        if self.shifts:
            grad = token_shift_backward(grad, self.text_positions, self.grid)
        return normalise_backward(grad, x, entered.mean, entered.inverse_deviation, self.norm, gradients)


class TakenOff(NamedTuple):
    """Gradients from an output that was made again: of the output itself, before its scale, and of the scale."""

    of_out: Tensor
    of_scale: Tensor


@dataclass(frozen=True)
class Exit:
    """A linear map to the stream, and the LayerScale (Touvron et al., 2021) that weighs what it adds there."""

    linear: nn.Linear
    scale: Tensor

    def add_to(self, stream: Tensor, rows: Tensor) -> None:
        """Add the branch's output to ``stream`` (rows, dim); ``rows`` (rows, inner)."""
        stream.addcmul_(self.linear(rows), self.scale)

    def take_off(self, stream: Tensor, rows: Tensor, grad: Tensor) -> "TakenOff":
        """Undo `add_to`; ``grad`` is the gradient of the stream."""
        out = self.linear(rows)
        stream.addcmul_(out, self.scale, value=-1)
        of_scale = out.to(grad.dtype).mul_(grad).sum(dim=0)
        return TakenOff((grad * self.scale).to(rows.dtype), of_scale)

    def rows_gradient(self, grad: Tensor) -> Tensor:
        """The gradient of ``rows``, from that of the stream."""
        return (grad * self.scale).to(self.linear.weight.dtype) @ self.linear.weight

    def product(self, grad: Tensor, rows: Tensor) -> Tensor:
        """``grad.mT @ rows``, (dim, inner), in the stream's type; ``grad`` (rows, dim) is the stream's gradient."""
        if rows.dtype != torch.float16:
            return (grad.to(rows.dtype).mT @ rows).to(grad.dtype)
        factor = boost(grad)
        return ((grad * factor).to(rows.dtype).mT @ rows).to(grad.dtype).div_(factor)

    def add_gradients(self, product: Tensor, grad: Tensor, gradients: Gradients) -> None:
        """Add the gradients of the parameters, without the output: that of the scale follows from the weight's.

        ``grad`` is that of the stream for all rows, ``product`` what `product` gave, summed over all rows.
        """
        if not gradients.wanted:
            return
        weight, bias = self.linear.weight, self.linear.bias
        summed = grad.sum(dim=0)
        of_scale = torch.linalg.vecdot(product, weight.to(grad.dtype)) + bias * summed
        gradients.add(self.scale, of_scale)
        gradients.add(weight, product.mul_(self.scale[:, None]))
        gradients.add(bias, self.scale * summed)


def boost(grad: Tensor) -> Tensor:
    """The power of two by which a gradient (..., dim) fills the range of float16, which is 2^-24 to 2^16.

    If all its rows were as large as the largest value, they would add up to 2^12: products stay well inside.
    """
    rows = max(1, grad.numel() // grad.shape[-1])
    largest = grad.abs().amax().clamp_min(torch.finfo(torch.float32).tiny)
    return torch.exp2((12 - math.log2(rows) - largest.log2()).floor().clamp(max=_LARGEST_BOOST))


def linear_gradients(
    linear: nn.Linear, grad: Tensor, rows: Tensor, gradients: Gradients
) -> tuple[Part, Tensor] | None:
    """What a linear map's weight and bias are to be added; shapes (rows, out) and (rows, in).

    None if nothing is wanted. It takes memory, and `add_linear_gradients` takes none.
    """
    if not gradients.wanted:
        return None
    part = gradients.product(linear.weight, grad, rows)
    return part, grad.sum(dim=0, dtype=gradients.of(linear.weight).dtype)


def add_linear_gradients(linear: nn.Linear, found: tuple[Part, Tensor] | None, gradients: Gradients) -> None:
    """Add what `linear_gradients` found."""
    if found is None:
        return
    gradients.add_part(found[0])
    if linear.bias is not None:
        gradients.add(linear.bias, found[1])


def normalise(x: Tensor, norm: nn.LayerNorm) -> tuple[Tensor, Tensor, Tensor]:
    """LayerNorm, and its means and inverse deviations, which its gradient needs."""
    return torch.native_layer_norm(x, norm.normalized_shape, norm.weight, norm.bias, norm.eps)


def normalise_backward(
    grad: Tensor, x: Tensor, mean: Tensor, inverse_deviation: Tensor, norm: nn.LayerNorm, gradients: Gradients
) -> Tensor:
    """The gradient of ``x``; adds those of the norm's weight and bias."""
    out: Tensor
    out, of_weight, of_bias = torch.ops.aten.native_layer_norm_backward(
        grad, x, norm.normalized_shape, mean, inverse_deviation, norm.weight, norm.bias, [True, True, True]
    )
    gradients.add(norm.weight, of_weight)
    gradients.add(norm.bias, of_bias)
    return out
