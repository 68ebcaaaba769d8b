"""The beginning of a run's generation, and the states that its peers refuse: earlier ones, and others there."""

from dataclasses import dataclass
from typing import Self

from core.digest import digest
from core.run.manifest import RunManifest
from core.swarm.state.state import OPTIMIZER, PARAMETERS, SwarmState, under
from core.swarm.wire.records import ProgressRecord


@dataclass(frozen=True)
class Beginning:
    """The first point of a generation's chain.

    Past epoch 0 it names the state there by its digests (hex), so that no claim of a donor about it must be
    believed.
    """

    head: bytes
    epoch: int = 0
    parameters: str | None = None
    optimizer: str | None = None

    @classmethod
    def of(cls, manifest: RunManifest) -> Self:
        """Return the beginning of the generation that ``manifest`` describes."""
        state = manifest.state
        return cls(manifest.genesis, state.epoch, state.parameters, state.optimizer)

    def admits(self, record: ProgressRecord) -> bool:
        """Return true if a peer can be at the place that ``record`` states."""
        if record.epoch != self.epoch:
            return record.epoch > self.epoch
        named = self.parameters is None or record.parameters.hex() == self.parameters
        return record.head == self.head and named

    def refusal(self, state: SwarmState) -> str | None:
        """Return the fault of ``state`` for a peer of this generation, in words; None if it has none."""
        if state.epoch < self.epoch:
            return f"it is of epoch {state.epoch}, and the run was rolled back to epoch {self.epoch}"
        if state.epoch > self.epoch:
            return None
        if state.head != self.head:
            return f"it is not of this generation, which begins at epoch {self.epoch}"
        return None if self.is_named(state) else "it is not the state that the run was rolled back to"

    def is_named(self, state: SwarmState) -> bool:
        """Return true if the generation begins with ``state``, by epoch and digests; its head does not matter."""
        named = ((PARAMETERS, self.parameters), (OPTIMIZER, self.optimizer))
        return state.epoch == self.epoch and all(
            expected is None or digest(under(half, state.tensors)) == expected for half, expected in named
        )
