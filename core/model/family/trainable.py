"""A model that micro-steps can train: its loss, how it is computed, and in which precision."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from core.model.techniques import Activations, Precision, Techniques

_TYPES = {Precision.BFLOAT16: torch.bfloat16, Precision.FLOAT16: torch.float16}


def do_nothing() -> None:
    """Do nothing, as the default of the callback between sublayers."""


class TrainableModel(nn.Module):
    """A model of any family, as micro-steps and audits know it.

    ``techniques`` say what is kept for the backward pass and in which precision it computes, not what is computed.
    """

    between: Callable[[], None]
    """Callback between sublayers, forward and backward, where computing can stand still."""
    techniques: Techniques
    """Techniques of the next batch."""

    def __init__(self, *, reversible: bool = False) -> None:
        """Begin without parameters; ``reversible`` is true if layers can rebuild their inputs."""
        super().__init__()
        self._reversible, self._precision = reversible, Precision.FLOAT32
        self.between = do_nothing

    def begin(self, techniques: Techniques | None = None) -> None:
        """Use the first ``techniques``, once all parameters have their initial values; None: the leanest."""
        leanest = Activations.REVERSE if self._reversible else Activations.CHECKPOINT
        techniques = techniques or Techniques(activations=leanest)
        self.compute_in(techniques.precision)
        self.use(techniques)

    @abstractmethod
    def loss(self, *args: Any, **options: Any) -> Tensor:
        """Compute the mean training loss of samples, a scalar that can be differentiated once.

        Args:
            *args: Tensors of the samples, as the family makes them.
            **options: ``gradients``: sums (`core.model.gradients.Gradients`) that gradients are added to in a
                backward pass, whose stages tell how far one came that failed; without, the parameters' ``.grad``.
        """

    def use(self, techniques: Techniques) -> None:
        """Use ``techniques`` from the next batch on.

        The precision of ``techniques`` must be that of `compute_in`.

        Raises:
            ValueError: they reverse layers that are not reversible, or their precision is another.
        """
        if techniques.activations is Activations.REVERSE and not self._reversible:
            raise ValueError("Layers that are not reversible must keep their inputs: choose checkpointing.")
        if techniques.precision is not self._precision:
            raise ValueError(f"The model computes in {self._precision}, not in {techniques.precision}.")
        self.techniques = techniques

    def compute_in(self, precision: Precision) -> None:
        """Give the linear maps, nearly all of the parameters, the type ``precision``; what adds up stays in float32.

        What adds up is the streams, norms, scales and positions, and the gradients of all parameters. Rounding
        cannot be undone: masters are taken before.
        """
        if precision is Precision.FLOAT32:
            return
        self._precision = precision
        for module in self.modules():
            if isinstance(module, nn.Linear):
                module.to(_TYPES[precision])
                for parameter in module.parameters():
                    parameter.grad_dtype = torch.float32
