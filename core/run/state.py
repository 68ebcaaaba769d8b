"""The state of a run that its organiser may raise: the state part of the manifest, free of torch."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from core.run.fields import Rules
from core.storage.files import Sha256


class RunState(Rules):
    """The state that an organiser raises to roll a run back to an earlier checkpoint."""

    generation: Annotated[int, Field(ge=0, lt=2**31)] = 0
    """Part of every key in the DHT: peers of different generations never meet."""
    serial: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """Number of this state; one with a higher serial replaces those before it."""
    epoch: Annotated[int, Field(ge=0, lt=10_000_000)] = 0
    """First epoch of the generation: states from before it do not belong to it."""
    parameters: Sha256 | None = None
    """`core.digest` of the parameters there; None at epoch 0, where all draw the same ones."""
    optimizer: Sha256 | None = None
    """`core.digest` of the optimizer's state there; None at epoch 0.

    With both digests, no state from a donor has to be trusted.
    """

    @model_validator(mode="after")
    def _beginning_is_whole(self) -> Self:
        named = (self.parameters is not None, self.optimizer is not None)
        if named != (self.epoch > 0, self.epoch > 0):
            raise ValueError("give parameters and optimizer if the epoch is above 0, and only then")
        return self
