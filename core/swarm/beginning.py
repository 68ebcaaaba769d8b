"""Where a generation of a run begins, and what its peers refuse: what is from before, other states at that epoch."""

from dataclasses import dataclass
from typing import Self

from core.digest import digest
from core.run import RunManifest
from core.swarm.records import ProgressRecord
from core.swarm.state import OPTIMIZER, PARAMETERS, SwarmState, under


@dataclass(frozen=True)
class Beginning:
    """The first point of a generation's chain.

    Past epoch 0 it names the state there by its digests (hex), so that of what donors say of it nothing is believed.
    """

    head: bytes
    epoch: int = 0
    parameters: str | None = None
    optimizer: str | None = None

    @classmethod
    def of(cls, manifest: RunManifest) -> Self:
        state = manifest.state
        return cls(manifest.genesis, state.epoch, state.parameters, state.optimizer)

    def admits(self, record: ProgressRecord) -> bool:
        """Whether a peer can stand where this record says."""
        if record.epoch != self.epoch:
            return record.epoch > self.epoch
        named = self.parameters is None or record.parameters.hex() == self.parameters
        return record.head == self.head and named

    def refusal(self, state: SwarmState) -> str | None:
        """What is wrong with a state for a peer of this generation, in words; None: nothing."""
        if state.epoch < self.epoch:
            return f"it is of epoch {state.epoch}, and the run was taken back to epoch {self.epoch}"
        if state.epoch > self.epoch:
            return None
        if state.head != self.head:
            return f"it is not of this generation, which begins at epoch {self.epoch}"
        return None if self.is_named(state) else "it is not the state that the run was taken back to"

    def is_named(self, state: SwarmState) -> bool:
        """Whether the generation begins with this state, by epoch and digests; its head does not matter."""
        named = ((PARAMETERS, self.parameters), (OPTIMIZER, self.optimizer))
        return state.epoch == self.epoch and all(
            expected is None or digest(under(half, state.tensors)) == expected for half, expected in named
        )
