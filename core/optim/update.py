"""The update that LAMB makes to one parameter, in chunks and with norms that no number of threads changes."""

import math
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
class LambUpdate:
    """One step of one parameter, all of it flat; ``rate`` reads, ``apply`` writes."""

    weights: Tensor
    gradient: Tensor
    state: dict[str, Tensor]
    clip: float
    lr: float
    betas: tuple[float, float]
    eps: float
    direction_scale: float
    weight_decay: float
    clamp_value: float
    block_size: int
    chunk_size: int

    def rate(self) -> float:
        """Return the learning rate times the trust ratio.

        Raises:
            GradientError: the weights or the state are not finite.
        """
        weight_norm = math.sqrt(square_sum(self.weights))
        update_norm = math.sqrt(
            sum(square_sum(self._direction(*self._moments(c), c)) for c in self._chunks())
        )
        if not math.isfinite(weight_norm + update_norm):
            raise GradientError(
                "The weights or the state of the optimizer are not finite: the update was not made.",
                "Go on from the last checkpoint; if it happens again, tell the organiser of the run.",
            )
        if not weight_norm or not update_norm:
            return self.lr
        return self.lr * min(weight_norm, self.clamp_value) / update_norm

    def apply(self, rate: float) -> None:
        """Write the new moments and weights; ``rate`` is the result of ``self.rate()``, without unit."""
        for chunk in self._chunks():
            first, second = self._moments(chunk)
            write_moment(self.state, "exp_avg", chunk, first, self.block_size)
            write_moment(self.state, "exp_avg_sq", chunk, second, self.block_size)
            self.weights[chunk].add_(self._direction(first, second, chunk), alpha=-rate)
        self.state["step"] += 1

    def _chunks(self) -> Iterator[slice]:
        elements = self.weights.numel()
        for start in range(0, elements, self.chunk_size):
            yield slice(start, min(start + self.chunk_size, elements))

    def _moments(self, chunk: slice) -> tuple[Tensor, Tensor]:
        gradient = self.gradient[chunk] * self.clip
        beta1, beta2 = self.betas
        first = read_moment(self.state, "exp_avg", chunk, self.block_size)
        second = read_moment(self.state, "exp_avg_sq", chunk, self.block_size)
        first.mul_(beta1).add_(gradient, alpha=1 - beta1)
        second.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
        return first, second

    def _direction(self, first: Tensor, second: Tensor, chunk: slice) -> Tensor:
        """Compute the direction u of the update of a ``chunk``, in the memory of its moments."""
        np.sqrt(second.numpy(), out=second.numpy())  # torch's starts threads from 2048 elements on
        direction = first.div_(second.add_(self.eps))
        if self.direction_scale != 1:
            direction.mul_(self.direction_scale)
        if self.weight_decay:
            direction.add_(self.weights[chunk], alpha=self.weight_decay)
        return direction
