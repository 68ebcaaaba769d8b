"""A simulated trainer and a simulated auxiliary peer: they run a real peer's decisions when something can change."""

import logging
import math
from collections import Counter
from collections.abc import Callable
from typing import cast

from core.errors import SwarmError
from core.memory.missed_rounds import rounds_in_place_of_state
from core.messages.reach import Reach
from core.simulation.averaging import SharedWorld, SimulatedAverager
from core.simulation.board import SimulatedBoard
from core.simulation.decisions import SimulatedMembership, SimulatedOptimizer
from core.simulation.engine import DelayedExecutor, ScheduledEvent
from core.simulation.line import SimulatedLine
from core.simulation.topology import SimulatedMachine
from core.simulation.tracker import SimulatedTracker
from core.simulation.work import SimulatedReplica, SimulatedWork
from core.swarm.auxiliary import TURN_SECONDS, AuxiliaryPeer
from core.swarm.averaging.averager import GradientAverager
from core.swarm.membership.progress import ProgressTracker
from core.swarm.phase import Phase
from core.swarm.state.beginning import Beginning
from core.swarm.state.replica import Place, Replica
from core.swarm.update import LandedEpoch

_POLL_SECONDS = 1.0
"""Seconds between two looks at a recovery, which has pauses of its own."""
_TURN_OF_MANY_SECONDS = 1.0
"""Seconds between two turns of an auxiliary peer of a large swarm, where a turn costs more."""
_LEAST_SECONDS = 0.05
_log = logging.getLogger(__name__)


class SimulatedTrainer:
    """One start of a trainer on a machine: from its first look to its end."""

    has_state = True

    def __init__(
        self,
        world: SharedWorld,
        board: SimulatedBoard,
        machine: SimulatedMachine,
        line: SimulatedLine,
        peer_id: bytes,
        place: Place,
        *,
        beginning: Beginning,
        landed: Callable[["SimulatedTrainer", LandedEpoch], None],
        failed: Callable[["SimulatedTrainer"], None],
    ) -> None:
        """Start a trainer.

        Args:
            world: what all peers have in common.
            board: the records of all.
            machine: the machine on which it trains.
            line: the machine's line.
            peer_id: id of the peer.
            place: the place that its own files have.
            beginning: the beginning of the run.
            landed: called with each epoch that lands here.
            failed: called when it gives up, as a trainer that ends with an error.
        """
        self.machine, self.peer_id = machine, peer_id
        self._world, self._landed, self._failed = world, landed, failed
        self._wake: ScheduledEvent | None = None
        self._computing_since: float | None = None
        self._fraction = 0.0
        self.computed_seconds, self.computed_samples = 0.0, 0
        """Seconds for which it computed so far, and samples that it computed."""
        self.joined_at: float | None = None
        """Time in seconds at which it first agreed with the swarm."""
        self.is_paused = self.has_ended = False
        self.started_at = world.queue.now()
        rules = world.training.swarm
        self.averager = SimulatedAverager(
            world, peer_id, line, self.react, client_mode=machine.reach is Reach.OUTGOING
        )
        self.tracker = SimulatedTracker(board, rules, line, machine.delay, self.react, self._may_rest)
        self.swarm = self._membership(beginning)
        self.work = SimulatedWork(rules, trainers_of(self.swarm))
        self._replica = SimulatedReplica(place)
        self.optimizer = self._optimizer()
        world.peers[peer_id] = self

    # the classes themselves hold processes, threads and tensors; those of the simulation have what a trainer asks

    def _membership(self, beginning: Beginning) -> SimulatedMembership:
        world = self._world
        return SimulatedMembership(
            cast(ProgressTracker, self.tracker),
            world.training.swarm,
            beginning=beginning,
            most_rounds=rounds_in_place_of_state(world.state_bytes, world.round_bytes),
            clock=world.queue.now,
        )

    def _optimizer(self) -> SimulatedOptimizer:
        queue = self._world.queue
        return SimulatedOptimizer(
            cast(Replica, self._replica),
            self.work,
            cast(GradientAverager, self.averager),
            self.swarm,
            self._world.training.swarm,
            reach=self.machine.reach,
            clock=queue.now,
            dht_time=queue.now,
            updating=DelayedExecutor(queue, self.machine.group.processor_seconds, self.react),
        )

    # --- as others see it ---------------------------------------------------------------------------------------

    @property
    def place(self) -> Place:
        """The place of the peer's state."""
        return self._replica.place

    @property
    def can_be_asked(self) -> bool:
        """True if the peer is there, works, and others can connect to it."""
        return not (self.has_ended or self.is_paused) and self.machine.reach is not Reach.OUTGOING

    @property
    def is_computing(self) -> bool:
        """True while it computes."""
        return self._computing_since is not None

    @property
    def pending(self) -> int:
        """Number of samples that it computed and that no commit has yet."""
        return self.work.pending + self.work.in_round - self.committed_in_round.total()

    @property
    def committed_in_round(self) -> Counter[bytes]:
        """Number of samples that a round has taken and a commit has, by its root, though it did not land here."""
        root, samples = self.averager.commit_of_last, self.work.counted_in_round
        return Counter({root: samples} if root is not None and samples else {})

    # --- its owner ----------------------------------------------------------------------------------------------

    def pause(self) -> None:
        """Stop computing at once, and take part in no new round."""
        self.settle()
        self._computing_since = None
        self.is_paused = True
        self.optimizer.stand_back()

    def resume(self) -> None:
        """Go on in the middle of the micro-step."""
        self.is_paused = False
        self.optimizer.come_back()
        self.react()

    def leave(self) -> None:
        """End in order, with a word to the others."""
        self.settle()
        self.optimizer.close()
        self._end()

    def die(self) -> None:
        """End in the middle of whatever is under way, without a word."""
        self.settle()
        self.tracker.end()
        self._end()

    def _end(self) -> None:
        self.has_ended, self._computing_since = True, None
        self.averager.lose()
        self._world.peers.pop(self.peer_id, None)
        if self._wake is not None:
            self._wake.cancel()

    # --- training -----------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Count the micro-steps that were computed up to now."""
        if self._computing_since is None:
            return
        now, group = self._world.queue.now(), self.machine.group
        seconds, self._computing_since = now - self._computing_since, now
        self.computed_seconds += seconds
        self._fraction += seconds * self.machine.samples_per_second / group.micro_batch + 1e-9
        steps = math.floor(self._fraction)
        self._fraction -= steps
        if steps:
            self.computed_samples += steps * group.micro_batch
            self.optimizer.accumulate(0.0, steps * group.micro_batch)

    def _may_rest(self) -> bool:
        """Return true while nothing but news of the others, or the plan that it has, changes what it does."""
        is_in_step = self.optimizer.phase not in (Phase.JOINING, Phase.RECOVERING)
        return is_in_step and self.optimizer.waiting is None

    def react(self) -> None:
        """Look at the end of the present micro-step what is due."""
        self._wake_after(0.0)

    def _wake_after(self, seconds: float) -> None:
        if self.has_ended or self.is_paused:
            return
        seconds = self._to_end_of_step(seconds)
        due = self._world.queue.now() + seconds
        if self._wake is not None and self._wake.action is not None:
            if self._wake.time <= due:
                return
            self._wake.cancel()
        self._wake = self._world.queue.after(seconds, self._advance)

    def _to_end_of_step(self, seconds: float) -> float:
        if self._computing_since is None:
            return seconds
        step = self.machine.group.micro_batch / self.machine.samples_per_second
        since = self._world.queue.now() - self._computing_since
        progress = self._fraction + (since + seconds) / step
        return max(0.0, (math.ceil(progress - 1e-6) - self._fraction) * step - since)

    def _advance(self) -> None:
        if self._wake is not None:
            self._wake.action = None
        if self.has_ended or self.is_paused:
            return
        self.settle()
        try:
            landed = self.optimizer.advance()
        except SwarmError as error:
            _log.info("A simulated trainer ended: %s", error)
            self._failed(self)
            return
        if landed is not None:
            self._landed(self, landed)
        now, phase = self._world.queue.now(), self.optimizer.phase
        if self.joined_at is None and phase not in (Phase.JOINING, Phase.RECOVERING):
            self.joined_at = now
        may_compute = self.optimizer.may_compute
        self._computing_since = now if may_compute else None
        self._plan_next(phase)

    def _plan_next(self, phase: Phase) -> None:
        seconds = self.optimizer.seconds_to_change
        if phase == Phase.RECOVERING:
            self._wake_after(_POLL_SECONDS)
        elif phase == Phase.AVERAGING:
            self._wake_after(self._world.training.swarm.averaging_seconds + _POLL_SECONDS)
        elif phase == Phase.ACCUMULATING and self._computing_since is not None:
            self._wake_after(self._next_look(seconds))

    def _next_look(self, seconds: float) -> float:
        """Return the seconds until something may change; a peer without samples has the first after a micro-step."""
        step = self.machine.group.micro_batch / self.machine.samples_per_second
        if not self.work.samples:
            return max(step, self._seconds_of_step())
        return max(seconds, _LEAST_SECONDS) if math.isfinite(seconds) else 60.0

    def _seconds_of_step(self) -> float:
        return (self.work.lacking or 0) / self.machine.samples_per_second


def trainers_of(swarm: SimulatedMembership) -> Callable[[], int]:
    """Return what gives the number of trainers that ``swarm`` has at the time of the call."""

    def count() -> int:
        return swarm.view.trainers()

    return count


class SimulatedAuxiliary:
    """A bootstrap peer: it keeps records, and reduces if the organiser wants it."""

    has_state = False
    can_be_asked = True

    def __init__(
        self,
        world: SharedWorld,
        board: SimulatedBoard,
        line: SimulatedLine,
        peer_id: bytes,
        *,
        beginning: Beginning,
    ) -> None:
        """Start to reduce for the trainers of ``world``, on ``line``; `beginning` is that of the run.

        Args:
            world: what all peers have in common.
            board: the records of all.
            line: the peer's line.
            peer_id: id of the peer.
            beginning: the beginning of the run.
        """
        self.peer_id, self._world = peer_id, world
        self.averager = SimulatedAverager(world, peer_id, line, self._turn, auxiliary=True)
        self._tracker = SimulatedTracker(board, world.training.swarm, line, line.delay, self._turn)
        self._helper: AuxiliaryPeer | None = None
        self._helper = AuxiliaryPeer(
            cast(GradientAverager, self.averager),
            cast(ProgressTracker, self._tracker),
            world.training.swarm,
            beginning=beginning,
            clock=world.queue.now,
            dht_time=world.queue.now,
        )
        self._beginning = beginning
        world.peers[peer_id] = self
        self._tick()

    @property
    def place(self) -> Place:
        """The beginning of the run: an auxiliary peer has no state."""
        return Place(self._beginning.epoch, self._beginning.head, "", ())

    def _turn(self) -> None:
        if self._helper is not None:
            self._helper.turn()

    def _tick(self) -> None:
        self._turn()
        self._world.queue.after(_TURN_OF_MANY_SECONDS if self._tracker.level else TURN_SECONDS, self._tick)
