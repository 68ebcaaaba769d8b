"""One peer of the benchmark of deaths: the real swarm, artificial gradients, and a trap in which it dies."""

import json
import multiprocessing
import os
import signal
import threading
import time
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing.sharedctypes import RawArray, RawValue
from pathlib import Path
from typing import Any

import psutil
import torch

from core.children import logs, parent_death
from core.run.manifest import RunManifest
from core.swarm.dht import Network
from core.swarm.initial_model import initial_model
from core.swarm.peer import Peer
from core.swarm.phase import Phase
from core.swarm.rounds.events import RoundEvent
from core.swarm.state.state import SwarmState
from core.swarm.update import LandedEpoch
from tests.swarms.hivemind_locks import own_locks

_SAMPLES, _TURN_SECONDS = 8, 0.05
_WATCH_SECONDS = 0.002
_MOST_PROCESSES = 16


class RoundStage(StrEnum):
    """Stages of a round at which a peer may die."""

    GATHERING = "gathering samples"
    LOOKING = "looking for a group"
    FOLLOWING = "following a leader"
    LEADING = "leading a follower"
    GROUPED = "group formed"
    SENDING = "sending parts"
    REDUCING = "reducing parts"
    RECEIVING = "receiving parts"
    COMPLETE = "all parts at hand"
    WRITING = "about to write the commit"
    WRITTEN = "commit written"
    COMMITTED = "epoch committed"
    UPDATING = "applying the update"
    GIVING = "giving its state"
    FETCHING = "fetching a state"


class Death(StrEnum):
    """Effect on all processes of the victim at once."""

    KILLED = "killed"
    FROZEN = "frozen"
    NONE = "none"


_SIGNALS = {Death.KILLED: signal.SIGKILL, Death.FROZEN: signal.SIGSTOP}
_STAGES = {
    (RoundEvent.LOOKING, 1): RoundStage.LOOKING,
    (RoundEvent.GROUPED, 1): RoundStage.GROUPED,
    (RoundEvent.PART_SENT, 2): RoundStage.SENDING,
    (RoundEvent.PART_REDUCED, 2): RoundStage.REDUCING,
    (RoundEvent.PART_RECEIVED, 2): RoundStage.RECEIVING,
    (RoundEvent.REDUCED_ALL, 1): RoundStage.COMPLETE,
    (RoundEvent.WRITING, 1): RoundStage.WRITING,
    (RoundEvent.WRITTEN, 1): RoundStage.WRITTEN,
    (RoundEvent.COMMITTED, 1): RoundStage.COMMITTED,
}


@dataclass(frozen=True)
class TrapOrder:
    """A trap for some peers of a swarm; the first of them that reaches the stage springs it."""

    number: int
    """Number of the trap, unique in its swarm."""
    stage: RoundStage
    death: Death
    peers: tuple[str, ...]

    def save(self, folder: Path) -> None:
        """Set the trap for the peers of the swarm that has this folder."""
        passing = folder / "trap.new"
        passing.write_text(json.dumps([self.number, self.stage, self.death, self.peers]))
        passing.replace(folder / "trap")

    @classmethod
    def load(cls, folder: Path) -> "TrapOrder | None":
        """Return the trap that is set now."""
        try:
            number, stage, death, peers = json.loads((folder / "trap").read_text())
        except FileNotFoundError:
            return None
        return cls(number, RoundStage(stage), Death(death), tuple(peers))


def sprung_file(folder: Path, number: int) -> Path:
    """Return the file that the victim of a trap writes just before its death."""
    return folder / f"sprung-{number}"


class Trap:
    """State by which a peer's processes learn where to die; it has no locks, as some may be stopped."""

    def __init__(self, folder: Path, name: str, log: "PeerLog") -> None:
        self._folder, self._name, self._log = folder, name, log
        self._number, self._stage, self._death = (RawValue("i", -1) for _ in range(3))
        self._pids = RawArray("i", _MOST_PROCESSES)

    def arm(self) -> None:
        """Read the current order; called in the peer's main process."""
        order = TrapOrder.load(self._folder)
        if order is None or self._name not in order.peers:
            self._stage.value = -1
        elif order.number != self._number.value:
            self._number.value, self._death.value = order.number, list(Death).index(order.death)
            self._stage.value = list(RoundStage).index(order.stage)

    def note_processes(self) -> None:
        """Record which processes are to die; called in the main process once all have started."""
        main = psutil.Process()
        for index, process in enumerate([main, *main.children(recursive=True)]):
            self._pids[index] = process.pid

    def awaits(self, *stages: RoundStage) -> bool:
        """Return true if the trap is set to one of these ``stages``."""
        index = self._stage.value
        return index >= 0 and list(RoundStage)[index] in stages

    def reach(self, stage: RoundStage) -> None:
        """Note that the peer is at that stage; it may die here."""
        if not self.awaits(stage):
            return
        self._stage.value = -1
        pids = [pid for pid in self._pids if pid]
        note = json.dumps({"name": self._name, "time": time.monotonic(), "pids": pids}).encode()
        try:
            file = os.open(
                sprung_file(self._folder, self._number.value), os.O_CREAT | os.O_EXCL | os.O_WRONLY
            )
        except FileExistsError:
            return  # another peer was faster
        os.write(file, note)
        os.close(file)
        death = list(Death)[self._death.value]
        if death is not Death.NONE:
            for pid in (*(pid for pid in pids if pid != os.getpid()), os.getpid()):
                os.kill(pid, _SIGNALS[death])

    def observe(self, event: RoundEvent, count: int) -> None:
        """Observe the averager."""
        if count == 1:
            self._log.write("round", event=event)
        if event is RoundEvent.LOOKING and self.awaits(RoundStage.FOLLOWING, RoundStage.LEADING):
            threading.Thread(target=self._watch_matchmaking, daemon=True).start()
        if (event, count) in _STAGES:
            self.reach(_STAGES[event, count])

    def _watch_matchmaking(self) -> None:
        averager: Any = multiprocessing.current_process()
        while self.awaits(RoundStage.FOLLOWING, RoundStage.LEADING):
            if averager._matchmaking.current_followers:
                self.reach(RoundStage.LEADING)
            if averager._matchmaking.current_leader is not None:
                self.reach(RoundStage.FOLLOWING)
            time.sleep(_WATCH_SECONDS)


@dataclass(frozen=True)
class PeerStart:
    """Start message of a peer's process."""

    folder: Path
    """Folder of the swarm."""
    name: str
    manifest: Path
    initial_peers: tuple[str, ...]
    client_mode: bool


class PeerLog:
    """A peer's log of JSON lines, in a file that a death during a write does not corrupt."""

    def __init__(self, start: PeerStart) -> None:
        self._file = os.open(start.folder / f"{start.name}.jsonl", os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    def write(self, kind: str, **content: object) -> None:
        os.write(self._file, json.dumps({"kind": kind, "time": time.monotonic(), **content}).encode() + b"\n")


def live(start: PeerStart) -> None:
    """Take part in the swarm until SIGTERM."""
    own_locks()
    multiprocessing.set_start_method("fork", force=True)  # for what hivemind starts
    parent_death.signal_on_parent_death(signal.SIGKILL)
    parent_death.tie_forks()
    torch.set_num_threads(1)
    _print_to(start.folder / f"{start.name}.log")
    logs.to_standard_error()
    log = PeerLog(start)
    trap = Trap(start.folder, start.name, log)
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    manifest = RunManifest.load(start.manifest)
    model = initial_model(manifest, start.manifest.parent)
    peer = Peer.start(
        manifest,
        model,
        Network(initial_peers=start.initial_peers, client_mode=start.client_mode, check_identity=False),
        start.folder / f"{start.name}.identity",
        notify=lambda text: log.write("notice", text=text),
        observe=trap.observe,
    )

    def give_state() -> SwarmState:
        trap.reach(RoundStage.GIVING)
        return peer.replica.copied_state()

    peer.averager.serve_state(give_state)
    trap.note_processes()
    log.write("started", pid=os.getpid())
    try:
        _NoiseLoop(peer, trap, log).run(ended)
    finally:
        peer.leave()
        log.write("left")


def _print_to(file: Path) -> None:
    opened = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(opened, stream)


class _NoiseLoop:
    """Works as the training loop does, with noise in place of gradients."""

    def __init__(self, peer: Peer, trap: Trap, log: PeerLog) -> None:
        self._optimizer, self._begins = peer.optimizer, True
        self._parameters = peer.replica.masters.model_parameters()
        draws = torch.Generator().manual_seed(0)
        self._noise = [torch.randn(item.shape, generator=draws) for item in self._parameters]
        self._trap, self._log, self._phase = trap, log, Phase.JOINING

    def run(self, ended: threading.Event) -> None:
        while not ended.wait(_TURN_SECONDS):
            self._trap.arm()
            if self._optimizer.may_compute:
                self._compute()
            landed = self._optimizer.advance()
            if landed is not None:
                self._begins = True
                self._write_epoch(landed)
            self._write_phase()

    def _compute(self) -> None:
        for parameter, noise in zip(self._parameters, self._noise, strict=True):
            parameter.grad = noise.clone() if parameter.grad is None else parameter.grad.add_(noise)
        self._optimizer.accumulate(1.0, _SAMPLES)
        if self._begins and self._optimizer.phase is Phase.ACCUMULATING:
            self._begins = False
            self._trap.reach(RoundStage.GATHERING)

    def _write_epoch(self, landed: LandedEpoch) -> None:
        outcome, place = landed.outcome, landed.place
        self._log.write(
            "epoch",
            epoch=place.epoch,
            head=place.head.hex(),
            digest=place.digest,
            members=outcome.members,
            standing=outcome.standing,
            included=outcome.included,
        )

    def _write_phase(self) -> None:
        if (phase := self._optimizer.phase) is self._phase:
            return
        self._phase = phase
        self._log.write("phase", phase=phase, epoch=self._optimizer.epoch)
        if phase is Phase.UPDATING:
            self._trap.reach(RoundStage.UPDATING)
        elif phase is Phase.RECOVERING:
            self._trap.reach(RoundStage.FETCHING)
