"""A volunteer's machine for tests: the real daemon in folders of its own, and what a person does with it."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from client.api.answers import Done, Status
from client.api.commands import Join, Quit
from client.api.connection import Connection
from client.api.errors import NoDaemon
from client.api.questions import GetStatus
from client.api.requests import AnyRequest
from client.api.snapshot import Activity, Snapshot
from client.joining.run_card import MANIFEST, RunCard
from client.paths import Paths
from core.run.manifest import RunManifest
from tests.integration.loopback_daemon import VARIABLE
from tests.processes.process_tree import MARK, command_line
from tests.waiting import COSTLY, wait_until

ROOT = Path(__file__).parents[1]
PATIENCE = 90.0
"""Time limit in seconds; a trainer on a busy machine takes long to load."""
ASKED_EVERY = 0.06
"""Seconds between two looks at a daemon, each of which connects to it and reads all that it knows."""


@dataclass
class VolunteerMachine:
    """A volunteer with a computer of their own."""

    home: Path
    environment: dict[str, str] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    """Settings of the daemon that differ: see `tests.integration.loopback_daemon`."""
    within: tuple[str, ...] = ()
    """Command that runs the daemon in other surroundings: the daemon's own follows, and takes its place."""
    daemon: subprocess.Popen[bytes] | None = None

    @property
    def paths(self) -> Paths:
        return Paths.of_user({"IDLEBRUSH_HOME": str(self.home)})

    def start(self) -> None:
        """Start the daemon, and wait until it answers."""
        self.paths.prepare()
        with (self.home / "daemon.out").open("ab") as out:
            self.daemon = subprocess.Popen(
                [*self.within, sys.executable, "-m", "tests.integration.loopback_daemon"],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=self._environment(),
            )
        wait_until(self.answers, "the daemon does not answer", every=ASKED_EVERY)

    def answers(self) -> bool:
        assert self.daemon is not None
        assert self.daemon.poll() is None, (self.home / "daemon.out").read_text()
        with contextlib.suppress(NoDaemon):
            self.look()
            return True
        return False

    def log(self, name: str) -> str:
        """Return what `idlebrush logs` would show of a process."""
        return self.paths.log(name).read_text()

    def ask(self, request: AnyRequest) -> Done | Status:
        with Connection.open(self.paths.socket) as connection:
            return connection.ask(request)

    def look(self) -> Snapshot:
        answer = self.ask(GetStatus())
        assert isinstance(answer, Status)
        return answer.snapshot

    def prefer(self, **preferences: str) -> None:
        """Write the file of preferences, as a person does."""
        self.paths.prepare()
        lines = [f'{name.replace("_", "-")} = "{value}"\n' for name, value in preferences.items()]
        self.paths.preferences.write_text("".join(lines))

    def join(self, manifest: Path) -> None:
        """Train the run whose files lie beside that manifest."""
        run = RunManifest.load(manifest)
        folder = self.paths.run(run.training_digest)
        for file in run.files:
            (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(manifest.parent / file.path, folder / file.path)
        shutil.copyfile(manifest, folder / MANIFEST)
        RunCard.of(run).save(folder)
        self.ask(Join(folder=str(folder)))

    def wait_for(self, *activities: Activity, seconds: float = PATIENCE) -> Snapshot:
        self.wait_until(lambda seen: seen.activity in activities, f"it is never {activities}", seconds)
        return self.look()

    def wait_until(
        self, condition: Callable[[Snapshot], bool], otherwise: str, seconds: float = PATIENCE
    ) -> None:
        try:
            wait_until(lambda: condition(self.look()), otherwise, seconds, every=ASKED_EVERY)
        except AssertionError:
            raise AssertionError(f"{otherwise}\n{self.look()}\n{self.logs()}") from None

    @property
    def trainer(self) -> psutil.Process:
        """The process that computes."""
        seen = self.look().trainer
        assert seen is not None
        return psutil.Process(seen.pid)

    def family(self) -> list[psutil.Process]:
        """All processes that the daemon has started, and theirs, the daemon included."""
        mark = f"{MARK}={self.home}".encode()
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if mark in Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0"):
                    found.append(process)
        return found

    def children(self, module: str) -> list[psutil.Process]:
        """The daemon's processes that run that module themselves, their guards left out."""
        commands = {process: command_line(process) for process in self.family()}
        return [
            process
            for process, words in commands.items()
            if module in words and "core.children.guard" not in words
        ]

    def quit(self) -> None:
        """End the daemon in order."""
        assert self.daemon is not None
        self.ask(Quit())
        assert self.daemon.wait(PATIENCE) == 0, self.logs()

    def logs(self) -> str:
        return "".join(path.read_text(errors="replace")[-4000:] for path in self.paths.logs.glob("*.log"))

    def _environment(self) -> Mapping[str, str]:
        # nothing of the tests' own session: what a test wants it hands in
        inherited = {
            key: value
            for key, value in os.environ.items()
            if key not in ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_SESSION_ID")
        }
        return {
            **inherited,
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent",
            **self.environment,
            "IDLEBRUSH_HOME": str(self.home),
            "HOME": str(self.home),
            "PYTHONPATH": str(ROOT),
            "OMP_NUM_THREADS": "1",
            MARK: str(self.home),
            VARIABLE: json.dumps(self.settings),
        }


@contextlib.contextmanager
def volunteer_at(home: Path, **settings: Any) -> Iterator[VolunteerMachine]:
    """A volunteer whose daemon, if one was started, is gone at the end with all that it has started."""
    home.mkdir(parents=True, exist_ok=True)
    volunteer = VolunteerMachine(home, **settings)
    try:
        yield volunteer
    finally:
        if volunteer.daemon is not None:
            if volunteer.daemon.poll() is None:
                volunteer.daemon.kill()
            volunteer.daemon.wait()
        wait_until(lambda: not volunteer.family(), f"processes are left: {volunteer.family()}", every=COSTLY)
