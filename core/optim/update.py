"""The updates that optimizers make to one parameter, in chunks and with norms that no number of threads changes."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.errors import GradientError
from core.optim.moments import read_moment, write_moment

_PIECE = 28_672  # below 32,768 elements torch does not split a sum among threads


def square_sum(tensor: Tensor) -> float:
    """Return the sum of squares of ``tensor``, of any shape, in float64.

    It is added up over pieces of a fixed size in a fixed order.
    """
    flat = tensor.detach().reshape(-1)
    norms = (
        float(torch.linalg.vector_norm(piece, dtype=torch.float64)) for piece in torch.split(flat, _PIECE)
    )
    return sum(norm * norm for norm in norms)


def norm(tensors: list[Tensor]) -> float:
    """Return the L2 norm of all elements of ``tensors``, of any shape; not finite if one element is not."""
    return math.sqrt(sum(square_sum(tensor) for tensor in tensors))


@dataclass(frozen=True)
class ParameterUpdate(ABC):
    """One step of one parameter, all of it flat; ``check`` reads, ``apply`` writes."""

    weights: Tensor
    gradient: Tensor
    state: dict[str, Tensor]
    clip: float
    """Factor by which all gradients are scaled."""
    lr: float
    betas: tuple[float, float]
    eps: float
    weight_decay: float
    block_size: int
    """Elements of a moment that share a scale."""
    chunk_size: int
    """Elements that the step works on at a time."""

    def check(self) -> float:
        """Return the L2 norm of the weights.

        A step from finite weights and moments is finite, since the norm of the gradients is bounded.

        Raises:
            GradientError: the weights or the state are not finite.
        """
        weight_norm = math.sqrt(square_sum(self.weights))
        moments = (item for item in self.state.values() if item.is_floating_point())
        if not math.isfinite(weight_norm + sum(map(_extent, moments))):
            raise GradientError(
                "The weights or the state of the optimizer are not finite: the update was not made.",
                "Continue from the last checkpoint; if it happens again, tell the organiser of the run.",
            )
        return weight_norm

    @abstractmethod
    def apply(self, weight_norm: float) -> None:
        """Write the new moments and weights; the gradient's memory is used up for what is computed on the way.

        Args:
            weight_norm: Result of ``check``, without unit.
        """

    def _chunks(self) -> Iterator[slice]:
        elements = self.weights.numel()
        for start in range(0, elements, self.chunk_size):
            yield slice(start, min(start + self.chunk_size, elements))

    def _advance(self, chunk: slice) -> tuple[Tensor, Tensor]:
        """Write the moments of a ``chunk`` after this step, and return them in float32, to be read alone.

        The operations and their order are those of torch's AdamW.
        """
        gradient = self.gradient[chunk]
        if self.clip != 1:
            gradient.mul_(self.clip)
        beta1, beta2 = self.betas
        first = read_moment(self.state, "exp_avg", chunk, self.block_size)
        second = read_moment(self.state, "exp_avg_sq", chunk, self.block_size)
        first.lerp_(gradient, 1 - beta1)
        second.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
        write_moment(self.state, "exp_avg", chunk, first, self.block_size)
        write_moment(self.state, "exp_avg_sq", chunk, second, self.block_size)
        return first, second


@dataclass(frozen=True)
class LambUpdate(ParameterUpdate):
    """A step of LAMB (You et al., 2020, algorithm 2)."""

    direction_scale: float
    """Factor that corrects the bias of the moments in the update's direction; 1: no correction."""
    clamp_value: float
    """Largest weight norm that the trust ratio sees."""

    def apply(self, weight_norm: float) -> None:
        """Write the new moments and weights, by the trust ratio of this parameter.

        The direction u of the update takes the place of the gradient: it is computed once, for its norm and the step,
        and no memory is taken for it.

        Args:
            weight_norm: Result of ``check``, without unit.
        """
        direction_norm = math.sqrt(sum(square_sum(self._direction(chunk)) for chunk in self._chunks()))
        rate = self.lr
        if weight_norm and direction_norm:
            rate *= min(weight_norm, self.clamp_value) / direction_norm
        for chunk in self._chunks():
            self.weights[chunk].add_(self.gradient[chunk], alpha=-rate)
        self.state["step"] += 1

    def _direction(self, chunk: slice) -> Tensor:
        """Advance the moments of a ``chunk``, and put the direction u of the update in place of the gradient."""
        first, second = self._advance(chunk)
        direction = torch.div(first, _root(second).add_(self.eps), out=self.gradient[chunk])
        if self.direction_scale != 1:
            direction.mul_(self.direction_scale)
        if self.weight_decay:
            direction.add_(self.weights[chunk], alpha=self.weight_decay)
        return direction


@dataclass(frozen=True)
class AdamWUpdate(ParameterUpdate):
    """A step of AdamW (Loshchilov and Hutter, 2019, algorithm 2), by the operations of ``torch.optim.AdamW``."""

    correction1: float
    """Divisor that corrects the bias of the first moment: 1 - beta1 to the power of the step."""
    correction2: float
    """Divisor that corrects the bias of the second moment: 1 - beta2 to the power of the step."""

    def apply(self, weight_norm: float) -> None:
        """Write the new moments and weights.

        Args:
            weight_norm: Norm of the weights, without unit; the size of a step does not depend on it.
        """
        for chunk in self._chunks():
            first, second = self._advance(chunk)
            divisor = _root(second).div_(self.correction2**0.5).add_(self.eps)
            weights = self.weights[chunk].mul_(1 - self.lr * self.weight_decay)
            weights.addcdiv_(first, divisor, value=-(self.lr / self.correction1))
        self.state["step"] += 1


def _root(values: Tensor) -> Tensor:
    """Return the square roots of ``values`` in new memory; torch's function starts threads from 2048 elements on."""
    return torch.from_numpy(np.sqrt(values.numpy()))


def _extent(values: Tensor) -> float:
    """Return the sum of the largest magnitudes of each piece of flat ``values``; not finite if one value is not."""
    pieces = (piece.aminmax() for piece in torch.split(values, _PIECE) if piece.numel())
    return sum(float(largest) - float(smallest) for smallest, largest in pieces)
