"""The sums that a backward pass adds the gradients of parameters to: in place, wherever there is a place already."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import torch
from torch import Tensor

from core.model.products import wide_product


class GradientPart(NamedTuple):
    """Gradient to be added for a parameter; all memory that adding it needs is taken already."""

    parameter: Tensor
    gradient: Tensor | None
    """Gradient of the parameter's shape; None: the product of the rows is added in place."""
    of_outputs: Tensor
    inputs: Tensor
    """Rows of a linear map's outputs' gradients and of its inputs, (rows, out) and (rows, in)."""


class Gradients:
    """Sums of gradients: in a parameter's own ``.grad`` if it has one, else in a new tensor.

    A parameter that several layers share has one sum. Those in ``.grad`` need no memory and no second pass, and
    autograd must not add them again: ``new`` gives the others alone.

    A backward pass goes through stages, the same ones in the same order whatever the batch: the two vocabularies, the
    sublayers from the last to the first, the embedding. A stage takes all its memory before it adds anything, so
    that after an out-of-memory error ``done`` says what has been added, and a repetition in smaller batches can
    ``skip`` just that.
    """

    def __init__(self, skip: int = 0) -> None:
        self.done = 0
        """Stages that were finished, skipped ones included."""
        self.factor: Tensor | None = None
        """Scalar that gradients still have to be multiplied by before they are added; None: no factor."""
        self._skip = skip
        self._new: dict[int, Tensor] = {}

    @contextmanager
    def stage(self) -> Iterator[None]:
        """Enclose one stage of the backward pass, and count it in ``done`` if it succeeds."""
        yield
        self.done += 1

    @property
    def complete(self) -> bool:
        """True if the gradients of all stages are to be added."""
        return self._skip == 0

    @property
    def wanted(self) -> bool:
        """True if the gradients of this stage are to be added at all."""
        return self.done >= self._skip

    def of(self, parameter: Tensor) -> Tensor:
        """Return the sum for a ``parameter``, of its shape; it starts at zero."""
        if parameter.grad is not None:
            return parameter.grad
        if id(parameter) not in self._new:
            self._new[id(parameter)] = torch.zeros_like(parameter, dtype=parameter.grad_dtype)
        return self._new[id(parameter)]

    def product(self, parameter: Tensor, of_outputs: Tensor, inputs: Tensor) -> GradientPart:
        """Prepare the gradient of ``parameter`` in ``outputs = inputs @ parameter.mT``.

        Args:
            parameter: Weight, (out, in).
            of_outputs: Gradient of the outputs, (rows, out).
            inputs: Inputs, (rows, in).
        """
        in_place = self.factor is None and self.of(parameter).dtype == inputs.dtype
        gradient = None if in_place else wide_product(of_outputs.mT, inputs, self.of(parameter).dtype)
        return GradientPart(parameter, gradient, of_outputs, inputs)

    def add_part(self, part: GradientPart) -> None:
        """Add a ``part`` that `product` made to the sum of its parameter."""
        if part.gradient is not None:
            self.add(part.parameter, part.gradient)
        elif self.wanted:
            self.of(part.parameter).addmm_(part.of_outputs.mT, part.inputs)

    def add(self, parameter: Tensor, gradient: Tensor) -> None:
        """Add a ``gradient`` to the sum of its ``parameter``, whose shape it has."""
        if not self.wanted:
            return
        if self.factor is None:
            self.of(parameter).add_(gradient)
        else:
            self.of(parameter).addcmul_(gradient.to(self.factor.dtype), self.factor)

    def new(self, parameters: Iterable[Tensor]) -> list[Tensor | None]:
        """Return the gradients that autograd still has to store, in the order of ``parameters``.

        Each has the shape of its parameter; None: there is none, or it was added in place.
        """
        return [self._new.pop(id(parameter), None) for parameter in parameters]
