"""A peer's work of the procedure `gradients` where gradients are of low rank: what does not travel stays in the sums.

A peer hands over factors of its mean gradient, and keeps the gradient until the round has ended. What the commit took
of it is then subtracted, and the rest is added to the sums that the peer has gathered since, without samples of its
own. So the sums themselves hold the error of error feedback (Seide et al., 2014), weighted by samples, and a failed
round returns everything.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import torch
from torch import Tensor, nn

from core.swarm.rounds.partition import Part
from core.swarm.state.accumulator import Accumulator
from core.swarm.state.low_rank import Bases
from core.swarm.state.peer_work import AsReceived, Batch
from core.swarm.state.replica import Replica


class LowRankAccumulator(Accumulator):
    """Sums gradients like `Accumulator`, and hands over their factors in the committed bases.

    What an earlier round left grows older with each commit that lands without this peer, as samples do. A round that
    took a part of it makes the rest new: error feedback keeps some of it for ever.
    """

    def __init__(
        self, parameters: Sequence[nn.Parameter], bases: Bases, parts: Sequence[Part], sent: AsReceived
    ) -> None:
        """Begin with no samples.

        Args:
            parameters: the model's own parameters, in order.
            bases: the committed bases, which only commits change.
            parts: the parts of a round, in order.
            sent: gives the values of a part as a reducer decodes them.
        """
        super().__init__(parameters)
        self._bases, self._parts, self._sent = bases, tuple(parts), sent
        self._handed: dict[int, Tensor] = {}
        """Mean gradients, by the index of their parameter, that were handed over and are not settled."""
        self._weight = 0
        """Samples behind those means."""
        self._has_rest = False
        """True if the sums hold what an earlier round left."""

    @property
    def is_empty(self) -> bool:
        """True if the sums hold nothing, neither samples nor what an earlier round left."""
        gradients = (item.grad for item in self._parameters if item.grad is not None)
        return not self.samples and not any(bool(item.any()) for item in gradients)

    @torch.no_grad()
    def hand_over(self, inputs: Sequence[Tensor]) -> Batch:
        """Write factors of the mean gradients, and whole small ones, into a round's ``inputs``.

        The inputs are one tensor for each parameter, of shape (rows + columns, rank) or its own, and then one of
        shape (1,) for the mean loss. Counting begins again at zero.
        """
        self._handed = {index: torch.empty(self._parameters[index].shape) for index, _ in self._bases.items()}
        batch = super().hand_over(self._whole(inputs))
        for index, basis in self._bases.items():
            inputs[index].copy_(basis.factors_of(self._handed[index]))
        self._weight = batch.samples
        return batch

    def take_back(self, inputs: Sequence[Tensor], batch: Batch) -> None:
        """Add the gradients of a ``batch`` that no epoch included to the sums; ``inputs`` are as they were filled.

        They are one tensor for each parameter, of shape (rows + columns, rank) or its own.
        """
        super().take_back(self._whole(inputs), batch)
        self._handed = {}

    def _whole(self, inputs: Sequence[Tensor]) -> list[Tensor]:
        return [self._handed.get(index, item) for index, item in enumerate(inputs)]

    @torch.no_grad()
    def settle(
        self,
        inputs: Sequence[Tensor],
        outputs: Sequence[Tensor],
        included: frozenset[int],
        clipped: Mapping[int, float] = MappingProxyType({}),
    ) -> None:
        """Subtract what the commit holds of this peer from the gradients that were handed over.

        Args:
            inputs: the round's tensors as ``hand_over`` filled them, which are overwritten: each of shape
                (rows + columns, rank) or of its parameter's.
            outputs: the committed aggregate, in tensors of the same shapes.
            included: indices of the parts that hold this peer's values; empty if it took no part.
            clipped: shares of this peer's values in parts that a rule shortened; the rest is dropped, as that of any
                gradient.
        """
        if not self._handed:
            return
        for index, part in enumerate(self._parts[:-1]):
            values = part.gather(inputs)
            taken = self._sent(part, values) if index in included else torch.zeros(part.values)
            part.scatter(taken, inputs)
        for index, basis in self._bases.items():
            self._handed[index].sub_(basis.matrix_of(inputs[index]))

    @torch.no_grad()
    def land(self, replica: Replica) -> None:
        """Give the model the parameters of ``replica``, and add to the sums what did not travel."""
        super().land(replica)
        for index, left in self._handed.items():
            parameter = self._parameters[index]
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter, dtype=parameter.grad_dtype)
            parameter.grad.add_(left.to(parameter.grad.device, parameter.grad.dtype), alpha=self._weight)
            self._has_rest = True
        self._handed = {}

    @property
    def _has_work(self) -> bool:
        return self._has_rest or super()._has_work

    def drop(self) -> None:
        """Forget everything in the sums, also what an earlier round left."""
        super().drop()
        self._has_rest = False

    def restart(self, replica: Replica) -> None:
        """Forget everything, and give the model the parameters of ``replica``."""
        self._handed = {}
        super().restart(replica)

    def load(self, state: Mapping[str, Tensor]) -> None:
        """Replace everything in the sums by a ``state`` that ``exact_state`` returned, with the same shapes."""
        super().load(state)
        self._has_rest = bool(state)
