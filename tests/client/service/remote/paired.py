"""Computers with the real remote control, TLS included, on loopback and in one event loop.

What needs cryptography happens in this process unless a test wants processes of its own, which take a second each.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from client.account.credentials import Keep
from client.api.answers import Done, Refused
from client.api.commands import Pause, SetPreference
from client.api.errors import StateError
from client.api.remote.computers import AddComputer
from client.api.remote.control import OpenPairing
from client.api.requests import AnyRequest
from client.api.snapshot import Snapshot
from client.machine.survey import local_now
from client.preferences.preferences import Preferences, with_value
from client.remote.carrying_out import carry_out
from client.remote.tls import fingerprint, own_certificate
from client.service.remote.calling import CallTiming
from client.service.remote.controlled import RemoteCalls
from client.service.remote.listener import RemoteLimits
from client.service.remote.remote import RemoteControl, RemoteSettings
from client.tasks import TaskRunner
from core.tasks import end_tasks
from tests.client.service.contexts import context_in
from tests.client.snapshots import FULL
from tests.coordinator.homes import free_port

TOO_LONG = 7_777.0
"""Length of a pause which the stand-in refuses with its own paths."""


class TasksHere(TaskRunner):
    """Carries out tasks of remote control in this process."""

    async def run(self, task: Any, *_: Any, **__: Any) -> Any:
        return await asyncio.to_thread(carry_out, task)


class StandInComputer:
    """A daemon whose remote control is real, and which does nothing else than to note what it is asked."""

    def __init__(
        self,
        home: Path,
        name: str,
        limits: RemoteLimits | None = None,
        timing: CallTiming | None = None,
        now: Callable[[], datetime] = local_now,
        own_processes: bool = False,
    ) -> None:
        self.context = context_in(home, now=now)
        if not own_processes:
            self.context.tasks = TasksHere(self.context.paths.log("tasks"))
        self.port = free_port()
        self.context.kept.current = Preferences(remote_port=self.port)
        settings = RemoteSettings(limits or RemoteLimits(), timing or CallTiming(), name, Keep.FILE, turn=0.1)
        self.remote = RemoteControl(self.context, settings)
        self.requests: list[AnyRequest] = []
        self.snapshot: Snapshot = FULL
        self.tasks: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        """Address to type on another computer."""
        return f"127.0.0.1:{self.port}"

    @property
    def fingerprint(self) -> str:
        """Fingerprint of its certificate, once it has one."""
        return fingerprint(own_certificate(self.context.paths.remote / "identity.pem"))

    @property
    def notices(self) -> list[str]:
        """Texts of what its user was told."""
        return [notice.text for notice in self.context.notices]

    async def ask(self, request: AnyRequest) -> Done:
        """Have a front end of its own request something."""
        return await self.remote.by_kind[type(request)](request)

    async def code(self) -> str:
        """Show a new code."""
        return (await self.ask(OpenPairing())).about

    async def add(self, other: "StandInComputer", code: str, address: str = "") -> Done:
        """Pair another computer by a code."""
        return await self.ask(AddComputer(address=address or other.address, code=SecretStr(code)))

    async def handle(self, request: AnyRequest) -> Done | Refused:
        """Note a request, change a preference, and have the snapshot show a pause; a long one is refused."""
        self.requests.append(request)
        if isinstance(request, Pause) and request.seconds == TOO_LONG:
            raise StateError("/home/ada/state.json could not be saved.", "Free some space.")
        if isinstance(request, SetPreference):
            self.context.kept.current = with_value(self.context.preferences, request.name, request.value)
            self.remote.follow()
        if isinstance(request, Pause):
            self.snapshot = self.snapshot.model_copy(update={"headline": "Paused: you paused it."})
            self.remote.publish()
        return Done(id=request.id, text=f"Carried out: {request.type}.")

    @asynccontextmanager
    async def living(self) -> AsyncIterator[None]:
        """Live within the context."""
        calls = RemoteCalls(self.handle, lambda: self.snapshot)
        task = asyncio.create_task(self.remote.live(calls))
        await asyncio.sleep(0)
        try:
            yield
        finally:
            await end_tasks([task])


@asynccontextmanager
async def two_computers(
    home: Path, **settings: Any
) -> AsyncIterator[tuple[StandInComputer, StandInComputer]]:
    """A laptop and a desktop that both live; ``settings`` are the desktop's."""
    own = settings.get("own_processes", False)
    laptop = StandInComputer(home / "laptop", "Laptop", timing=CallTiming(retry=0.2), own_processes=own)
    desktop = StandInComputer(home / "desktop", "Desktop", **settings)
    async with laptop.living(), desktop.living():
        yield laptop, desktop


@asynccontextmanager
async def paired_computers(
    home: Path, **settings: Any
) -> AsyncIterator[tuple[StandInComputer, StandInComputer]]:
    """The same, where the laptop may control the desktop."""
    async with two_computers(home, **settings) as (laptop, desktop):
        await laptop.add(desktop, await desktop.code())
        yield laptop, desktop
