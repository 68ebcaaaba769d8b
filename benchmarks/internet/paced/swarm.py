"""A swarm of paced homes and their entrance in an emulated Internet, and how it is watched and removed."""

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from benchmarks.internet.emulation import EmulatedInternet, EmulationError
from benchmarks.internet.paced.home import FROM_HOME, EndHome, HomeNotice, StartHome
from benchmarks.internet.paced.marks import HomeMark, landed
from benchmarks.internet.paced.passed_bytes import count_transports, transports_of
from benchmarks.internet.paced.run import PORT, SERVER, swarm_rules, write_run
from benchmarks.internet.paced.stand_in import write_parameters
from coordinator.messages import FROM_BOOTSTRAP
from core.children.processes import family
from core.messages.children import BootstrapReady, StartBootstrap
from core.messages.reach import Reach, ReachFound, RelayBounds
from core.model.config import preset
from core.run.expected_traffic import most_rounds_fetched
from core.run.manifest import RunManifest
from tests.swarms.home_program import HomeProgram

LISTEN = {
    Reach.OUTGOING: (),
    Reach.DIRECT: (f"/ip4/0.0.0.0/tcp/{PORT}",),
    Reach.PUNCHED: ("/ip4/0.0.0.0/tcp/0",),
}
"""The addresses at which homes listen that are reached in that way."""
_LEAST_FREE = 1_000_000_000
"""Bytes of RAM and swap space that must stay available on this machine: less, and the run ends."""
_FIRST_TO_KILL = "1000"
_LOOK_SECONDS = 2.0
_JOIN_SECONDS = 300.0


class PacedSwarm:
    """The bootstrap peer on the server, and a paced peer in each home."""

    def __init__(
        self,
        internet: EmulatedInternet,
        folder: Path,
        given: argparse.Namespace,
        processes: "StartedProcesses",
    ) -> None:
        """Start the bootstrap peer of a run as ``given``, and the homes once it answers; note all ``processes``."""
        self._processes, self._given = processes, given
        self._internet, self._folder = internet, folder
        model = preset(given.model)
        self._manifest = write_run(folder / "run", model, swarm_rules(given))
        self._epochs_ahead = 1 + most_rounds_fetched(RunManifest.load(self._manifest).training)
        """Epochs that the others have landed when a late home starts: it takes fewer round by round, and no state."""
        write_parameters(folder / "parameters", model)
        self.bootstrap = self._start_bootstrap()
        self._entry = self.bootstrap.wait_for(BootstrapReady).addresses
        self.homes: dict[str, HomeProgram] = {}
        for _ in range(given.homes - given.late):
            self._start_home()

    def _start_bootstrap(self) -> HomeProgram:
        server, alone = self._internet.computer(SERVER), self._given.reach == Reach.OUTGOING
        start = StartBootstrap(
            manifest=self._manifest,
            listen=(f"/ip4/{server.address}/tcp/{PORT}",),
            identity=self._folder / "bootstrap.identity",
            auxiliary=alone,
            relay=None if alone else RelayBounds(),
        )
        log = self._folder / "bootstrap.log"
        return HomeProgram(server, "coordinator.bootstrap", start, FROM_BOOTSTRAP, log)

    def _start_home(self) -> None:
        given, number = self._given, len(self.homes) + 1
        name = f"home{number}"
        (self._folder / name).mkdir()
        order = StartHome(
            manifest=self._manifest,
            folder=self._folder / name,
            initial_peers=self._entry,
            listen=LISTEN[given.reach],
            parameters=self._folder / "parameters",
            seed=number,
            samples_per_second=given.samples_per_second,
            micro_batch=given.micro_batch,
            upload=given.cap_up and round(1000 * given.cap_up),
            download=given.cap_down and round(1000 * given.cap_down),
        )
        computer, log = self._internet.computer(name), self._folder / f"{name}.log"
        count_transports(computer)
        self.homes[name] = HomeProgram(computer, "benchmarks.internet.paced.home", order, FROM_HOME, log)

    def marks(self) -> dict[str, list[HomeMark]]:
        """Return the marks of each home so far."""
        return {name: home.of(HomeMark) for name, home in self.homes.items()}

    def notices(self) -> dict[str, int]:
        """Return how often each sentence was said to volunteers so far."""
        found: dict[str, int] = {}
        for home in self.homes.values():
            for notice in home.of(HomeNotice):
                found[notice.text] = found.get(notice.text, 0) + 1
        return found

    def ways(self) -> dict[str, dict[str, Any]]:
        """Return how each home is reached, and what it has passed by each transport so far."""
        return {
            name: {
                "reach": found[-1].reach if (found := home.of(ReachFound)) else Reach.OUTGOING,
                **transports_of(self._internet.computer(name)),
            }
            for name, home in self.homes.items()
        }

    def watch(self, epochs: int, minutes: float) -> None:
        """Wait until every home has landed that many ``epochs``, or those ``minutes`` are over, and end the homes.

        A late home starts once all others have landed so many epochs that it needs a state.

        Raises EmulationError if homes do not join, or if this machine's memory ends.
        """
        self._until(bool, _JOIN_SECONDS, "homes do not join", must=True)
        if self._given.late:
            others_train = "the others land too few epochs for a late home"
            self._until(
                lambda marks: len(landed(marks)) >= self._epochs_ahead, 60 * minutes, others_train, must=True
            )
            self._start_home()
        self._until(lambda marks: len(landed(marks)) >= epochs, 60 * minutes, "")
        for home in self.homes.values():
            home.send(EndHome())
        self._until(lambda marks: marks[-1].cause == "ended", _JOIN_SECONDS, "homes do not end", must=True)

    def _until(
        self, holds: Callable[[list[HomeMark]], bool], limit: float, otherwise: str, must: bool = False
    ) -> None:
        deadline = time.monotonic() + limit
        while not all(holds(marks) for marks in self.marks().values()):
            self._processes.look()
            if psutil.virtual_memory().available + psutil.swap_memory().free < _LEAST_FREE:
                raise EmulationError("This machine's memory is used up.", "Take fewer homes.")
            if time.monotonic() > deadline:
                if must:
                    raise EmulationError(f"After {limit:.0f} s {otherwise}.", "Keep the logs with --keep.")
                return
            time.sleep(_LOOK_SECONDS)


class StartedProcesses:
    """All processes that were started here: the first to end where memory ends, with nothing left of theirs."""

    def __init__(self) -> None:
        """Make the kernel end this process, and those that it starts, before others."""
        Path(f"/proc/{os.getpid()}/oom_score_adj").write_text(_FIRST_TO_KILL)
        self._seen: set[int] = set()

    def look(self) -> None:
        """Note the processes that run now."""
        self._seen.update(family(os.getpid()))

    def remove_shared_memory(self) -> None:
        """Remove the tensors that they shared: with a namespace's processes torch's own cleaner is killed.

        All of them have ended: a process that has one of their ids is another one, and needs what it shares.
        """
        for pid in self._seen:
            if psutil.pid_exists(pid):
                continue
            for segment in Path("/dev/shm").glob(f"torch_{pid}_*"):
                segment.unlink(missing_ok=True)
