"""The averager of a simulated peer: answers a trainer's calls by the model of rounds and lines."""

import math
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Protocol

import torch
from hivemind.p2p import PeerID

from core.memory.missed_rounds import rounds_kept
from core.run.control_traffic import OVERHEAD
from core.run.describe import bytes_of_round, bytes_of_state
from core.run.rules import TrainingRules
from core.simulation.board import call_seconds
from core.simulation.engine import EventQueue
from core.simulation.group import HeldRounds, SimulatedGroup, SimulatedStep
from core.simulation.line import SimulatedDownload, SimulatedLine
from core.simulation.rounds import SimulatedRounds
from core.simulation.work import NO_TENSORS
from core.swarm.auditing.row_spans import RowClaim
from core.swarm.rounds.round import RoundFailed, RoundOutcome, RoundRequest, RoundStatus
from core.swarm.rounds.round_runner import LEAST_PAUSE_SECONDS
from core.swarm.state.donors import DonorsBusy, StateUnavailable
from core.swarm.state.replica import Place
from core.swarm.state.state import SwarmState
from core.swarm.state.state_donor import MOST_READERS
from core.swarm.state.vouching import VouchedState

_ROUNDS_OF_AUXILIARY = 64
_STEPS_REMEMBERED = 64
"""Parts in rounds that a peer remembers: what it gave may have been committed without its knowledge."""


class AskedPeer(Protocol):
    """A peer of the swarm, as another one asks it."""

    @property
    def place(self) -> Place:
        """The place that the peer's state has."""

    @property
    def averager(self) -> "SimulatedAverager":
        """Averager that keeps the peer's rounds."""

    @property
    def can_be_asked(self) -> bool:
        """True if the peer is there, and others can connect to it."""

    @property
    def has_state(self) -> bool:
        """True if the peer holds a state and gives it."""


@dataclass
class SharedWorld:
    """The clock, the run, the rounds and the peers that all simulated peers share."""

    queue: EventQueue
    training: TrainingRules
    rounds: SimulatedRounds
    peers: dict[bytes, AskedPeer] = field(default_factory=dict)
    """Peers that are there, by their ids."""

    def __post_init__(self) -> None:
        """Compute the sizes of the run once."""
        self.state_bytes = bytes_of_state(self.training)
        self.round_bytes = bytes_of_round(self.training).aggregates


class SimulatedAverager:
    """The averager of one simulated peer, in place of a `core.swarm.averaging.averager.GradientAverager`."""

    def __init__(
        self,
        world: SharedWorld,
        peer_id: bytes,
        line: SimulatedLine,
        react: Callable[[], object],
        *,
        client_mode: bool = False,
        auxiliary: bool = False,
        most_readers: int = MOST_READERS,
    ) -> None:
        """Make the averager of one peer.

        Args:
            world: clock, run, rounds and peers.
            peer_id: id of the peer.
            line: the peer's line.
            react: called when an outcome has come.
            client_mode: true if no other peer can connect to it.
            auxiliary: true if it only reduces.
            most_readers: peers to which it gives its state at a time.
        """
        self._most_readers, self._readers = most_readers, 0
        self.peer_id, self.client_mode, self.line = PeerID(peer_id), client_mode, line
        self.outputs: Sequence[float] = (0.0,)
        self.download_seconds = 0.0
        """Seconds that downloads of states took so far."""
        self._world, self._react, self._auxiliary = world, react, auxiliary
        kept = _ROUNDS_OF_AUXILIARY if auxiliary else rounds_kept(world.round_bytes)
        self.held = HeldRounds(kept)
        self._steps = deque[SimulatedStep](maxlen=_STEPS_REMEMBERED)
        """The newest parts in rounds, the last one included."""
        self._called_at = -math.inf
        self._attended: RoundRequest | None = None
        self.has_ended = False

    # --- what the trainer asks ----------------------------------------------------------------------------------

    @property
    def seconds_since_call(self) -> float:
        """Seconds since another peer called this one for a round; infinite if none did."""
        return self._world.queue.now() - self._called_at

    @property
    def is_exchanging(self) -> bool:
        """True while the group of this peer exchanges."""
        group = self._step.group if self._step is not None else None
        return group is not None and group.ending is not None

    @property
    def _step(self) -> SimulatedStep | None:
        return self._steps[-1] if self._steps else None

    def name_rows(self, rows: RowClaim) -> None:
        """Do nothing: samples have no rows that an audit could compute again."""

    @property
    def commit_of_last(self) -> bytes | None:
        """Root of the believed commit that has the samples which this peer gave to a round last; None without one."""
        step = self._step
        record = step.group.record if step is not None and step.group is not None else None
        if step is None or record is None or not step.gave_to(record.root):
            return None
        return record.root if self._world.rounds.commits.is_believed(record) else None

    def given_to(self, root: bytes) -> int:
        """Return the number of samples that this peer gave to the commit ``root`` in any of its last rounds."""
        return round(sum(step.weight for step in self._steps if step.gave_to(root)))

    def is_alive(self) -> bool:
        """Return true: processes do not die alone here."""
        return True

    def serve_state(self, state: Callable[[], SwarmState], place: Callable[[], Place | None]) -> None:
        """Give others the ``state``: here they learn its place from the peer."""

    def get_tensors(self) -> AbstractContextManager[Sequence[torch.Tensor]]:
        """Return a context in which the inputs of a round can be written: there are none, of no shape."""
        return nullcontext(NO_TENSORS)

    def attend(self, request: RoundRequest | None) -> "Future[bool]":
        """Vote for what others average at the place of ``request`` until this peer asks for something else."""
        self._attended = request
        if request is not None:
            self._look_for_votes(request)
        ended: Future[bool] = Future()
        ended.set_result(True)  # nothing there can fail
        return ended

    def _look_for_votes(self, request: RoundRequest) -> None:
        """Fetch what others vote for at the place of ``request``, and vote for it; look again later without any."""
        if self._attended is not request or self.has_ended:
            return
        commits, place = self._world.rounds.commits, (request.epoch, request.head)
        commits.count_look(self.line)
        record = commits.leading(place)
        if record is None:
            pause = max(LEAST_PAUSE_SECONDS, float(len(request.electorate.names)))
            self._later(pause, lambda: self._look_for_votes(request))
            return

        def vote() -> None:
            if self._attended is request and not self.has_ended:
                commits.count_store(self.line)
                commits.add_vote(place, request.electorate.own, self.peer_id, record)
                self.held.keep(record.root)

        size = self._world.round_bytes
        self.line.count(received=OVERHEAD * size)
        self._later(request.limits.settle_seconds + self.line.seconds_of(0, size), vote)

    def begin(self, request: RoundRequest) -> SimulatedStep:
        """Look for a group for the round of ``request``, and return the step that has the outcome later."""
        self._attended = None
        rounds = self._world.rounds
        step = SimulatedStep(
            request,
            self.line,
            self.peer_id,
            sends=not self._auxiliary,
            notify=self._note_outcome,
            trigger=rounds.trigger,
            cancel=rounds.cancel,
            held=self.held,
            earlier=self._steps,
            is_given=self._is_given,
        )
        self._steps.append(step)
        rounds.seek(step)
        return step

    def catch_up(self, request: RoundRequest, donors: Sequence[PeerID]) -> "Future[RoundOutcome]":
        """Fetch the commit after the place of ``request`` from one of ``donors``, or its writers, that keeps it."""
        found: Future[RoundOutcome] = Future()
        self._attended = None
        commits = self._world.rounds.commits
        place, electorate = (request.epoch, request.head), request.electorate.others
        record = commits.after(place, electorate) or commits.applied_by_most(place, electorate)
        asked = [*donors, *commits.writers_of(record)] if record else []
        looks = 2 * call_seconds(self.line.delay)
        giving = [peer for peer in self._asked(asked) if record and record.root in peer.averager.held]
        if record is None or not (giving or record.root in self.held):
            why = RoundFailed(f"No commit of epoch {request.epoch} was found.")
            self._later(looks, lambda: found.set_exception(why))
            return found
        status = RoundStatus.LEARNT_LATE if self.given_to(record.root) else RoundStatus.CAUGHT_UP
        outcome = RoundOutcome(record.epoch, record.root, status, frozenset(), record.samples, record.members)
        donor = None if record.root in self.held else giving[0].averager.line
        size = self._world.round_bytes

        def take() -> None:
            commits.believe(record)
            if donor is not None:
                self._pass(donor, size)
            self.held.keep(record.root)
            found.set_result(outcome)

        seconds = OVERHEAD * size / min(self.line.down, donor.up) if donor is not None else 0.0
        self._later(looks + seconds, take)
        return found

    def download_state(
        self,
        donors: Sequence[PeerID],
        *,
        chunk_seconds: float,
        servers: frozenset[bytes] = frozenset(),
        vouched: Sequence[VouchedState] = (),
        goes_on: bool = False,
    ) -> "Future[SwarmState]":
        """Download a state in pieces from all of ``donors`` that hold the same one, and give to few others.

        The state of one of ``servers`` comes first, as all states are vouched for here, and then that of the first
        donor. Where all donors give to others, the exception is a DonorsBusy after ``chunk_seconds``; it is a
        StateUnavailable if no donor stayed until the end. ``vouched`` and ``goes_on`` change nothing.
        """
        found: Future[SwarmState] = Future()
        asked = [peer for peer in self._asked(donors) if peer.has_state]
        giving = self._with_room(
            sorted(asked, key=lambda peer: peer.averager.peer_id.to_bytes() not in servers)
        )
        if not giving:
            nobody = (
                DonorsBusy("All donors give to others.") if asked else StateUnavailable("Nobody gave one.")
            )
            seconds = chunk_seconds if asked else call_seconds(self.line.delay)
            self._later(seconds, lambda: found.set_exception(nobody))
            return found
        place = giving[0].place
        for peer in giving:
            peer.averager._readers += 1

        def give() -> None:
            for peer in giving:
                peer.averager._readers -= 1
            self.download_seconds += download.seconds
            if any(peer.can_be_asked for peer in giving):
                found.set_result(SwarmState(place.epoch, place.head, {}))
            else:
                found.set_exception(StateUnavailable("The donors have left."))
            if not self.has_ended:
                self._react()

        lines = [peer.averager.line for peer in giving]
        download = SimulatedDownload(self._world.queue, self._world.state_bytes, self.line, lines, give)
        return found

    def _with_room(self, asked: Sequence[AskedPeer]) -> list[AskedPeer]:
        """Return those of the peers ``asked`` that hold the first state which one of them has room to give."""
        able = [peer for peer in asked if peer.averager._readers < peer.averager._most_readers]
        return [peer for peer in able if peer.place == able[0].place]

    def received_state(self, download_result: SwarmState) -> SwarmState:
        """Return the state in ``download_result``, the result of `download_state`."""
        return download_result

    # --- what others ask ----------------------------------------------------------------------------------------

    def lose(self) -> None:
        """End in the middle of whatever is under way."""
        self.has_ended = True
        if self._step is not None and not self._step.done():
            self._world.rounds.lose(self._step)

    def _is_given(self, root: bytes) -> bool:
        peers = self._world.peers.values()
        return any(peer.can_be_asked and root in peer.averager.held for peer in peers)

    def _asked(self, donors: Sequence[PeerID]) -> list[AskedPeer]:
        peers = [self._world.peers.get(donor.to_bytes()) for donor in donors]
        return [peer for peer in peers if peer is not None and peer.can_be_asked]

    def _note_outcome(self) -> None:
        step = self._step
        if self.has_ended or step is None:
            return
        if step.group is not None and len(step.group.members) > 1:
            self._called_at = self._world.queue.now()
        if self._auxiliary:
            self._keep_reduced(step.group)
        self._react()

    def _keep_reduced(self, group: SimulatedGroup | None) -> None:
        """Keep the aggregate of ``group`` if this auxiliary peer has reduced all parts of it."""
        if group is not None and len(set(group.assignment.owners)) == 1 and group.record is not None:
            self.held.keep(group.record.root)

    def _pass(self, donor: SimulatedLine, size: float) -> None:
        donor.count(sent=OVERHEAD * size)
        self.line.count(received=OVERHEAD * size)

    def _later(self, seconds: float, action: Callable[[], None]) -> None:
        def act() -> None:
            action()
            if not self.has_ended:
                self._react()

        self._world.queue.after(seconds, act)
