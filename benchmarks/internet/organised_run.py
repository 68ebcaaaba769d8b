"""A coordinator and volunteers on the computers of an emulated Internet, by the commands that people type."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from benchmarks.internet.emulation import EmulatedComputer, EmulatedInternet, EmulationError
from client.api.answers import Status
from client.api.connection import Connection
from client.api.errors import ControlError
from client.api.questions import GetStatus
from client.api.snapshot import Snapshot
from client.paths import HOME_VARIABLE, Paths
from core.children import processes

WEB_PORT = 8080
_COMMAND_SECONDS = 240.0
_IDLEBRUSH = (sys.executable, "-m", "client.cli")
_FETCH = "import sys, urllib.request as web; print(web.urlopen(sys.argv[1], timeout=30).read().decode())"


@dataclass(frozen=True)
class LineTraffic:
    """Bytes that a router's interface towards the Internet has passed, headers of IP included."""

    down: int
    up: int

    def __sub__(self, before: "LineTraffic") -> "LineTraffic":
        return LineTraffic(self.down - before.down, self.up - before.up)


def traffic_of(internet: EmulatedInternet, site: str) -> LineTraffic:
    """Return what the line of ``site`` has passed so far; raises EmulationError if it can't be read."""
    edge = EmulatedComputer(internet.site(site).edge, "", site)
    (device,) = json.loads(edge.run("ip", "-json", "-stats", "link", "show", "dev", "wan"))
    counted = device["stats64"]
    return LineTraffic(counted["rx"]["bytes"], counted["tx"]["bytes"])


def share_cores(pids: Iterable[int]) -> None:
    """Give the processes of these ids the priority of this process.

    Trainers run only where nothing else wants to, and here much else does.
    """
    niceness = os.getpriority(os.PRIO_PROCESS, 0)
    for pid in pids:
        with suppress(OSError):  # sessions are scheduled first where the kernel can do that
            Path(f"/proc/{pid}/autogroup").write_text("0")
        for task in Path(f"/proc/{pid}/task").glob("*"):
            with suppress(OSError):
                os.sched_setscheduler(int(task.name), os.SCHED_OTHER, os.sched_param(0))
                os.setpriority(os.PRIO_PROCESS, int(task.name), niceness)


@dataclass(frozen=True)
class SeenEpoch:
    """A committed epoch in a volunteer's history."""

    loss: float
    """Mean loss over the swarm's samples, decoded from the committed bytes."""
    own_samples: int
    """Samples of this volunteer in it."""


@dataclass(frozen=True)
class VolunteerHome:
    """A volunteer's computer at a home, with a folder of its own for all that Idlebrush keeps."""

    computer: EmulatedComputer
    folder: Path
    port: int | None = None
    """Port to listen at, as where the router forwards it to one of the home's computers; None: any."""

    @property
    def name(self) -> str:
        """Name of the computer, which its folder has: that of the home, or that of one of several computers in it."""
        return self.folder.name

    @property
    def paths(self) -> Paths:
        """Folders of this volunteer's client."""
        return Paths.of_user({HOME_VARIABLE: str(self.folder)})

    def say(self, *words: str) -> str:
        """Type a command of ``idlebrush`` at this computer, and return what it prints; EmulationError if it fails."""
        return self.computer.run(
            "env", f"{HOME_VARIABLE}={self.folder}", *_IDLEBRUSH, *words, seconds=_COMMAND_SECONDS
        )

    def join(self, link: str, share: float = 1.0) -> None:
        """Train the run of that ``link`` from now on, on one thread, whatever else this machine does.

        It computes for at most the ``share`` of the time.
        """
        self.say("prefs", "set", "run-mode", "always")
        self.say("prefs", "set", "threads", "1")
        self.say("prefs", "set", "share-of-time", f"{share:.0%}")
        if self.port is not None:
            self.say("prefs", "set", "listening-port", str(self.port))
        self.say("join", link, "--yes", "--no-measure")

    def snapshot(self) -> Snapshot | None:
        """Return what `idlebrush status --json` shows; None if the daemon does not answer."""
        try:
            with Connection.open(self.paths.socket) as daemon:
                answer = daemon.ask(GetStatus())
        except ControlError:
            return None
        return answer.snapshot if isinstance(answer, Status) else None

    def share_cores(self) -> None:
        """Give the trainer's processes the priority of this one: a home's own machine has no others to run.

        Trainers run only where nothing else wants to. Here that would be after the daemons of all homes, and after
        all that this machine does besides.
        """
        snapshot = self.snapshot()
        if snapshot is None:
            return
        share_cores(process.pid for process in processes.below(snapshot.pid, processes.running()))

    def lose_power(self) -> None:
        """SIGKILL to the daemon and all that it has started; raises EmulationError if the daemon does not answer."""
        snapshot = self.snapshot()
        if snapshot is None:
            raise EmulationError(f"The daemon of {self.name} does not answer.", "See its log.")
        below = processes.below(snapshot.pid, processes.running())
        for pid in (snapshot.pid, *(process.pid for process in below)):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)

    def epochs(self) -> dict[int, SeenEpoch]:
        """Return the epochs that this computer keeps in its history."""
        rows = self._kept("SELECT epoch, loss, own_samples FROM course")
        return {epoch: SeenEpoch(loss, own) for epoch, loss, own in rows}

    def micro_steps(self) -> int:
        """Return the micro-steps that this computer has made so far."""
        return sum(count for (count,) in self._kept("SELECT micro_steps FROM hours"))

    def _kept(self, query: str) -> list[Any]:
        """Return the rows of a ``query`` to the database of this volunteer's contribution."""
        if not self.paths.stats.exists():
            return []
        with closing(sqlite3.connect(f"file:{self.paths.stats}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()


@dataclass
class OrganisedRun:
    """A run that an organiser makes and serves on a rented server."""

    computer: EmulatedComputer
    folder: Path
    _serving: "subprocess.Popen[str] | None" = field(default=None, init=False)

    @property
    def address(self) -> str:
        """Address of the website."""
        return f"http://{self.computer.address}:{WEB_PORT}"

    def make(self, draft: Path) -> str:
        """Make the run of that ``draft`` with an open gate, and return what volunteers join it by."""
        output = self.computer.run(
            *_IDLEBRUSH,
            *("coordinator", "init", str(self.folder), "--run", str(draft)),
            *("--address", self.address, "--open"),
            seconds=_COMMAND_SECONDS,
        )
        links = [
            line.split(": ", 1)[1] for line in output.splitlines() if line.startswith("Invite volunteers")
        ]
        if not links:
            raise EmulationError(f"`coordinator init` gave no link: {output}", "See what it printed.")
        return links[0]

    def serve(self, log: Path) -> None:
        """Serve it until the emulated Internet is removed; the command's output goes to ``log``."""
        with log.open("a") as output:
            self._serving = self.computer.start(
                (*_IDLEBRUSH, "coordinator", "serve", str(self.folder), "--headless"),
                output=output,
                errors=output,
            )

    def asked(self, path: str) -> Any:
        """Return what the coordinator's API answers at ``path``; None if it can't yet."""
        try:
            return json.loads(self.computer.run(sys.executable, "-S", "-c", _FETCH, self.address + path))
        except EmulationError:
            return None

    def history(self) -> list[Mapping[str, Any]]:
        """Return the committed epochs that the recorder has seen."""
        answer = self.asked("/api/history?points=5000")
        return answer["epochs"] if answer else []

    def stop(self) -> None:
        """SIGKILL to all of its processes, as when the server has lost its power."""
        assert self._serving is not None
        serving = psutil.Process(self._serving.pid)
        for process in [serving, *serving.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self._serving.wait()
        self._serving = None

    def kill(self, module: str) -> None:
        """SIGKILL to the process of that ``module``; raises EmulationError if there is none."""
        assert self._serving is not None
        for process in psutil.Process(self._serving.pid).children(recursive=True):
            if module in process.cmdline():
                os.kill(process.pid, signal.SIGKILL)
                return
        raise EmulationError(f"The coordinator has no process {module}.", "See its log.")
