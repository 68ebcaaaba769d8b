"""A gated swarm on loopback: the organiser's entrance, honest trainers, and hostile peers that come to it later."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psutil

from benchmarks.hostility.course import PeerCourse, epochs_between
from benchmarks.hostility.peers import attack, live
from benchmarks.hostility.rows import AttackRow
from benchmarks.hostility.run_files import AttackedRun
from benchmarks.hostility.seat import PeerSeat
from core.run.manifest import RunManifest
from core.swarm.dht import Network, start_dht
from core.swarm.membership.run_state import RunStateValidator
from core.swarm.wire.identity import PeerIdentity

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["benchmarks.hostility.peers"])  # importing takes most of a peer's start
_LOOK_SECONDS = 0.5
_GIVE_UP_SECONDS = 600.0
_TOKEN_SECONDS = 4 * 3600.0
_LATE_SEED = 1_000
_EPOCHS_BEFORE = 3
"""Epochs that all honest peers have made before hostile ones come."""


class UnreadySwarmError(Exception):
    """The honest peers did not come to train together."""


@dataclass(frozen=True)
class SwarmSize:
    """Numbers of the peers of a swarm, and the share of the time in which they compute."""

    honest: int
    hostile: int
    share: float
    """Share of the time in which each trainer computes."""


class HostileSwarm:
    """One row's swarm; a context manager that ends all of its processes."""

    def __init__(self, folder: Path, run: AttackedRun, row: AttackRow, size: SwarmSize) -> None:
        """Start the entrance of ``run``, with the files of all peers in ``folder``, for that ``row``."""
        self._folder, self._run, self._row, self._size = folder, run, row, size
        folder.mkdir(parents=True, exist_ok=True)
        manifest, identity = (
            RunManifest.load(run.manifest),
            PeerIdentity.load_or_create(folder / "entrance"),
        )
        self._dht = start_dht(
            Network(check_identity=False, checks_others=True),
            identity,
            prefix=manifest.dht_prefix,
            total_epochs=manifest.training.schedule.total_epochs,
            validators=[RunStateValidator(manifest)],
            admission=run.gate.admit(identity, "organiser", seconds=_TOKEN_SECONDS),
        )
        self._processes: dict[str, Any] = {}
        self.honest = [self._seat(f"honest-{number}", number) for number in range(size.honest)]
        self.hostile = [self._hostile_seat(number) for number in range(size.hostile)]

    def __enter__(self) -> Self:
        """Start the honest peers."""
        for seat in self.honest:
            self.start_honest(seat)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all processes of the swarm."""
        for process in self._processes.values():
            _kill(process)
        self._dht.shutdown()
        self._dht.join(5)

    # --- its peers ----------------------------------------------------------------------------------------------

    def _seat(self, name: str, seed: int) -> PeerSeat:
        seat = PeerSeat(
            self._folder,
            name,
            self._run.manifest,
            tuple(map(str, self._dht.get_visible_maddrs())),
            (),
            seed,
            self._size.share,
            self._run.micro_batch,
            self._run.snapshot_every,
        )
        (self._folder / name).mkdir(exist_ok=True)
        return replace(seat, tokens=(self._token(seat, 0),))

    def _hostile_seat(self, number: int) -> PeerSeat:
        row, size = self._row, self._size
        seat = self._seat(f"hostile-{number}", size.honest + number)
        further = [self._token(seat, each, age=row.further_age) for each in range(1, row.further_peers + 1)]
        known = {"peers": size.honest + size.hostile, "hostile": size.hostile} if row.knows_numbers else {}
        return replace(
            seat,
            attack=row.name,
            hostile=number,
            options={**row.options, **known},
            tokens=(*seat.tokens, *further),
        )

    def _token(self, seat: PeerSeat, number: int, *, age: float = 0.0) -> str:
        """Return a token for a peer of the user of ``seat``; with an ``age``, one that ran out that long ago."""
        identity, user = seat.identity_of(number), seat.name
        if age:
            return self._run.gate.token(identity, user, seconds=-age, age=2 * age)
        return self._run.gate.token(identity, user, seconds=_TOKEN_SECONDS)

    def _start(self, seat: PeerSeat, work: Callable[[PeerSeat], None]) -> None:
        process = _CONTEXT.Process(target=work, args=(seat,), name=seat.name)
        process.start()
        self._processes[seat.name] = process

    def start_honest(self, seat: PeerSeat) -> None:
        """Start the honest peer of that ``seat``, also one that was killed."""
        self._start(seat, live)

    def kill(self, seat: PeerSeat) -> None:
        """End the processes of the peer of that ``seat`` as a power failure would."""
        _kill(self._processes[seat.name])

    def processes_of(self, seat: PeerSeat) -> list[tuple[str, psutil.Process]]:
        """Return the processes of the peer of that ``seat`` that live, each with its role.

        That is the program's name, and how many seconds after the trainer it began.
        """
        if not self._processes[seat.name].is_alive():
            return []
        with suppress(psutil.Error):
            main = psutil.Process(self._processes[seat.name].pid)
            children = main.children(recursive=True)
            begun = main.create_time()
            return [
                ("trainer", main),
                *((f"{item.name()} +{item.create_time() - begun:.0f} s", item) for item in children),
            ]
        return []

    def join_late(self) -> PeerSeat:
        """Start another honest peer, and return its seat; it knows hostile entrances before the organiser's."""
        seat = self._seat("late", _LATE_SEED)
        if self._row.is_entered:
            known = [address for hostile in self.hostile for address in self._addresses(hostile)]
            seat = replace(seat, initial_peers=(*known, *seat.initial_peers))
        self.start_honest(seat)
        return seat

    def _addresses(self, seat: PeerSeat) -> list[str]:
        """Return the addresses of the hostile peer in that ``seat``, once it has entered."""
        deadline = time.monotonic() + _GIVE_UP_SECONDS
        while not seat.entrance.exists():
            if time.monotonic() > deadline or not self._processes[seat.name].is_alive():
                raise UnreadySwarmError(f"The hostile entrance does not come up. See {seat.log}.")
            time.sleep(_LOOK_SECONDS)
        return seat.entrance.read_text().splitlines()

    # --- its course ---------------------------------------------------------------------------------------------

    def courses(self) -> list[PeerCourse]:
        """Return the courses of the honest peers so far."""
        return [self.course_of(seat) for seat in self.honest]

    def course_of(self, seat: PeerSeat) -> PeerCourse:
        """Return the course of the trainer in that ``seat`` so far."""
        return PeerCourse.read(seat.name, seat.events, self._run.micro_batch)

    def why_ended(self, seats: Sequence[PeerSeat]) -> dict[str, str]:
        """Return why those of the ``seats`` ended that did, as far as they could say so."""
        found = {seat.name: self.course_of(seat).ended for seat in seats}
        return {name: why for name, why in found.items() if why}

    def await_training(self) -> None:
        """Wait until all honest peers have made some epochs; raises UnreadySwarmError if they do not."""
        deadline = time.monotonic() + _GIVE_UP_SECONDS
        while min(course.last_epoch for course in self.courses()) < _EPOCHS_BEFORE:
            ended = [course.ended for course in self.courses() if course.ended]
            if ended or time.monotonic() > deadline:
                raise UnreadySwarmError(
                    f"The honest peers do not train: {ended or 'no epochs'}. See {self._folder}."
                )
            time.sleep(_LOOK_SECONDS)

    def attack(self) -> float:
        """Start the hostile peers, and return the moment at which all of them attack, in monotonic seconds."""
        for seat in self.hostile:
            self._start(seat, attack)
        deadline = time.monotonic() + _GIVE_UP_SECONDS
        while not all(self._attacks(seat) for seat in self.hostile):
            if time.monotonic() > deadline:
                raise UnreadySwarmError(f"The hostile peers do not come up. See {self._folder}.")
            time.sleep(_LOOK_SECONDS)
        return time.monotonic()

    def _attacks(self, seat: PeerSeat) -> bool:
        """Return true if the peer in that ``seat`` attacks, or has ended already, as one with a wrong clock may."""
        begun = seat.events.exists() and b'"attacking"' in seat.events.read_bytes()
        return begun or not self._processes[seat.name].is_alive()

    def await_epochs(self, begin: float, epochs: int | None, seconds: float) -> None:
        """Wait until all honest peers have made ``epochs`` epochs since the moment ``begin``, at most ``seconds``.

        Without a number of ``epochs`` it waits for all of the time.
        """
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            time.sleep(min(_LOOK_SECONDS, end - now))
            made = [epochs_between(course, begin, now) for course in self.courses()]
            if epochs is not None and min(made) >= epochs:
                return

    def ended(self, seats: Sequence[PeerSeat]) -> list[str]:
        """Return the names of those of the ``seats`` whose processes have ended."""
        return [seat.name for seat in seats if not self._processes[seat.name].is_alive()]

    def entrance_bytes(self) -> int:
        """Return the resident memory in bytes of the entrance's node and its libp2p daemon."""
        node = psutil.Process(self._dht.pid)
        return sum(process.memory_info().rss for process in (node, *node.children(recursive=True)))


def _kill(process: Any) -> None:
    """SIGKILL to a peer's process and all that it started."""
    if process.exitcode is None:
        with suppress(psutil.NoSuchProcess):
            main = psutil.Process(process.pid)
            for member in (main, *main.children(recursive=True)):
                with suppress(psutil.NoSuchProcess):
                    os.kill(member.pid, signal.SIGKILL)
    process.join(10)
