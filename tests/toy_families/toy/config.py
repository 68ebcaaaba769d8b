"""Sizes of the table."""

from collections.abc import Sequence
from typing import Literal

from core.memory.backward import ActivationMoment
from core.memory.footprint import Item, StepSizes
from core.memory.parameters import Parameter
from core.model.family.config import FamilyConfig
from core.model.techniques import Techniques

BYTES = 256


class ToyConfig(FamilyConfig):
    """A table of bytes after bytes."""

    kind: Literal["toy"] = "toy"
    depth: Literal[1] = 1
    length: int = 8

    @property
    def sequence_length(self) -> int:
        return self.length

    def parameters(self) -> Sequence[Parameter]:
        return [Parameter("table", (BYTES, BYTES))]

    def buffer_bytes(self, value: int) -> int:
        return 0

    def moments(self, step: StepSizes, techniques: Techniques) -> Sequence[ActivationMoment]:
        logits = Item("logits", step.tokens * BYTES * 4, "tokens x 256 x 4 bytes", 3)
        return [ActivationMoment("loss", (logits,))]

    def operations(self) -> tuple[int, int]:
        return 0, 2 * self.length * BYTES
