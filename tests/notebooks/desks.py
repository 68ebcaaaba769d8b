"""A notebook's machine beside a daemon of the test: a real control channel and a real lock, and no process."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from client.api.answers import Done
from client.api.commands import CancelSignIn, EnterGate, Quit
from client.api.connection import Connection
from client.api.errors import ClientError, DaemonSilent, SignInError
from client.api.requests import AnyRequest
from client.api.snapshot import Snapshot
from client.notebook.machine import NotebookMachine
from client.paths import Paths
from core.storage.file_lock import alone
from tests.client.listening_daemon import ListeningDaemon
from tests.notebooks.drawn_cells import DrawnCells

SILENT_SECONDS = 35.0
"""Seconds that an attempt takes which a silent daemon does not answer."""


class LockedDaemon(ListeningDaemon):
    """Holds the daemon's lock until it was told to quit, or a while longer; a sign-in waits until it is cancelled."""

    def __init__(self, paths: Paths, snapshot: Snapshot, seconds_to_end: float = 0.0) -> None:
        super().__init__(paths, snapshot)
        self.early_cancels = 0
        """Number of requests to cancel a sign-in that it refuses, as it has not begun any yet."""
        self.lock = ExitStack()
        self.lock.enter_context(alone(paths.lock))
        self._seconds_to_end = seconds_to_end
        self._is_cancelled = asyncio.Event()

    def requests_of(self, kind: type[AnyRequest]) -> int:
        return sum(isinstance(each, kind) for each in self.requests)

    async def _handle(self, request: AnyRequest) -> Done:
        if isinstance(request, Quit):
            threading.Timer(self._seconds_to_end, self.lock.close).start()
        answer = await super()._handle(request)
        if isinstance(request, EnterGate):
            await self._is_cancelled.wait()
            raise SignInError("The sign-in was cancelled.", "Begin again.")
        if isinstance(request, CancelSignIn):
            self._cancel()
        return answer

    def _cancel(self) -> None:
        if self.early_cancels:
            self.early_cancels -= 1
            raise ClientError("No sign-in is under way.", "Begin one.")
        self._is_cancelled.set()


class NotebookDesk:
    """A notebook's machine whose clock goes on only while it sleeps or waits for a silent daemon."""

    def __init__(self, home: Path, cells: DrawnCells) -> None:
        self.now = 0.0
        self.silences = 0
        """Number of attempts to come that are not answered."""
        self.at_sleep: list[Callable[[], object]] = []
        """What happens at the next times that the machine sleeps."""
        self.machine = NotebookMachine(
            home, cells, clock=lambda: self.now, sleep=self._sleep, look_seconds=0.04, connect=self._connect
        )

    def _sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.at_sleep:
            self.at_sleep.pop(0)()
        threading.Event().wait(0.001)

    def _connect(self, path: Path) -> Connection:
        if self.silences:
            self.silences -= 1
            self.now += SILENT_SECONDS
            raise DaemonSilent
        return Connection.open(path)


@contextmanager
def locked(paths: Paths, snapshot: Snapshot, seconds_to_end: float = 0.0) -> Iterator[LockedDaemon]:
    paths.prepare()
    daemon = LockedDaemon(paths, snapshot, seconds_to_end)
    daemon.start()
    try:
        yield daemon
    finally:
        daemon.end()
        daemon.lock.close()
