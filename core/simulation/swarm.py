"""A simulated swarm: starts, pauses and ends trainers by their machines' hours and chance, with its history."""

import hashlib
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from core.run.control_traffic import OTHER_RATE
from core.run.rules import TrainingRules
from core.simulation.averaging import SharedWorld
from core.simulation.board import SimulatedBoard
from core.simulation.engine import EventQueue, exponential, randomness, rare_collections
from core.simulation.line import SimulatedLine
from core.simulation.peer import SimulatedAuxiliary, SimulatedTrainer
from core.simulation.publisher import SimulatedPublisher
from core.simulation.rounds import SimulatedRounds
from core.simulation.topology import DAY, SimulatedMachine, SimulatedTopology, drawn_machines, seconds_of
from core.simulation.work import SampleLoss, place_at
from core.swarm.rounds.round import RoundStatus
from core.swarm.state.beginning import Beginning
from core.swarm.state.replica import Place
from core.swarm.state.run_schema import parts_of_run
from core.swarm.update import LandedEpoch
from core.swarm.wire.records import CommitRecord

_LEAVES_AFTER = 600.0
"""Seconds of a pause after which a trainer leaves the swarm and ends, by the default preferences."""
_RESUMES_AFTER = 180.0
"""Seconds without input after which training resumes, by the default preferences."""
_RESTARTS_AFTER = 60.0
"""Seconds after which a trainer that ended with an error is started again."""
_MBIT = 125_000


@dataclass(frozen=True)
class SwarmEvent:
    """An event in the history of a simulated swarm."""

    time: float
    """Simulated seconds since the beginning."""
    kind: str
    """Such as "joined", "landed", "committed", "paused", "left" or "died"."""
    who: str
    """Name of the machine; that of the commit in hex where the swarm committed."""
    epoch: int


@dataclass
class MachineAccount:
    """Totals of one machine during a simulation."""

    machine: SimulatedMachine
    line: SimulatedLine
    computed_seconds: float = 0.0
    present_seconds: float = 0.0
    """Seconds in which its trainer ran and its owner did not need the machine."""
    computed_samples: int = 0
    pending_samples: int = 0
    """Samples that no commit had when the simulation ended."""
    lost_samples: Counter[SampleLoss] = field(default_factory=Counter)
    """Samples that were dropped, or ended with a trainer, by cause."""
    joins: list[float] = field(default_factory=list)
    """Seconds from each start of a trainer until it agreed with the swarm, without the downloads of states."""


class SimulatedHost:
    """One machine and its owner: decides when a trainer runs on it."""

    def __init__(self, swarm: "SimulatedSwarmRun", account: MachineAccount) -> None:
        """Let the machine of ``account`` join ``swarm`` at its time."""
        self.account, self.machine = account, account.machine
        self.trainer: SimulatedTrainer | None = None
        self._swarm, self._queue = swarm, swarm.queue
        self._chance = randomness(swarm.topology.seed, "life", self.machine.name)
        self._interrupted_until = -math.inf
        self._number, self._place, self._life = 0, swarm.genesis, 0
        self._present_since: float | None = None
        self._is_dead = True
        self._ended: list[tuple[SampleLoss, SimulatedTrainer]] = []
        self._queue.after(self.machine.joins_at, self._join)

    def _join(self) -> None:
        self._is_dead = False
        self._follow_hours()
        self._await_interruption()

    def _follow_hours(self) -> None:
        """Look now, and at each beginning and end of the owner's hours from now on."""
        self._look()
        seconds = self.machine.seconds_to_change(self._time_of_day())
        if math.isfinite(seconds):
            self._queue.after(seconds, self._follow_hours)

    def _await_interruption(self) -> None:
        group = self.machine.group
        seconds = exponential(self._chance, group.interruptions_an_hour)
        if math.isfinite(seconds):
            length = exponential(self._chance, 60.0 / group.interruption_minutes)
            self._queue.after(seconds, lambda: self._interrupt(length))

    def _interrupt(self, length: float) -> None:
        self._interrupted_until = self._queue.now() + length + _RESUMES_AFTER
        self._look()
        self._queue.after(length + _RESUMES_AFTER, self._end_interruption)

    def _end_interruption(self) -> None:
        self._look()
        self._await_interruption()

    def _time_of_day(self) -> float:
        return (self._swarm.begins_at + self._queue.now()) % DAY

    @property
    def _is_needed(self) -> bool:
        """True while the owner needs the machine."""
        return self._queue.now() < self._interrupted_until or self.machine.is_used(self._time_of_day())

    def _look(self) -> None:
        """Start, pause or resume the trainer as the owner's need says now."""
        if self._is_dead:
            return
        if self._is_needed:
            if self.trainer is not None and not self.trainer.is_paused:
                self._pause(self.trainer)
        elif self.trainer is None:
            self._start()
        elif self.trainer.is_paused:
            self._present_since = self._queue.now()
            self.trainer.resume()
            self._swarm.note("resumed", self.machine.name, self.trainer.optimizer.epoch)

    @property
    def is_present(self) -> bool:
        """True while the owner does not need the machine, and a trainer runs on it or starts."""
        return self._present_since is not None

    @property
    def computed_samples(self) -> int:
        """Samples that were computed here so far; those of the micro-steps since its last decision come later."""
        running = self.trainer.computed_samples if self.trainer is not None else 0
        return self.account.computed_samples + running

    @property
    def lost_samples(self) -> int:
        """Samples that were lost here so far; a round may still commit what a trainer that ended gave to it."""
        running = self.trainer.work.lost.total() if self.trainer is not None else 0
        ended = sum(trainer.pending for _, trainer in self._ended)
        return self.account.lost_samples.total() + running + ended

    def _pause(self, trainer: SimulatedTrainer) -> None:
        self._count_presence()
        trainer.pause()
        self._swarm.note("paused", self.machine.name, trainer.optimizer.epoch)
        self._queue.after(_LEAVES_AFTER, lambda: self._leave(trainer))

    def _leave(self, trainer: SimulatedTrainer) -> None:
        """End a trainer that has been paused for long; one that was paused again meanwhile may end a little early."""
        if self.trainer is trainer and trainer.is_paused:
            self._swarm.note("left", self.machine.name, trainer.optimizer.epoch)
            self._place = trainer.place
            trainer.leave()
            self._lose(trainer, SampleLoss.LEFT)

    def _start(self) -> None:
        self._life += 1
        life = self._life
        self._present_since = self._queue.now()
        self._queue.after(self.machine.group.start_seconds, lambda: self._begin(life))

    def _begin(self, life: int) -> None:
        if life != self._life or self.trainer is not None or self._is_dead or self._is_needed:
            return
        self.trainer = self._swarm.trainer_of(self, self._number, self._place)
        self._await_death(self.trainer)

    def _await_death(self, trainer: SimulatedTrainer) -> None:
        seconds = exponential(self._chance, self.machine.group.deaths_an_hour)
        if math.isfinite(seconds):
            self._queue.after(seconds, lambda: self._die(trainer))

    def _die(self, trainer: SimulatedTrainer) -> None:
        if self.trainer is trainer:
            self.kill()

    def kill(self) -> None:
        """End the trainer without a word; a new peer starts later on the machine, with nothing of this one."""
        if self.trainer is None:
            return
        self._end_without_word(SampleLoss.DIED, 60.0 * self.machine.group.replaced_after_minutes)
        self._number, self._place = self._number + 1, self._swarm.genesis

    def give_up(self) -> None:
        """End a trainer that failed; it is started again later, from its own place."""
        if self.trainer is not None:
            self._place = self.trainer.place
            self._end_without_word(SampleLoss.FAILED, _RESTARTS_AFTER)

    def _end_without_word(self, cause: SampleLoss, seconds: float) -> None:
        assert self.trainer is not None
        trainer = self.trainer
        self._swarm.note(cause.value, self.machine.name, trainer.optimizer.epoch)
        self._count_presence()
        trainer.die()
        self._lose(trainer, cause)
        self._is_dead = True
        self._queue.after(seconds, self._revive)

    def _revive(self) -> None:
        self._is_dead = False
        self._look()

    def _count_presence(self) -> None:
        if self._present_since is not None:
            self.account.present_seconds += self._queue.now() - self._present_since
            self._present_since = None

    def _lose(self, trainer: SimulatedTrainer, cause: SampleLoss) -> None:
        """Forget the ``trainer``, which ended for that ``cause``; a round may still commit what it gave."""
        self._ended.append((cause, trainer))
        self._forget(trainer)

    def _forget(self, trainer: SimulatedTrainer) -> None:
        account = self.account
        account.lost_samples.update(trainer.work.lost)
        account.computed_seconds += trainer.computed_seconds
        account.computed_samples += trainer.computed_samples
        if trainer.joined_at is not None:
            waited = self.machine.group.start_seconds + trainer.joined_at - trainer.started_at
            account.joins.append(max(0.0, waited - trainer.averager.download_seconds))
        self.trainer = None

    def close(self) -> None:
        """Count what is under way at the end of the simulation."""
        self._count_presence()
        for cause, trainer in self._ended:
            self.account.lost_samples[cause] += trainer.pending
            self._swarm.committed_samples.update(trainer.committed_in_round)
        if self.trainer is not None:
            self.trainer.settle()
            self.account.pending_samples += self.trainer.pending
            self._swarm.committed_samples.update(self.trainer.committed_in_round)
            self._forget(self.trainer)


class SimulatedSwarmRun:
    """One simulation of a topology, which the seed in it decides whole."""

    def __init__(
        self, topology: SimulatedTopology, training: TrainingRules, most_groups: int | None = None
    ) -> None:
        """Prepare a swarm; `run` lets time pass.

        Args:
            topology: the machines and their lives.
            training: the rules of the run.
            most_groups: most groups that one commit covers; None: as many as the rules allow.
        """
        self.topology, self.training = topology, training
        self.queue = EventQueue()
        self.begins_at = seconds_of(topology.begins_at)
        self.history: list[SwarmEvent] = []
        self.commits: dict[bytes, CommitRecord] = {}
        """All commits by their roots, those of lost branches included."""
        self.committed_samples: Counter[bytes] = Counter()
        """Samples of their own that peers found in commits, by roots; from trainers that ended first at the end."""
        head = hashlib.sha256(b"genesis" + training.name.encode()).digest()
        self.genesis = place_at(0, head)
        self._beginning = Beginning(head)
        parts, most = parts_of_run(training), most_groups or training.swarm.most_groups
        self._board = SimulatedBoard(self.queue, topology.seed)
        rounds = SimulatedRounds(
            self.queue, parts, training.swarm, self._board, topology.seed, self._note_commit, most
        )
        self._world = SharedWorld(self.queue, training, rounds)
        self.bootstrap_lines = [self._bootstrap(number) for number in range(topology.bootstrap_peers)]
        if topology.publisher:
            self._publish_on(self.bootstrap_lines[0])
        self.hosts = [SimulatedHost(self, self._account(machine)) for machine in drawn_machines(topology)]

    def _account(self, machine: SimulatedMachine) -> MachineAccount:
        return MachineAccount(machine, SimulatedLine(machine.down, machine.up, machine.delay))

    def _bootstrap(self, number: int) -> SimulatedLine:
        rate = self.topology.bootstrap_mbit * _MBIT
        line = SimulatedLine(rate, rate, 0.0)
        self._board.keepers.append(line)
        if self.topology.auxiliary:
            peer_id = self._peer_id("bootstrap", number)
            SimulatedAuxiliary(self._world, self._board, line, peer_id, beginning=self._beginning)
        return line

    def _publish_on(self, line: SimulatedLine) -> None:
        """Let the coordinator's publisher give its state on ``line``, and keep records as a bootstrap peer does."""
        self._board.keepers.append(line)
        peer_id, beginning = self._peer_id("publisher"), self._beginning
        SimulatedPublisher(self._world, self._board, line, peer_id, self.genesis, beginning=beginning)

    def _peer_id(self, *purpose: object) -> bytes:
        """Return an id as libp2p's of Ed25519 keys are: 34 bytes, of which the first two say so."""
        named = hashlib.sha256(repr((self.topology.seed, *purpose)).encode()).digest()
        return b"\x12\x20" + named

    def trainer_of(self, host: SimulatedHost, number: int, place: Place) -> SimulatedTrainer:
        """Return a trainer that starts on the machine of ``host`` at ``place``, as the peer with that ``number``."""
        machine, line = host.machine, host.account.line
        if machine.reach.accepts_connections and line not in self._board.keepers:
            self._board.keepers.append(line)
        self.note("started", machine.name, place.epoch)
        return SimulatedTrainer(
            self._world,
            self._board,
            machine,
            line,
            self._peer_id(machine.name, number),
            place,
            beginning=self._beginning,
            landed=self._note_landing,
            failed=lambda trainer: host.give_up(),
        )

    def run(
        self,
        progress: Callable[[float], object] = lambda share: None,
        goes_on: Callable[[float], bool] = lambda share: True,
    ) -> None:
        """Let the whole time pass.

        Args:
            progress: called with the share in [0, 1] that has passed, now and then.
            goes_on: asked with it after that; false ends the simulation early.
        """
        end, pieces = 3600.0 * self.topology.duration_hours, 100
        with rare_collections():
            for piece in range(1, pieces + 1):
                self.queue.run(end * piece / pieces)
                progress(piece / pieces)
                if not goes_on(piece / pieces):
                    break
        self.close()

    def close(self) -> None:
        """Count what is under way, and what all lines pass beside rounds and looks."""
        for host in self.hosts:
            host.close()
            seconds = host.account.present_seconds
            host.account.line.count(sent=OTHER_RATE * seconds, received=OTHER_RATE * seconds)

    def note(self, kind: str, who: str, epoch: int) -> None:
        """Add an event of that ``kind`` to the history: ``who`` did it, at which ``epoch``."""
        self.history.append(SwarmEvent(self.queue.now(), kind, who, epoch))

    def _note_commit(self, kind: str, record: CommitRecord) -> None:
        self.commits[record.root] = record
        self.note(kind, record.root.hex()[:16], record.epoch)

    def _note_landing(self, trainer: SimulatedTrainer, landed: LandedEpoch) -> None:
        late = landed.outcome.standing is RoundStatus.LEARNT_LATE
        found = trainer.averager.given_to(landed.outcome.head) if late else 0
        trainer.work.find(found)
        self.committed_samples[landed.outcome.head] += landed.own_samples + found
        self.note("landed", trainer.machine.name, landed.place.epoch)
