"""The two ends of a residual branch: LayerNorm and token shift before it, projection and LayerScale after it.

Token shift is that of dalle-pytorch 1.6.6: text takes its first half of channels from the previous token; codes take
their first quarter from the code above and their second from the code to the left. Zeros come in at the borders,
and nothing crosses from text to image.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from core.model.gradients import GradientPart, Gradients
from core.model.kernels import Kernels, kernels_for
from core.model.products import column_sums, wide_product


def token_shift(x: Tensor, text_positions: int, grid: int) -> Tensor:
    """Shift the channels of ``x``, (batch, positions, dim), into a new tensor.

    Positions are ``text_positions`` of text, then whole rows of ``grid`` codes; dim is a multiple of 4.
    """
    half, quarter = x.shape[2] // 2, x.shape[2] // 4
    out = x.clone()
    text, image = out[:, :text_positions], out[:, text_positions:]
    text_in, image_in = x[:, :text_positions], x[:, text_positions:]
    text[:, 1:, :half] = text_in[:, :-1, :half]
    text[:, 0, :half] = 0
    image[:, grid:, :quarter] = image_in[:, :-grid, :quarter]
    image[:, :grid, :quarter] = 0
    image[:, 1:, quarter:half] = image_in[:, :-1, quarter:half]
    image[:, ::grid, quarter:half] = 0
    return out


def token_shift_backward(grad: Tensor, text_positions: int, grid: int) -> Tensor:
    """Compute the gradient of the input of `token_shift`, (batch, positions, dim).

    ``grad`` is that of its result, in the same shape; ``text_positions`` and ``grid`` are those of the
    forward pass.
    """
    half, quarter = grad.shape[2] // 2, grad.shape[2] // 4
    out = grad.clone()
    text, image = out[:, :text_positions], out[:, text_positions:]
    text_out, image_out = grad[:, :text_positions], grad[:, text_positions:]
    text[:, :-1, :half] = text_out[:, 1:, :half]
    text[:, -1, :half] = 0
    image[:, :-grid, :quarter] = image_out[:, grid:, :quarter]
    image[:, -grid:, :quarter] = 0
    image[:, :-1, quarter:half] = image_out[:, 1:, quarter:half]
    image[:, grid - 1 :: grid, quarter:half] = 0
    return out


_LARGEST_BOOST = 100
"""Largest boost as a power of two: that of a gradient of zero must not be infinite."""


class BranchInput(NamedTuple):
    """Input of a branch, (batch, positions, dim), and the statistics of its LayerNorm."""

    values: Tensor
    mean: Tensor
    inverse_deviation: Tensor


@dataclass(frozen=True)
class BranchEntry:
    """LayerNorm, then token shift if the model has it; the result has the type of the branch's weights."""

    norm: nn.LayerNorm
    text_positions: int
    grid: int
    """Codes along one side of an image."""
    shifts: bool
    dtype: torch.dtype

    def enter(self, x: Tensor) -> BranchInput:
        """Normalise and shift a stream ``x``, (batch, positions, dim)."""
        normal, mean, inverse = normalise(x, self.norm)
        return BranchInput(self._shifted(normal), mean, inverse)

    def backward(self, grad: Tensor, x: Tensor, entered: BranchInput, gradients: Gradients) -> Tensor:
        """Compute the gradient of the stream, (batch, positions, dim), and add those of the norm.

        Args:
            grad: Gradient of the entered values, (batch, positions, dim).
            x: The stream of the forward pass, (batch, positions, dim).
            entered: Result of `enter`, of which only the statistics are used.
            gradients: Sums that the norm's gradients are added to.
        """
        return normalise_backward(
            self._unshifted(grad, x.dtype), x, entered.mean, entered.inverse_deviation, self.norm, gradients
        )

    def _shifted(self, normal: Tensor) -> Tensor:
        if not self.shifts:
            return normal.to(self.dtype)
        if kernels := self._kernels(normal, normal.dtype):
            return kernels.shift(normal, self.dtype, self.text_positions, self.grid)
        # Rounded before it is shifted: fewer bytes move.
        return token_shift(normal.to(self.dtype), self.text_positions, self.grid)

    def _unshifted(self, grad: Tensor, dtype: torch.dtype) -> Tensor:
        if not self.shifts:
            return grad.to(dtype)
        if kernels := self._kernels(grad, dtype):
            return kernels.shift_backward(grad, self.text_positions, self.grid)
        return token_shift_backward(grad, self.text_positions, self.grid).to(dtype)

    def _kernels(self, x: Tensor, stream: torch.dtype) -> Kernels | None:
        """Return the kernels for ``x``, (batch, positions, dim), if the stream's type is theirs."""
        if stream != torch.float32:
            return None
        return kernels_for(x, dtype=self.dtype, channels=x.shape[2] // 4)


class TakenOff(NamedTuple):
    """Gradients of an output that was computed again: of the output before its scale, and of the scale."""

    of_out: Tensor
    of_scale: Tensor


@dataclass(frozen=True)
class Exit:
    """A linear map to the stream, and the LayerScale (Touvron et al., 2021) that scales its output."""

    linear: nn.Linear
    scale: Tensor

    def add_to(self, stream: Tensor, rows: Tensor) -> None:
        """Add the branch's output for ``rows``, (rows, inner), to ``stream``, (rows, dim)."""
        stream.addcmul_(self.linear(rows), self.scale)

    def take_off(self, stream: Tensor, rows: Tensor, grad: Tensor) -> "TakenOff":
        """Undo `add_to`, and compute the gradients of the output and of the scale.

        Args:
            stream: Stream behind the branch, (rows, dim), which becomes the stream before it.
            rows: Rows that were added, (rows, inner).
            grad: Gradient of the stream, (rows, dim).

        Returns:
            The gradient of the output before its scale, (rows, dim), and that of the scale, of shape (dim,).
        """
        out = self.linear(rows)
        stream.addcmul_(out, self.scale, value=-1)
        of_scale = out.to(grad.dtype).mul_(grad).sum(dim=0)
        return TakenOff((grad * self.scale).to(rows.dtype), of_scale)

    def rows_gradient(self, grad: Tensor) -> Tensor:
        """Compute the gradient of ``rows``, (rows, inner), from ``grad``, that of the stream, (rows, dim)."""
        return (grad * self.scale).to(self.linear.weight.dtype) @ self.linear.weight

    def product(self, grad: Tensor, rows: Tensor) -> Tensor:
        """Return ``grad.mT @ rows``, (dim, inner), in the stream's type.

        ``grad`` is the gradient of the stream, (rows, dim), and ``rows`` are those that were added, (rows,
        inner).
        """
        if rows.dtype != torch.float16:
            return wide_product(grad.to(rows.dtype).mT, rows, grad.dtype)
        factor = boost(grad)
        return wide_product((grad * factor).to(rows.dtype).mT, rows, grad.dtype).div_(factor)

    def add_gradients(self, product: Tensor, grad: Tensor, gradients: Gradients) -> None:
        """Add the gradients of the parameters without the output: that of the scale follows from the weight's.

        Args:
            product: Sum of the results of `product` over all rows, (dim, inner); it is used up.
            grad: Gradient of the stream for all rows, (rows, dim).
            gradients: Sums that the gradients are added to.
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
    """Return the power of two by which ``grad``, (..., dim), fills float16's range of 2^-24 to 2^16, a scalar.

    If all its rows were as large as the largest value, they would add up to 2^12: products stay well inside.
    """
    rows = max(1, grad.numel() // grad.shape[-1])
    largest = grad.abs().amax().clamp_min(torch.finfo(torch.float32).tiny)
    return torch.exp2((12 - math.log2(rows) - largest.log2()).floor().clamp(max=_LARGEST_BOOST))


def linear_gradients(
    linear: nn.Linear, grad: Tensor, rows: Tensor, gradients: Gradients
) -> tuple[GradientPart, Tensor] | None:
    """Prepare the gradients of a linear map's weight and bias.

    It takes memory, and `add_linear_gradients` takes none.

    Args:
        linear: The linear map.
        grad: Gradient of its outputs, (rows, out).
        rows: Its inputs, (rows, in).
        gradients: Sums that they will be added to.

    Returns:
        The gradient of the weight, and that of the bias, of shape (out,); None if they are not wanted.
    """
    if not gradients.wanted:
        return None
    part = gradients.product(linear.weight, grad, rows)
    return part, column_sums(grad, gradients.of(linear.weight).dtype)


def add_linear_gradients(
    linear: nn.Linear, found: tuple[GradientPart, Tensor] | None, gradients: Gradients
) -> None:
    """Add the gradients that `linear_gradients` found for ``linear`` to ``gradients``.

    ``found`` is its result: the weight's gradient, and the bias's, of shape (out,); None adds nothing.
    """
    if found is None:
        return
    gradients.add_part(found[0])
    if linear.bias is not None:
        gradients.add(linear.bias, found[1])


def normalise(x: Tensor, norm: nn.LayerNorm) -> tuple[Tensor, Tensor, Tensor]:
    """Apply the LayerNorm ``norm`` to ``x``, (..., dim).

    Returns:
        The result, of the same shape, and for its gradient the means and inverse deviations, (..., 1).
    """
    return torch.native_layer_norm(x, norm.normalized_shape, norm.weight, norm.bias, norm.eps)


def normalise_backward(
    grad: Tensor, x: Tensor, mean: Tensor, inverse_deviation: Tensor, norm: nn.LayerNorm, gradients: Gradients
) -> Tensor:
    """Compute the gradient of ``x``, in its shape, and add those of the norm's weight and bias.

    Args:
        grad: Gradient of the normalised values, of the shape of ``x``.
        x: Input of `normalise`.
        mean: Means that `normalise` returned.
        inverse_deviation: Inverse deviations that `normalise` returned.
        norm: The LayerNorm.
        gradients: Sums that the norm's gradients are added to.
    """
    out: Tensor
    out, of_weight, of_bias = torch.ops.aten.native_layer_norm_backward(
        grad, x, norm.normalized_shape, mean, inverse_deviation, norm.weight, norm.bias, [True, True, True]
    )
    gradients.add(norm.weight, of_weight)
    gradients.add(norm.bias, of_bias)
    return out
