"""One peer's copy of the committed model: parameters, the state of their update, and their place in the chain."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import torch
from torch import nn

from core.digest import digest, sketch
from core.errors import SwarmError
from core.optim.masters import Masters
from core.run.optimizer_rules import AnyOptimizerRules
from core.run.rules import ScheduleRules, SwarmRules, TrainingRules
from core.swarm.state.committed_update import CommittedUpdate, GradientUpdate, OuterUpdate
from core.swarm.state.low_rank import Bases
from core.swarm.state.pieces import outline_of
from core.swarm.state.state import OPTIMIZER, PARAMETERS, SwarmState, under


@dataclass(frozen=True)
class Place:
    """A point in the chain of commits, and the fingerprints of the parameters at that point."""

    epoch: int
    head: bytes
    """Root of the commit that led here; the generation's genesis where that begins."""
    digest: str
    sketch: tuple[float, ...]
    """Sums that `core.digest.sketch` computes from the parameters."""
    state: bytes | None = None
    """Root of the pieces of the whole state, by which others vouch for it; None where only the parameters count."""


class Replica:
    """Parameters and optimizer state that are equal on all peers of an epoch; safe to read from other threads.

    The model itself may be elsewhere and lag behind: it gets the parameters by ``copy_to_model``.
    """

    def __init__(
        self,
        model: nn.Module,
        optimizer: AnyOptimizerRules,
        schedule: ScheduleRules,
        *,
        genesis: bytes,
        swarm: SwarmRules | None = None,
    ) -> None:
        """Copy the parameters of ``model``, and begin at epoch 0 with the update's state of zero.

        Args:
            model: the model with its initial parameters; it may be moved to a GPU later.
            optimizer: the run's settings of its optimizer.
            schedule: the run's learning rates by epoch.
            genesis: digest of 32 bytes that is the head at epoch 0, where the chain of commits begins.
            swarm: the rules of the run's rounds, by which its procedure is known; None for the defaults.
        """
        self.masters = Masters(model.named_parameters())
        self._lock = threading.Lock()
        rules = swarm or SwarmRules()
        self.bases = Bases(self.masters.named_parameters(), rules)
        """Bases of gradients of low rank, which only `step` and `take` change."""
        self._update: CommittedUpdate = (
            GradientUpdate(self.masters, optimizer, schedule, self.bases)
            if rules.local_steps is None
            else OuterUpdate(self.masters, rules.local_steps)
        )
        self.place = self._fingerprint(0, genesis)

    @classmethod
    def of_run(cls, model: nn.Module, training: TrainingRules, *, genesis: bytes) -> Self:
        """Copy the parameters of ``model``, and begin at epoch 0 as the rules in ``training`` say.

        ``genesis`` is the digest, of 32 bytes, of the chain's beginning.
        """
        return cls(model, training.optimizer, training.schedule, genesis=genesis, swarm=training.swarm)

    def step(self, aggregate: Sequence[torch.Tensor], *, epoch: int, head: bytes) -> Place:
        """Apply the committed ``aggregate`` that leads from ``epoch``, and return the place at the next epoch.

        It holds one tensor for each parameter, in order and of its shape: gradients, or drifts where peers make
        local steps; or a gradient's factors, of shape (rows + columns, rank). ``head`` is the root of the commit.
        """
        with self._lock:
            self._update.apply(aggregate, epoch)
            self.place = self._fingerprint(epoch + 1, head)
            return self.place

    def state(self) -> SwarmState:
        """Return the whole state, its tensors still our own: copy or write them before the next step."""
        return SwarmState(self.place.epoch, self.place.head, self._tensors())

    def copied_state(self) -> SwarmState:
        """Return the whole state in memory of its own, taken between two steps."""
        with self._lock:
            tensors = {name: item.clone() for name, item in self._tensors().items()}
            return SwarmState(self.place.epoch, self.place.head, tensors)

    def take(self, state: SwarmState) -> Place:
        """Replace everything by ``state``, another peer's or a checkpoint's, and return its place.

        Raises CheckpointError if it does not fit this model, and SwarmError if it has no tensors; nothing is
        changed then.
        """
        parameters, optimizer = (under(half, state.tensors) for half in (PARAMETERS, OPTIMIZER))
        if not parameters:
            raise SwarmError("A state came without tensors.", "Another peer is asked for the state.")
        with self._lock:
            self.masters.check(parameters)
            self._update.load_state_tensors(optimizer)
            self.masters.load(parameters)
            self.place = self._fingerprint(state.epoch, state.head)
            return self.place

    def parameters(self) -> dict[str, torch.Tensor]:
        """Return the master parameters by name, float32 and of their own shapes; they are not copies."""
        return self.masters.tensors()

    def optimizer_state(self) -> dict[str, torch.Tensor]:
        """Return the update's state by name, each tensor in the shape that it is kept in; they are not copies."""
        return self._update.state_tensors()

    def _tensors(self) -> dict[str, torch.Tensor]:
        return state_tensors(self.parameters(), self.optimizer_state())

    def _fingerprint(self, epoch: int, head: bytes) -> Place:
        return place_of(SwarmState(epoch, head, self._tensors()))


def place_of(state: SwarmState) -> Place:
    """Return the place of ``state`` in the chain, with its fingerprints."""
    parameters = under(PARAMETERS, state.tensors)
    root = outline_of(state).root
    return Place(state.epoch, state.head, digest(parameters), tuple(sketch(parameters)), root)


def state_tensors(
    parameters: Mapping[str, torch.Tensor], optimizer: Mapping[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """Return ``parameters`` and ``optimizer`` state under one set of prefixed names, each tensor in its own shape."""
    return {
        **{PARAMETERS + name: item for name, item in parameters.items()},
        **{OPTIMIZER + name: item for name, item in optimizer.items()},
    }
