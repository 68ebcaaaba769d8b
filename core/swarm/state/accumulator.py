"""A peer's work of the procedure `gradients`: the sums in the model, and the tensors that go into a round."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import torch
from torch import nn

from core.swarm.state.peer_work import Batch, is_finite
from core.swarm.state.replica import Replica


class Accumulator:
    """Sums gradients over samples in the parameters' own ``.grad``, with the loss beside them (`PeerWork`).

    The training loop runs backward on loss x samples; the last of a round's tensors carries the mean loss, so that
    its weighted average is the mean over all samples of the swarm.

    The sums cannot be told apart by age, and sums for each age would take 4 bytes a parameter. So they are as old as
    their oldest sample, and no sample in them is older than they say.
    """

    def __init__(self, parameters: Sequence[nn.Parameter]) -> None:
        self._parameters = parameters
        self.samples, self._loss_sum = 0, 0.0
        self._age = self._stale = 0

    @property
    def loss(self) -> float | None:
        """Mean loss so far; None before the first sample."""
        return self._loss_sum / self.samples if self.samples else None

    @property
    def lacking(self) -> None:
        """Samples that a step of this peer's own lacks: None, as gradients have no such steps."""
        return None

    @property
    def age(self) -> int:
        """Commits that landed since the oldest sample in the sums was computed; 0 if they are empty."""
        return self._age

    @property
    def is_empty(self) -> bool:
        """True if nothing was gathered."""
        return not self.samples

    def add(self, loss: float, samples: int) -> None:
        """Count a micro-step of ``samples`` samples with mean ``loss``, whose gradients were added to ``.grad``."""
        self.samples += samples
        self._loss_sum += loss * samples

    @torch.no_grad()
    def hand_over(self, inputs: Sequence[torch.Tensor]) -> Batch:
        """Write the mean gradients and the mean loss into a round's ``inputs``, and begin again at zero.

        The inputs are one tensor of each parameter's shape, in order, and then one of shape (1,) for the mean
        loss.
        """
        *gradients, statistics = inputs
        for parameter, target in zip(self._parameters, gradients, strict=True):
            if parameter.grad is None:
                target.zero_()
            else:
                target.copy_(parameter.grad).div_(self.samples)
        statistics.fill_(self.loss if self.loss is not None else 0.0)
        batch = Batch(self.samples, self.loss or 0.0, self.age, self._stale)
        self.drop()
        return batch

    @torch.no_grad()
    def take_back(self, inputs: Sequence[torch.Tensor], batch: Batch) -> None:
        """Add a ``batch`` that no epoch included to the samples gathered since, which get its age if it is older.

        ``inputs`` are the round's tensors as ``hand_over`` filled them: one of each parameter's shape, then
        the mean loss.
        """
        for parameter, source in zip(self._parameters, inputs, strict=False):
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter, dtype=parameter.grad_dtype)
            parameter.grad.add_(source.to(parameter.grad.device, parameter.grad.dtype), alpha=batch.samples)
        self.add(batch.loss, batch.samples)
        self._age = max(self._age, batch.age)
        self._stale += batch.stale

    def drop(self) -> None:
        """Forget everything gathered."""
        for parameter in self._parameters:
            if parameter.grad is not None:
                parameter.grad.zero_()
        self.samples, self._loss_sum = 0, 0.0
        self._age = self._stale = 0

    def begin(self) -> None:
        """Do nothing: gradients are gathered wherever the model is."""

    def settle(
        self,
        inputs: Sequence[torch.Tensor],
        outputs: Sequence[torch.Tensor],
        included: frozenset[int],
        clipped: Mapping[int, float] = MappingProxyType({}),
    ) -> None:
        """Do nothing: a gradient that no round included was taken back.

        ``inputs`` and ``outputs`` have the shapes of the parameters; ``included`` are indices of parts, ``clipped``
        the shares of those that a rule shortened.
        """

    def land(self, replica: Replica) -> None:
        """Give the model the parameters of ``replica`` after its update; what was gathered is one commit older."""
        replica.masters.copy_to_model()
        self._age += self._has_work
        self._stale = self.samples

    @property
    def _has_work(self) -> bool:
        return self.samples > 0

    def restart(self, replica: Replica) -> None:
        """Forget everything gathered, and give the model the parameters of ``replica``."""
        replica.masters.copy_to_model()
        self.drop()

    def abandon(self) -> None:
        """Forget everything gathered: a micro-step that broke off has left a part of its gradients in it."""
        self.drop()

    def lasting_state(self) -> dict[str, torch.Tensor]:
        """Return no tensors, of no shape: gradients belong to parameters that the swarm will have left."""
        return {}

    def exact_state(self) -> dict[str, torch.Tensor]:
        """Return a copy of everything gathered; empty if nothing was.

        Each gradient has its parameter's shape and its index as name; "counts", of shape (2,), holds the
        number of samples and the sum of their losses, "ages", of the same shape, the age in commits and the number of
        stale samples.
        """
        if self.is_empty:
            return {}
        gradients = {
            str(index): parameter.grad.detach().cpu().clone()
            for index, parameter in enumerate(self._parameters)
            if parameter.grad is not None
        }
        counts = torch.tensor([float(self.samples), self._loss_sum], dtype=torch.float64)
        return {**gradients, "counts": counts, "ages": torch.tensor([self._age, self._stale])}

    @torch.no_grad()
    def load(self, state: Mapping[str, torch.Tensor]) -> None:
        """Replace everything gathered by a ``state`` that ``exact_state`` returned, with the same shapes."""
        self.drop()
        if not state:
            return
        samples, self._loss_sum = state["counts"].tolist()
        self.samples = round(samples)
        self._age, self._stale = state["ages"].tolist() if "ages" in state else (0, 0)
        for index, parameter in enumerate(self._parameters):
            if str(index) in state:
                parameter.grad = state[str(index)].to(parameter.device, parameter.grad_dtype).clone()

    def is_finite(self) -> bool:
        """Return true if loss and gradients are finite; one overflow would spoil the whole swarm's epoch."""
        gradients = (item.grad for item in self._parameters if item.grad is not None)
        return math.isfinite(self._loss_sum) and all(map(is_finite, gradients))
