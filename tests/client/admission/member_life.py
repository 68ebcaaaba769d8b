"""A volunteer's memberships in one or several lives of a daemon: real tasks, a real gate, and a clock to set."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from client.admission.admission import JoinedGate, RunAdmission
from client.admission.memberships import Memberships, Places
from client.api.commands import EnterGate
from client.tasks import TaskRunner
from tests.desktops.keyring_daemon import NO_BUS
from tests.gate.served_gate import ServedGate, see
from tests.waiting import eventually


@dataclass
class MemberLife:
    gate: ServedGate
    folder: Path
    identity: Path
    environment: dict[str, str] = field(default_factory=lambda: dict(NO_BUS))
    ahead: timedelta = timedelta()
    changes: int = 0

    @property
    def file(self) -> Path:
        """The file in which a membership is kept, if it is kept in a file."""
        return self.folder / "memberships" / f"{self.gate.run[:16]}.secret.json"

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def memberships(self) -> Memberships:
        tasks = TaskRunner(self.folder / "logs" / "tasks.log", self.environment)
        places = Places(self.folder / "memberships", lambda run: self.identity)
        return Memberships(tasks, self.gate.hub.address, places, self._changed, self.now, seconds=60)

    def request(self, **changes: Any) -> EnterGate:
        asked: dict[str, Any] = {
            "run": self.gate.run,
            "coordinator": self.gate.address,
            "gate": self.gate.gate,
            "flow": "browser",
            "keep": "file",
        }
        return EnterGate(**{**asked, **changes})

    async def enter(self, memberships: Memberships, name: str = "anna", **changes: Any) -> str:
        """Sign in as a user who does in the browser what is asked."""
        entering = asyncio.create_task(memberships.enter(self.request(**changes)))
        await eventually(lambda: memberships.sign_in_view is not None or entering.done(), "nothing is shown")
        if (view := memberships.sign_in_view) is not None:
            await asyncio.to_thread(see, self.gate.hub, view.address, name)
        return await entering

    def admission(self, memberships: Memberships) -> RunAdmission:
        gate = JoinedGate(self.gate.run, self.gate.address, self.gate.gate, self.identity)
        return RunAdmission(gate, memberships, self._changed, self.now, draw=lambda: 0.0)

    def pass_by(self, admission: RunAdmission, **span: float) -> None:
        """Let that time go by, and have it noticed."""
        self.ahead += timedelta(**span)
        admission.want(False)
        admission.want(True)

    def _changed(self) -> None:
        self.changes += 1


Deed = Callable[[Memberships, RunAdmission], Any]


def live(life: MemberLife, deed: Deed) -> None:
    """Do the deed while an admission goes on in the background, as it does while a run is trained."""

    async def script() -> None:
        memberships = life.memberships()
        admission = life.admission(memberships)
        memberships.entered = lambda run: admission.again()
        background = asyncio.create_task(admission.run())
        try:
            await deed(memberships, admission)
        finally:
            background.cancel()
            await asyncio.wait({background})
            if not background.cancelled():
                background.result()

    asyncio.run(asyncio.wait_for(script(), 90))
