"""A swarm for the benchmark of deaths: starts separate peers, kills or freezes one, and times the others."""

import json
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from benchmarks.deaths.peer import Death, PeerStart, RoundStage, TrapOrder, live, sprung_file
from core.run.manifest import RunManifest
from core.swarm.dht import Network, start_dht
from core.swarm.wire.identity import PeerIdentity
from tests.swarms.tiny_run import GRADIENTS, LOCAL_STEPS, write_tiny_run

RULES: dict[str, Any] = {
    "target_batch_size": 480,
    "matchmaking_seconds": 3.0,
    "allreduce_seconds": 6.0,
    "averaging_seconds": 15.0,
}
"""Time limits as short as a busy machine allows."""
PROCEDURES = {"gradients": GRADIENTS, "local_steps": LOCAL_STEPS}
"""Swarm rules of the procedures."""
LIMIT_SECONDS = 2 * RULES["averaging_seconds"]
"""Largest time limit in seconds: a death may break one round, and the survivors need another one, each at
most ``averaging_seconds``."""
EPOCHS_AFTER = 3
"""Epochs of each survivor that are watched after a death; by then the records of the dead are gone, or
nearly."""
_EPOCHS, _FULL = 2000, 1900
_GIVE_UP_SECONDS = 120.0
_POLL_SECONDS = 0.05

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["benchmarks.deaths.peer"])  # importing takes most of a peer's start


class Role(StrEnum):
    """The victim's role in its group."""

    MEMBER = "member"  # in client mode: sends its gradients, and reduces nothing
    REDUCER = "reducer"
    WRITER = "commit writer"


@dataclass(frozen=True)
class DeathCase:
    """One way to die."""

    role: Role
    stage: RoundStage
    death: Death


@dataclass(frozen=True)
class Repetition:
    """Effects of one death on the others, in seconds."""

    without_epoch: float
    """Longest seconds between two epochs of a survivor, from the last before the death to the third after
    it."""
    back: float | None = None
    """Seconds until a thawed victim is in step again; None if it was killed, or is not in step within the
    time limit."""


class Unready(Exception):
    """The peers did not start to work together, or none of them reached the stage: there was no death."""


class Stalled(Exception):
    """Survivors committed no epoch for long, or ended."""


class _PeerLife:
    """One life of a peer, and its messages."""

    def __init__(self, start: PeerStart) -> None:
        self.name, self._file = start.name, start.folder / f"{start.name}.jsonl"
        self._read, self.epochs = 0, list[dict[str, Any]]()
        self.process = _CONTEXT.Process(target=live, args=(start,))
        self.process.start()

    def look(self) -> None:
        """Read the messages written since the last call."""
        with suppress(FileNotFoundError), self._file.open("rb") as file:
            file.seek(self._read)
            lines = file.read()
            whole = lines[: lines.rfind(b"\n") + 1]
            self._read += len(whole)
            entries = map(json.loads, whole.splitlines())
            self.epochs += [item for item in entries if item["kind"] == "epoch"]

    def epochs_after(self, moment: float) -> list[dict[str, Any]]:
        return [item for item in self.epochs if item["time"] > moment]

    def longest_wait(self, moment: float) -> float:
        """Return the longest seconds between epochs, from the last before a moment to the third after it."""
        before = [item["time"] for item in self.epochs if item["time"] <= moment]
        times = [before[-1], *(item["time"] for item in self.epochs_after(moment)[:EPOCHS_AFTER])]
        return float(max(after - before for before, after in pairwise(times)))

    def end(self, number: signal.Signals) -> None:
        if self.process.is_alive():
            assert self.process.pid is not None
            os.kill(self.process.pid, number)
        self.process.join(30)


class DyingSwarm:
    """Three peers of a tiny run and a bootstrap node; those that die are replaced. A context manager."""

    def __init__(self, folder: Path, *, has_member: bool, procedure: str = "gradients") -> None:
        """Start the bootstrap node of a run in ``folder``.

        With ``has_member`` the third peer reduces no parts. ``procedure`` is one of `PROCEDURES`.
        """
        self.folder, self._has_member, self._count = folder, has_member, 0
        self._manifest = write_tiny_run(folder / "run", epochs=_EPOCHS, **RULES, **PROCEDURES[procedure])
        loaded = RunManifest.load(self._manifest)
        self._dht = start_dht(
            Network(check_identity=False),
            PeerIdentity.load_or_create(folder / "bootstrap"),
            prefix=loaded.dht_prefix,
            total_epochs=_EPOCHS,
        )
        self._addresses = tuple(map(str, self._dht.get_visible_maddrs()))
        self.lives: list[_PeerLife] = []
        self._frozen: list[int] = []

    def __enter__(self) -> Self:
        for is_member in (False, False, self._has_member):
            self._start(is_member=is_member)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pid in self._frozen:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for life in self.lives:
            life.end(signal.SIGKILL)
        self._dht.shutdown()
        self._dht.join(5)

    @property
    def is_at_its_end(self) -> bool:
        """True if the run's schedule ends soon."""
        return any(life.epochs and life.epochs[-1]["epoch"] > _FULL for life in self.lives)

    def repeat(self, case: DeathCase) -> Repetition:
        """Let one peer die once; raise Stalled if the others do not recover, Unready without a death."""
        if not self._comes_in_step():
            raise Unready("not all peers take part in an epoch")
        established = list(self.lives)
        order = self._set_trap(case)
        if case.stage in (RoundStage.GIVING, RoundStage.FETCHING):
            self._start(is_member=False, name=_late(order.number))
        victim, moment, pids = self._await_victim(order.number)
        self._frozen = pids if case.death is Death.FROZEN else []
        survivors = [life for life in established if life is not victim]
        if not self._comes(lambda: all(len(life.epochs_after(moment)) >= EPOCHS_AFTER for life in survivors)):
            raise Stalled(f"the survivors of {victim.name} made no {EPOCHS_AFTER} epochs")
        waited = max(life.longest_wait(moment) for life in survivors)
        back = self._thaw(victim) if case.death is Death.FROZEN else None
        self._restore(victim, case.death, established)
        return Repetition(waited, back)

    def _start(self, *, is_member: bool, name: str | None = None) -> None:
        self._count += 1
        name = name or f"{'member' if is_member else 'peer'}-{self._count}"
        start = PeerStart(self.folder, name, self._manifest, self._addresses, is_member)
        self.lives.append(_PeerLife(start))

    def _set_trap(self, case: DeathCase) -> TrapOrder:
        self._count += 1
        if case.stage is RoundStage.FETCHING:
            peers: tuple[str, ...] = (_late(self._count),)
        else:
            wanted = [life for life in self.lives if _is_member(life) or not self._has_member]
            peers = tuple(life.name for life in wanted)
        order = TrapOrder(self._count, case.stage, case.death, peers)
        order.save(self.folder)
        return order

    def _await_victim(self, number: int) -> tuple[_PeerLife, float, list[int]]:
        """Return the victim, the time of its death, and its processes."""
        file = sprung_file(self.folder, number)
        if not self._comes(lambda: file.exists() and file.read_bytes().endswith(b"}")):
            raise Unready("no peer came to the stage")
        note = json.loads(file.read_bytes())
        victim = next(life for life in self.lives if life.name == note["name"])
        return victim, note["time"], note["pids"]

    def _thaw(self, victim: _PeerLife) -> float | None:
        """Continue the victim; return the seconds until it is in step again, None if too long."""
        for pid in self._frozen:
            os.kill(pid, signal.SIGCONT)
        self._frozen, thawed = [], time.monotonic()
        if not self._comes_in_step(since=thawed):
            return None
        return float(victim.epochs[-1]["time"]) - thawed

    def _restore(self, victim: _PeerLife, death: Death, established: Sequence[_PeerLife]) -> None:
        """Restore three peers of the previous kinds."""
        (self.folder / "trap").unlink()
        if death is Death.KILLED:
            victim.process.join(30)
            self.lives.remove(victim)
            if len(self.lives) < len(established):
                self._start(is_member=_is_member(victim))
        for surplus in self.lives[len(established) :]:
            surplus.end(signal.SIGTERM)
            self.lives.remove(surplus)

    def _comes_in_step(self, since: float = 0.0) -> bool:
        """Wait until all peers have made the same epoch together; return true if they do in time."""

        def in_step() -> bool:
            last = [life.epochs_after(since)[-1:] for life in self.lives]
            return all(last) and {(item[0]["epoch"], item[0]["members"]) for item in last} == {
                (last[0][0]["epoch"], len(self.lives))
            }

        return self._comes(in_step)

    def _comes(self, condition: Callable[[], bool]) -> bool:
        deadline = time.monotonic() + _GIVE_UP_SECONDS
        while time.monotonic() < deadline:
            for life in self.lives:
                life.look()
            if condition():
                return True
            time.sleep(_POLL_SECONDS)
        return False


def _late(number: int) -> str:
    return f"late-{number}"


def _is_member(life: _PeerLife) -> bool:
    return life.name.startswith("member")
