"""The sizes of a model of a family, which say themselves what the model takes: the planner asks nothing else.

The text-to-image transformer is known to `core.memory` by its own `core.model.config.ModelConfig`.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from core.model.config import Size
from core.model.techniques import Techniques

if TYPE_CHECKING:
    from core.memory.backward import ActivationMoment
    from core.memory.footprint import StepSizes
    from core.memory.parameters import Parameter


class FamilyConfig(BaseModel, ABC):
    """Sizes of a model that is trained by its own micro-steps, whose gradients add up in float32."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    kind: str
    """Kind of the model: the name of its family."""
    depth: Size
    """Number of layers."""
    reversible: bool = False
    """True if the inputs of layers can be rebuilt from their outputs."""

    @property
    @abstractmethod
    def sequence_length(self) -> int:
        """Positions of a sample that predict."""

    @abstractmethod
    def parameters(self) -> Sequence["Parameter"]:
        """Return every parameter of the model once."""

    @abstractmethod
    def buffer_bytes(self, value: int) -> int:
        """Return the bytes of the model's buffers, where a value of its precision takes ``value`` bytes."""

    @abstractmethod
    def moments(self, step: "StepSizes", techniques: Techniques) -> Sequence["ActivationMoment"]:
        """Return the moments of a micro-step that may be its peak in memory.

        Args:
            step: Sizes of the micro-step.
            techniques: Techniques of the training.
        """

    @abstractmethod
    def operations(self) -> tuple[int, int]:
        """Return the operations of the layers' products, and of the head's, in a forward pass of a sample."""
