"""Hosts to be tested, a stand-in for wsl.exe among them, and what they run."""

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from client.hosts.host import HostedProcess, TrainerHost
from client.hosts.local import LocalHost
from client.hosts.wsl.child import WslAccess
from client.hosts.wsl.command import WslCommand
from client.hosts.wsl.host import WslHost
from client.hosts.wsl.link import Lease
from core.children import processes
from core.children.processes import CHILD_VARIABLE
from core.children.program import Patience, Program
from core.children.supervisor import Supervisor
from core.messages.children import Failed, Heartbeat, Hello
from core.messages.lines import Message

ROOT = Path(__file__).parents[3]
PATIENCE = Patience(first_message=60.0, silence=20.0, leaving=2.0, tick=0.1)
LEASE = Lease(seconds=20.0, renewal=2.0, greeting=60.0)


class StartHosted(Message):
    """First message to the stand-in child."""

    type: Literal["start_hosted"] = "start_hosted"
    deed: str
    size: int = 0
    family: bool = False
    secret: str = ""


HostedMessage = Hello | Heartbeat | Failed
KINDS: TypeAdapter[HostedMessage] = TypeAdapter(Annotated[HostedMessage, Field(discriminator="type")])


@dataclass(frozen=True)
class StandInWsl:
    """A Windows with a distribution, as `stand_in_wsl` pretends."""

    folder: Path
    agent: tuple[str, ...] = (
        "/usr/bin/env",
        f"PYTHONPATH={ROOT}",
        sys.executable,
        "-P",
        "-m",
        "core.children.agent",
    )

    def install(self, name: str = "Idlebrush") -> None:
        """Add a distribution."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / name).touch()

    @property
    def command(self) -> WslCommand:
        """The command that reaches the distribution."""
        program = (
            sys.executable,
            "-S",
            "-E",
            str(ROOT / "tests/client/hosts/stand_in_wsl.py"),
            str(self.folder),
        )
        return WslCommand(program, "Idlebrush", self.agent)

    def commands(self) -> list[list[str]]:
        """Return the arguments of all commands so far."""
        lines = (self.folder / "commands").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def host(self, *, lease: Lease = LEASE, grace: float = 600.0) -> WslHost:
        """Return the host that is the distribution."""
        return WslHost(WslAccess(self.command, lease), code=ROOT, grace=grace)


def program(log: Path, deed: str, *, family: bool = False, size: int = 0, secret: str = "") -> Program:
    """Return a program that does the deed."""
    start = StartHosted(deed=deed, family=family, size=size, secret=secret)
    beside = {"PYTHONPATH": str(ROOT), "STAND_IN": str(log.parent)}
    return Program("trainer", "tests.client.hosts.stand_in_hosted", start, log, environment=beside)


def descended(log: Path) -> list[processes.Process]:
    """Return all processes of programs with that log, in whatever way they were started."""
    return processes.marked("STAND_IN", str(log.parent))


class HostedRun:
    """A supervised child on a host, and what it has sent."""

    def __init__(self, host: TrainerHost, chosen: Program, patience: Patience = PATIENCE) -> None:
        self.hosted = HostedProcess(host)
        self.supervisor: Supervisor[HostedMessage] = self.hosted.supervisor(chosen, KINDS, patience)
        self.log = chosen.log
        self.messages: list[HostedMessage] = []
        self._greeted = asyncio.Event()
        self.outcome = asyncio.ensure_future(self.supervisor.run(self._hear))

    def _hear(self, message: HostedMessage) -> None:
        if isinstance(message, Hello):
            self._greeted.set()
        self.messages.append(message)

    async def greeted(self) -> int:
        """Return the process id of the child once it has sent it."""
        waiting = asyncio.ensure_future(self._greeted.wait())
        await asyncio.wait({waiting, self.outcome}, return_when=asyncio.FIRST_COMPLETED)
        if self.outcome.done():
            waiting.cancel()
            raise AssertionError(f"it has ended: {self.outcome.result()}")
        assert self.supervisor.child is not None
        return self.supervisor.child


MakeHost = Callable[[], TrainerHost]


def local_host() -> TrainerHost:
    """Return this system as a host."""
    return LocalHost()


def agents(log: Path) -> list[int]:
    """Return the process ids of what contains the programs with that log: the guard or the agent."""
    marks = {_mark(process.pid) for process in descended(log)} - {""}
    marked = [process.pid for mark in marks for process in processes.marked(CHILD_VARIABLE, mark)]
    return [pid for pid in marked if {"core.children.agent", "core.children.guard"} & set(_words(pid))]


def relays(folder: Path) -> list[int]:
    """Return the process ids of the stand-ins for wsl.exe with that folder."""
    words = {process.pid: _words(process.pid) for process in processes.running()}
    return [pid for pid, all_words in words.items() if str(folder) in all_words]


def with_module(chosen: Program, module: str) -> Program:
    """Return the program with another module."""
    return replace(chosen, module=module)


def _mark(pid: int) -> str:
    try:
        variables = Path(f"/proc/{pid}/environ").read_text().split("\0")
    except OSError:
        return ""
    return next((each.partition("=")[2] for each in variables if each.startswith(f"{CHILD_VARIABLE}=")), "")


def _words(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return []
