"""One peer's copy of the swarm's model: master parameters, 8-bit LAMB, and their place in the chain."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import nn

from core.digest import digest, sketch
from core.errors import SwarmError
from core.optim.lamb import Lamb8bit
from core.optim.masters import Masters
from core.optim.rules import decay_groups, linear_schedule
from core.run.rules import OptimizerRules, ScheduleRules
from core.swarm.state.state import OPTIMIZER, PARAMETERS, SwarmState, under


@dataclass(frozen=True)
class Place:
    """A point in the chain of commits, and the fingerprints of the parameters there."""

    epoch: int
    head: bytes
    """Root of the commit that led here; the generation's genesis where that begins."""
    digest: str
    sketch: tuple[float, ...]


class Replica:
    """Parameters and optimizer state that are equal on all peers of an epoch; safe to read from other threads.

    The model itself may be elsewhere and lag behind: it gets the parameters by ``copy_to_model``.
    """

    def __init__(
        self, model: nn.Module, optimizer: OptimizerRules, schedule: ScheduleRules, *, genesis: bytes
    ) -> None:
        """Copy the parameters of ``model``, and begin at epoch 0 with moments of zero.

        Args:
            model: the model with its initial parameters; it may be moved to a GPU later.
            optimizer: the run's settings of LAMB.
            schedule: the run's learning rates by epoch.
            genesis: digest of 32 bytes that is the head at epoch 0, where the chain of commits begins.
        """
        self.masters = Masters(model.named_parameters())
        self._schedule, self._lock = schedule, threading.Lock()
        self._lamb = Lamb8bit(
            decay_groups(self.masters.named_parameters(), optimizer.weight_decay),
            lr=schedule.peak_lr,
            betas=optimizer.betas,
            eps=optimizer.eps,
            bias_correction=optimizer.bias_correction,
            max_grad_norm=optimizer.max_grad_norm,
            clamp_value=optimizer.clamp_value,
            min_8bit_size=optimizer.min_8bit_size,
            block_size=optimizer.block_size,
        )
        self.place = self._fingerprint(0, genesis)

    def step(self, gradients: Sequence[torch.Tensor], *, epoch: int, head: bytes) -> Place:
        """Apply the committed ``gradients`` that lead from ``epoch``, and return the place at the next epoch.

        There is one gradient for each parameter, in order and of its shape; ``head`` is the root of the
        commit.
        """
        rate = linear_schedule(
            epoch,
            peak=self._schedule.peak_lr,
            warmup=self._schedule.warmup_epochs,
            total=self._schedule.total_epochs,
        )
        with self._lock:
            for group in self._lamb.param_groups:
                group["lr"] = rate
            self.masters.set_gradients(gradients)
            self._lamb.step()
            self.masters.drop_gradients()
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
        parameters, optimizer = (_under(half, state.tensors) for half in (PARAMETERS, OPTIMIZER))
        with self._lock:
            self.masters.check(parameters)
            self._lamb.load_state_tensors(optimizer)
            self.masters.load(parameters)
            self.place = self._fingerprint(state.epoch, state.head)
            return self.place

    def parameters(self) -> dict[str, torch.Tensor]:
        """Return the master parameters by name, float32 and of their own shapes; they are not copies."""
        return self.masters.tensors()

    def optimizer_state(self) -> dict[str, torch.Tensor]:
        """Return the optimizer's tensors by name, each of the shape that LAMB keeps it in; they are not copies."""
        return self._lamb.state_tensors()

    def _tensors(self) -> dict[str, torch.Tensor]:
        return state_tensors(self.parameters(), self.optimizer_state())

    def _fingerprint(self, epoch: int, head: bytes) -> Place:
        return _place(epoch, head, self.masters.tensors())


def place_of(state: SwarmState) -> Place:
    """Return the place of ``state`` in the chain, with the fingerprints of its parameters."""
    return _place(state.epoch, state.head, under(PARAMETERS, state.tensors))


def _place(epoch: int, head: bytes, parameters: Mapping[str, torch.Tensor]) -> Place:
    return Place(epoch, head, digest(parameters), tuple(sketch(parameters)))


def state_tensors(
    parameters: Mapping[str, torch.Tensor], optimizer: Mapping[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """Return ``parameters`` and ``optimizer`` state under one set of prefixed names, each tensor in its own shape."""
    return {
        **{PARAMETERS + name: item for name, item in parameters.items()},
        **{OPTIMIZER + name: item for name, item in optimizer.items()},
    }


def _under(prefix: str, tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    found = under(prefix, tensors)
    if not found:
        raise SwarmError("A state came without tensors.", "Another peer is asked for the state.")
    return found
