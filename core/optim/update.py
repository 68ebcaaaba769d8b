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
    """One step of one parameter, all of it flat; ``rate`` reads, ``apply`` writes."""

    weights: Tensor
    gradient: Tensor
    state: dict[str, Tensor]
    clip: float
    lr: float
    betas: tuple[float, float]
    eps: float
    weight_decay: float
    block_size: int
    chunk_size: int

    @abstractmethod
    def rate(self) -> float:
        """Return the length of the step, without unit, that ``apply`` is to make.

        Raises:
            GradientError: the weights or the state are not finite.
        """

    @abstractmethod
    def apply(self, rate: float) -> None:
        """Write the new moments and weights; ``rate`` is the result of ``self.rate()``, without unit."""

    def _chunks(self) -> Iterator[slice]:
        elements = self.weights.numel()
        for start in range(0, elements, self.chunk_size):
            yield slice(start, min(start + self.chunk_size, elements))

    def _moments(self, chunk: slice) -> tuple[Tensor, Tensor]:
        """Return the moments of a ``chunk`` after this step; the operations and their order are torch's AdamW's."""
        gradient = self.gradient[chunk] * self.clip
        beta1, beta2 = self.betas
        first = read_moment(self.state, "exp_avg", chunk, self.block_size)
        second = read_moment(self.state, "exp_avg_sq", chunk, self.block_size)
        first.lerp_(gradient, 1 - beta1)
        second.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
        return first, second

    def _write_moments(self, first: Tensor, second: Tensor, chunk: slice) -> None:
        write_moment(self.state, "exp_avg", chunk, first, self.block_size)
        write_moment(self.state, "exp_avg_sq", chunk, second, self.block_size)


@dataclass(frozen=True)
class LambUpdate(ParameterUpdate):
    """A step of LAMB (You et al., 2020, algorithm 2)."""

    direction_scale: float
    clamp_value: float

    def rate(self) -> float:
        """Return the learning rate times the trust ratio.

        Raises:
            GradientError: the weights or the state are not finite.
        """
        weight_norm = math.sqrt(square_sum(self.weights))
        update_norm = math.sqrt(
            sum(square_sum(self._direction(*self._moments(c), c)) for c in self._chunks())
        )
        _require_finite(weight_norm + update_norm)
        if not weight_norm or not update_norm:
            return self.lr
        return self.lr * min(weight_norm, self.clamp_value) / update_norm

    def apply(self, rate: float) -> None:
        """Write the new moments and weights; ``rate`` is the result of ``self.rate()``, without unit."""
        for chunk in self._chunks():
            first, second = self._moments(chunk)
            self._write_moments(first, second, chunk)
            self.weights[chunk].add_(self._direction(first, second, chunk), alpha=-rate)
        self.state["step"] += 1

    def _direction(self, first: Tensor, second: Tensor, chunk: slice) -> Tensor:
        """Compute the direction u of the update of a ``chunk``, in the memory of its moments."""
        direction = first.div_(_root(second).add_(self.eps))
        if self.direction_scale != 1:
            direction.mul_(self.direction_scale)
        if self.weight_decay:
            direction.add_(self.weights[chunk], alpha=self.weight_decay)
        return direction


@dataclass(frozen=True)
class AdamWUpdate(ParameterUpdate):
    """A step of AdamW (Loshchilov and Hutter, 2019, algorithm 2), by the operations of ``torch.optim.AdamW``."""

    correction1: float
    correction2: float

    def rate(self) -> float:
        """Return the learning rate: the size of a step does not depend on the weights.

        A step from finite weights and moments is finite, since the gradients' norm is bounded.

        Raises:
            GradientError: the weights or the state are not finite.
        """
        floats = (item for item in self.state.values() if item.is_floating_point())
        _require_finite(sum(map(square_sum, (self.weights, *floats))))
        return self.lr

    def apply(self, rate: float) -> None:
        """Write the new moments and weights; ``rate`` is the result of ``self.rate()``, without unit."""
        for chunk in self._chunks():
            first, second = self._moments(chunk)
            self._write_moments(first, second, chunk)
            divisor = _root(second).div_(self.correction2**0.5).add_(self.eps)
            weights = self.weights[chunk].mul_(1 - rate * self.weight_decay)
            weights.addcdiv_(first, divisor, value=-(rate / self.correction1))
        self.state["step"] += 1


def _root(values: Tensor) -> Tensor:
    """Take the square roots of ``values`` in place; torch's starts threads from 2048 elements on."""
    np.sqrt(values.numpy(), out=values.numpy())
    return values


def _require_finite(value: float) -> None:
    if not math.isfinite(value):
        raise GradientError(
            "The weights or the state of the optimizer are not finite: the update was not made.",
            "Go on from the last checkpoint; if it happens again, tell the organiser of the run.",
        )
