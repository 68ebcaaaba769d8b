"""LAMB as the textbook has it (You et al., 2020, algorithm 2), in float32 and on whole tensors."""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

_BETA1, _BETA2, _EPS = 0.9, 0.96, 1e-6


class PlainLamb:
    """The paper's settings, those of ``Lamb8bit`` by default: global clipping, no bias correction, clamped norm."""

    def __init__(
        self,
        parameters: Iterable[Tensor],
        lr: float,
        *,
        weight_decay: float = 0.045,
        max_grad_norm: float = 4.0,
    ) -> None:
        self.parameters = list(parameters)
        self._lr, self._weight_decay, self._max_grad_norm = lr, weight_decay, max_grad_norm
        self._first = [torch.zeros_like(item) for item in self.parameters]
        self._second = [torch.zeros_like(item) for item in self.parameters]

    @property
    def state(self) -> Sequence[Tensor]:
        """The first and second moments of every parameter."""
        return (*self._first, *self._second)

    @torch.no_grad()
    def step(self) -> None:
        """Update every parameter by its gradient, scaling the gradients themselves if they are too long."""
        torch.nn.utils.clip_grad_norm_(self.parameters, self._max_grad_norm)
        for weight, first, second in zip(self.parameters, self._first, self._second, strict=True):
            assert weight.grad is not None
            first.lerp_(weight.grad, 1 - _BETA1)
            second.mul_(_BETA2).addcmul_(weight.grad, weight.grad, value=1 - _BETA2)
            update = first / (second.sqrt() + _EPS) + self._weight_decay * weight
            weight.sub_(update * (self._lr * _trust_ratio(weight, update)))


def _trust_ratio(weight: Tensor, update: Tensor) -> float:
    weight_norm, update_norm = float(weight.norm()), float(update.norm())
    return min(weight_norm, 10_000.0) / update_norm if weight_norm and update_norm else 1.0
