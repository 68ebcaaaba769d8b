"""The work that a peer gathers between two commits, as the procedure of its run wants it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import torch

from core.swarm.rounds.partition import Part
from core.swarm.state.replica import Replica

AsReceived = Callable[[Part, torch.Tensor], torch.Tensor]
"""Returns the values that a reducer decodes, of shape (values,), of a part that is sent with the given ones."""


@dataclass(frozen=True)
class Batch:
    """Samples that were handed to a round, in case they have to come back."""

    samples: int
    loss: float
    """Mean loss of the samples."""
    age: int = 0
    """Age of the work that was handed over with them, in commits."""
    stale: int = 0
    """Samples among them that were gathered before the last commit landed."""
    left: int = 0
    """Samples that were gathered as well, and stay behind for the next step of this peer's own."""


def is_finite(tensor: torch.Tensor) -> bool:
    """Return true if all values of ``tensor``, of any shape, are finite.

    Training stands still meanwhile, so their sum is looked at first: a value that is not finite makes it so, too, and
    `torch.isfinite` takes thirty times as long (0.7 s of a core for the paper's model). Large values can overflow the
    sum; then each value is looked at.
    """
    return bool(tensor.sum().isfinite()) or bool(tensor.isfinite().all())


class PeerWork(Protocol):
    """One peer's work towards the next commit; gradients are summed over samples in the parameters' own ``.grad``."""

    @property
    def samples(self) -> int:
        """Samples that a round would take now; any thread may read this."""

    @property
    def loss(self) -> float | None:
        """Mean loss of those samples; None before the first."""

    @property
    def lacking(self) -> int | None:
        """Samples after which this peer makes a step of its own, at least 1; None if it makes none."""

    @property
    def age(self) -> int:
        """Age of the work in commits, as its procedure counts them; work that is too old is dropped (`most_age`)."""

    def begin(self) -> None:
        """Prepare for training, once the model is where it will be trained."""

    def add(self, loss: float, samples: int) -> None:
        """Count a micro-step of ``samples`` samples with mean ``loss``, whose gradients were added to ``.grad``."""

    def is_finite(self) -> bool:
        """Return true if the work may enter a round: one value that is not finite would spoil the whole epoch."""

    def hand_over(self, inputs: Sequence[torch.Tensor]) -> Batch:
        """Write the work into a round's ``inputs``, and begin to count again at zero.

        The inputs are one tensor of each parameter's shape, in order, and then one of shape (1,) for the mean
        loss.
        """

    def take_back(self, inputs: Sequence[torch.Tensor], batch: Batch) -> None:
        """Count a ``batch`` again that no epoch included.

        ``inputs`` are as ``hand_over`` filled them: of the parameters' shapes, then (1,).
        """

    def settle(
        self,
        inputs: Sequence[torch.Tensor],
        outputs: Sequence[torch.Tensor],
        included: frozenset[int],
        clipped: Mapping[int, float] = MappingProxyType({}),
    ) -> None:
        """Note, before the replica applies the committed aggregate, what of this peer's work the commit holds.

        A thread beside the training loop calls this.

        Args:
            inputs: the round's tensors of the parameters' shapes, as ``hand_over`` filled them; they may be
                overwritten.
            outputs: the committed aggregate, in tensors of the same shapes.
            included: indices of the parts that hold this peer's values; empty if it took no part.
            clipped: shares of this peer's values, from 0 to 1, in those of these parts where a rule shortened them.
        """

    def land(self, replica: Replica) -> None:
        """Give the model the parameters with which training goes on, after the committed update of ``replica``."""

    def restart(self, replica: Replica) -> None:
        """Drop all work, and give the model the parameters of ``replica``, which came from elsewhere."""

    def abandon(self) -> None:
        """Drop what a micro-step that broke off has spoiled: gradients that no step has used yet."""

    def drop(self) -> None:
        """Drop all work that no round has taken."""

    def lasting_state(self) -> dict[str, torch.Tensor]:
        """Return a copy of what is worth keeping over a restart at any moment; empty if nothing is.

        Each tensor has a name and its own shape.
        """

    def exact_state(self) -> dict[str, torch.Tensor]:
        """Return a copy of all that a repetition to the last bit needs, between two rounds.

        Each tensor has a name and its own shape.
        """

    def load(self, state: Mapping[str, torch.Tensor]) -> None:
        """Go on with a ``state`` that one of the two methods returned, in the same shapes.

        Raises CheckpointError if it is unfit.
        """
