"""The update of a committed epoch, on a thread of its own: with overlap, the trainer computes meanwhile."""

import logging
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass

from core.run.rules import Overlap
from core.swarm.averaging.averager import GradientAverager
from core.swarm.rounds.round import RoundOutcome, RoundStatus
from core.swarm.state.peer_work import PeerWork
from core.swarm.state.replica import Place, Replica
from core.swarm.state.state import SwarmState

_log = logging.getLogger(__name__)


def most_age(overlap: Overlap) -> int:
    """Return the age in commits up to which a peer's work goes into a round; older work leads away from the swarm.

    One commit may land without a peer: another group was faster, or it caught up. With overlap, what was computed
    during the update (`Overlap.DELAYED_UPDATE`) or during the round (`Overlap.FULL`, which local steps need) is a
    commit old when that lands, before it could go anywhere. It may miss one more as well.
    """
    return 1 if overlap is Overlap.NONE else 2


@dataclass(frozen=True)
class LandedEpoch:
    """An epoch that this peer's model now has."""

    place: Place
    outcome: RoundOutcome
    loss: float
    own_samples: int
    """Samples of the epoch that are this peer's."""
    seconds: float
    """Seconds from the epoch before to this one."""


class Update:
    """The update of the committed parameters, at most one at a time."""

    def __init__(
        self,
        replica: Replica,
        averager: GradientAverager,
        work: PeerWork,
        *,
        overlap: Overlap,
        notify: Callable[[str], None],
        worker: Executor | None = None,
    ) -> None:
        """Prepare the thread on which updates are computed.

        Args:
            replica: applies the committed aggregates.
            averager: has each aggregate in its outputs.
            work: notes before each update what of it the commit holds; what is too old is dropped after it.
            overlap: the run's rule of overlap, by which work is too old.
            notify: called by `take` with a sentence for the volunteer when samples were discarded.
            worker: computes the updates; None: a thread of its own.
        """
        self._replica, self._averager, self._work = replica, averager, work
        self._most_age, self._notify = most_age(overlap), notify
        self._worker = worker or ThreadPoolExecutor(1, thread_name_prefix="update")
        self._pending: tuple[RoundOutcome, Future[Place]] | None = None

    def begin(self, outcome: RoundOutcome) -> None:
        """Apply the aggregate of the round's ``outcome`` to the masters; the model keeps its parameters."""
        self._pending = outcome, self._worker.submit(self._apply, outcome)

    def _apply(self, outcome: RoundOutcome) -> Place:
        aggregate = self._averager.outputs[:-1]
        with self._averager.get_tensors() as inputs:
            self._work.settle(inputs[:-1], aggregate, outcome.included_parts, outcome.clipped_shares)
        return self._replica.step(aggregate, epoch=outcome.epoch, head=outcome.head)

    def take(self, *, waits: bool) -> tuple[Place, RoundOutcome] | None:
        """Return the new place, which the model has then, with the outcome that led to it.

        Returns None while the update is under way. With ``waits`` the call waits for the update instead.
        """
        assert self._pending is not None
        outcome, future = self._pending
        if not waits and not future.done():
            return None
        place, self._pending = future.result(), None
        if outcome.standing == RoundStatus.LEARNT_LATE:
            self._work.restart(self._replica)  # what came back from that round was committed after all
        else:
            self._work.land(self._replica)
            self._drop_old_work()
        return place, outcome

    def _drop_old_work(self) -> None:
        """Drop the work that is too old after an update, and notify the volunteer of the samples in it."""
        age, samples = self._work.age, self._work.samples
        if age <= self._most_age:
            return
        self._work.restart(self._replica)
        _log.info(
            "Epoch %d: work of %d samples is dropped: it is %d commits old, and %d is the most.",
            self._replica.place.epoch,
            samples,
            age,
            self._most_age,
        )
        if samples:
            self._notify(
                f"{samples} samples of this peer were discarded: {age} updates of the swarm came without them."
            )

    def replace(self, state: SwarmState) -> Place:
        """Put ``state`` into the replica and the model in place of an update, and return its place."""
        place = self._replica.take(state)
        self._work.restart(self._replica)
        return place

    def close(self) -> None:
        """Wait for an update that is under way, and end the thread."""
        self._worker.shutdown(wait=True)
