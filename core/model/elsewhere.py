"""Passes at other parameters than the model's own, which has its values and gradients back afterwards."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn


class Elsewhere:
    """Other values of a model's parameters, and sums of gradients there.

    Values change places with the model's, so that recorded micro-steps stay valid. What the model does not use
    meanwhile is in the computer's memory, so that a GPU needs no more of its own.
    """

    def __init__(
        self,
        parameters: Sequence[nn.Parameter],
        values: Sequence[Tensor],
        sums: Sequence[Tensor] | None = None,
    ) -> None:
        """Take copies of ``values``, one for each of the model's ``parameters`` in their order and shapes.

        Each parameter has a gradient. ``sums`` are those of another place, in the same shapes, to which gradients are
        added from now on; None begins at zero.
        """
        self._parameters = list(parameters)
        self._values = [
            value.to("cpu", parameter.dtype, copy=True)
            for parameter, value in zip(parameters, values, strict=True)
        ]
        gradients = map(self._gradient, parameters)
        self.sums = (
            list(sums) if sums is not None else [torch.zeros_like(item, device="cpu") for item in gradients]
        )
        """Sums of gradients, on the CPU and in the shapes of the parameters."""

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Give the model the other values within; gradients add up in sums of their own."""
        self._change_places()
        try:
            yield
        finally:
            self._change_places()

    @torch.no_grad()
    def _change_places(self) -> None:
        for parameter, value, gradients in zip(self._parameters, self._values, self.sums, strict=True):
            _swap(parameter, value)
            _swap(self._gradient(parameter), gradients)

    @staticmethod
    def _gradient(parameter: nn.Parameter) -> Tensor:
        assert parameter.grad is not None, "micro-steps give each parameter a gradient"
        return parameter.grad


def _swap(one: Tensor, other: Tensor) -> None:
    kept = one.to("cpu", copy=True)
    one.copy_(other)
    other.copy_(kept)
