"""The work and the replica of a simulated peer: samples instead of gradients, and a place instead of parameters."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from types import MappingProxyType

import torch

from core.run.rules import SwarmRules
from core.swarm.state.peer_work import Batch
from core.swarm.state.replica import Place, Replica
from core.swarm.state.state import SwarmState
from core.swarm.update import most_age

WHOLE = frozenset({0})
"""Parts of an aggregate that has a peer's samples: a simulation does not tell parts apart."""
NO_TENSORS: Sequence[torch.Tensor] = ()


class SampleLoss(StrEnum):
    """Causes for which computed samples are in no epoch of the swarm."""

    TOO_OLD = "too old"  # too many epochs were committed without them
    STATE_TAKEN = "state taken"  # the peer took the swarm's state in place of its own
    BRANCH = "branch"  # their epoch is none of the longest chain
    DIED = "died"  # the trainer ended without a word
    LEFT = "left"  # the owner used the machine for so long that the trainer ended
    FAILED = "failed"  # the trainer gave up, as it could not catch up
    EXCESS = "excess"  # more than a peer counts for in an epoch by the run's rules


def place_at(epoch: int, head: bytes) -> Place:
    """Return the place of ``epoch`` in the chain that ends with the commit ``head``, with stand-ins for digests."""
    digest = hashlib.sha256(b"parameters" + head).hexdigest()
    return Place(epoch, head, digest, (), hashlib.sha256(b"state" + head).digest())


class SimulatedReplica:
    """A peer's committed model, of which only the place is simulated."""

    def __init__(self, place: Place) -> None:
        """Begin at ``place``."""
        self.place = place

    def copied_state(self) -> SwarmState:
        """Return the state at the place, without tensors."""
        return SwarmState(self.place.epoch, self.place.head, {})

    def step(self, aggregate: Sequence[torch.Tensor], *, epoch: int, head: bytes) -> Place:
        """Go from ``epoch`` to the next, which the commit ``head`` made; ``aggregate`` has tensors of no shape."""
        self.place = place_at(epoch + 1, head)
        return self.place

    def take(self, state: SwarmState) -> Place:
        """Go to the place of another peer's ``state``."""
        self.place = place_at(state.epoch, state.head)
        return self.place


class SimulatedWork:
    """A peer's samples towards the next commit, counted as its procedure counts them (`PeerWork`).

    With local steps, samples count once they make a step, of which each peer makes about as many between two rounds.
    """

    def __init__(self, rules: SwarmRules, trainers: Callable[[], int]) -> None:
        """Begin without samples under the run's ``rules``.

        ``trainers`` gives the number of peers that train now, for steps before the first round.
        """
        self._trainers = trainers
        self._rules, self._local = rules, rules.local_steps
        self.samples, self.age = 0, 0
        """Samples that a round would take, and their age in commits."""
        self.lost: Counter[SampleLoss] = Counter()
        """Samples that were dropped so far, by cause."""
        self._gathered = self._newly_gathered = self._handed_over = 0
        self._has_trained = False
        self._usual: float | None = None

    loss: float | None = 0.0

    @property
    def pending(self) -> int:
        """Number of samples that no round has taken."""
        return self.samples + self._gathered

    @property
    def in_round(self) -> int:
        """Number of samples that a round has taken, and that have neither come back nor landed."""
        return self._handed_over

    @property
    def counted_in_round(self) -> int:
        """Number of them that count in an epoch."""
        return min(self._handed_over, self._rules.most_samples)

    @property
    def lacking(self) -> int | None:
        """Samples after which this peer makes a step of its own, at least 1; None if it makes none."""
        if self._local is None:
            return None
        target = self._rules.target_batch_size
        share = max(self._share(), self.samples + self._gathered)
        return max(1, round(min(share, target) / self._local.steps) - self._gathered)

    def _share(self) -> float:
        target = self._rules.target_batch_size
        return target / max(1, self._trainers()) if self._usual is None else self._usual

    def begin(self) -> None:
        """Do nothing: there is no model."""

    def add(self, loss: float, samples: int) -> None:
        """Count ``samples`` samples of micro-steps; their ``loss`` does not matter."""
        self._newly_gathered += samples
        self._has_trained = True
        while (lacking := self.lacking) is not None and samples >= lacking:
            self.samples += self._gathered + lacking
            samples, self._gathered = samples - lacking, 0
        if self._local is None:
            self.samples += samples
        else:
            self._gathered += samples

    def is_finite(self) -> bool:
        """Return true: samples have no values."""
        return True

    def hand_over(self, inputs: Sequence[torch.Tensor]) -> Batch:
        """Give all samples to a round, whose ``inputs`` have no tensors of any shape."""
        batch = Batch(self.samples, 0.0, self.age)
        self._handed_over, self.samples = self.samples, 0
        if self._local is None:
            self.age = 0
        return batch

    def take_back(self, inputs: Sequence[torch.Tensor], batch: Batch) -> None:
        """Count a ``batch`` again that no epoch included; ``inputs`` have no tensors of any shape."""
        self._handed_over = 0
        self.samples += batch.samples
        self.age = max(self.age, batch.age)

    def settle(
        self,
        inputs: Sequence[torch.Tensor],
        outputs: Sequence[torch.Tensor],
        included: frozenset[int],
        clipped: Mapping[int, float] = MappingProxyType({}),
    ) -> None:
        """Note if a commit has this peer's samples.

        ``inputs`` and ``outputs`` have no tensors of any shape; ``included`` and ``clipped`` name parts by index.
        """
        if self._local is not None:
            self.age = 0 if included else self.age + self._has_trained

    def land(self, replica: Replica) -> None:
        """Count what was gathered as one commit older, after the update of ``replica``."""
        self.lost[SampleLoss.EXCESS] += self.in_round - self.counted_in_round
        if self._local is None:
            self.age += self.samples > 0
        elif brought := self._handed_over or self.samples:
            self._usual = brought if self._usual is None else (self._usual + brought) / 2
        elif self._newly_gathered:
            self._usual = self._share() / 2
        self._handed_over = self._newly_gathered = 0

    def restart(self, replica: Replica) -> None:
        """Drop all samples: they are too old, or ``replica`` has parameters from elsewhere."""
        is_old = self.age > most_age(self._rules.overlap)
        self.lost[SampleLoss.TOO_OLD if is_old else SampleLoss.STATE_TAKEN] += self.pending
        self.drop()

    def find(self, samples: int) -> None:
        """Note that a commit has that number of ``samples`` after all, which came back and were dropped."""
        for cause in (SampleLoss.STATE_TAKEN, SampleLoss.TOO_OLD):
            found = min(samples, self.lost[cause])
            self.lost[cause] -= found
            samples -= found

    def abandon(self) -> None:
        """Do nothing: no micro-step breaks off."""

    def drop(self) -> None:
        """Drop all samples that no round has taken: `restart` counts them as lost."""
        self.samples = self._gathered = self.age = 0
        self._has_trained = False

    def lasting_state(self) -> dict[str, torch.Tensor]:
        """Return no tensors, of no shape."""
        return {}

    def exact_state(self) -> dict[str, torch.Tensor]:
        """Return no tensors, of no shape."""
        return {}

    def load(self, state: Mapping[str, torch.Tensor]) -> None:
        """Do nothing with ``state``, whose tensors have no shape here."""

    def tensors(self) -> AbstractContextManager[Sequence[torch.Tensor]]:
        """Return a context in which a round's tensors could be read: there are none, of no shape."""
        return nullcontext(NO_TENSORS)
