"""The update of a committed epoch, on a thread of its own: with overlap, the trainer computes meanwhile."""

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from core.swarm.averager import GradientAverager
from core.swarm.rounds.round import RoundOutcome, RoundStatus
from core.swarm.state.peer_work import PeerWork
from core.swarm.state.replica import Place, Replica
from core.swarm.state.state import SwarmState


@dataclass(frozen=True)
class LandedEpoch:
    """An epoch that this peer's model now has."""

    place: Place
    outcome: RoundOutcome
    loss: float
    own_samples: int
    seconds: float


class Update:
    """The update of the committed parameters, at most one at a time."""

    def __init__(self, replica: Replica, averager: GradientAverager, work: PeerWork) -> None:
        """Prepare the thread, on which ``replica`` applies the aggregate in the outputs of ``averager``.

        ``work`` is notified before, to note what of it the commit holds.
        """
        self._replica, self._averager, self._work = replica, averager, work
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="update")
        self._pending: tuple[RoundOutcome, Future[Place]] | None = None

    def begin(self, outcome: RoundOutcome) -> None:
        """Apply the aggregate of the round's ``outcome`` to the masters; the model keeps its parameters."""
        self._pending = outcome, self._worker.submit(self._apply, outcome)

    def _apply(self, outcome: RoundOutcome) -> Place:
        aggregate = self._averager.outputs[:-1]
        with self._averager.get_tensors() as inputs:
            self._work.settle(inputs[:-1], aggregate, outcome.included_parts)
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
        return place, outcome

    def replace(self, state: SwarmState) -> Place:
        """Put ``state`` into the replica and the model in place of an update, and return its place."""
        place = self._replica.take(state)
        self._work.restart(self._replica)
        return place

    def close(self) -> None:
        """Wait for an update that is under way, and end the thread."""
        self._worker.shutdown(wait=True)
