"""A real control channel in an event loop of its own thread, whose requests and snapshots a test decides on."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from client.api.answers import Done, Refused
from client.api.commands import Join, Leave, Pause
from client.api.endpoint import Endpoint
from client.api.errors import FolderError
from client.api.requests import AnyRequest
from client.api.snapshot import Activity, Snapshot
from client.service.channel.control import Control
from client.service.channel.front_end import Limits
from tests.processes.loop_thread import LoopThread
from tests.waiting import DEADLINE

SNAPSHOT = Snapshot(
    version="1", pid=1, started=datetime(2026, 1, 1, tzinfo=UTC), activity=Activity.TRAINING, headline="0"
)
REFUSAL = FolderError("There is no run in that folder.", "Join it first.")


class ServedControl:
    """Refuses to join, answers a pause when it is told to, trips over leaving, and answers all else at once."""

    def __init__(self, path: Path, at: Callable[[Path], Endpoint], limits: Limits) -> None:
        self.path = path
        self.requests: list[AnyRequest] = []
        self.snapshots = 0
        """Number of requested snapshots."""
        self.asked_to_pause = threading.Event()
        self._may_pause = asyncio.Event()
        self._snapshot = SNAPSHOT
        self._control = Control(path, self._handle, self._latest, limits=limits, at=at)
        self._thread = LoopThread()

    def start(self) -> None:
        self._thread.do(self._control.start())

    def change(self, headline: str) -> None:
        """Have something to publish, and publish it."""
        self._thread.call(partial(self._change, headline))

    def pause(self) -> None:
        self._thread.call(self._may_pause.set)

    @contextmanager
    def held_up(self) -> Iterator[None]:
        """Block the daemon's loop, so that it finds all requests sent meanwhile at once."""
        go_on = threading.Event()
        self._thread.call(go_on.wait)
        try:
            yield
        finally:
            go_on.set()

    def begin_to_close(self) -> Callable[[], None]:
        """Start to close, and return a function that waits until it is closed."""
        closing = self._thread.begin(self._control.close())
        return lambda: closing.result(DEADLINE)

    def end(self) -> None:
        """Every task has to be done by then."""
        self.begin_to_close()()
        left = self._thread.do(self._tasks())
        self._thread.end()
        assert not left, left

    async def _tasks(self) -> set["asyncio.Task[object]"]:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        _, left = await asyncio.wait(others, timeout=DEADLINE) if others else (others, set())
        return left

    def _change(self, headline: str) -> None:
        self._snapshot = self._snapshot.model_copy(update={"headline": headline})
        self._control.publish()

    def _latest(self) -> Snapshot:
        self.snapshots += 1
        return self._snapshot

    async def _handle(self, request: AnyRequest) -> Done | Refused:
        self.requests.append(request)
        if isinstance(request, Join):
            raise FolderError(REFUSAL.what, REFUSAL.remedy)
        if isinstance(request, Leave):
            raise LookupError("nobody thought of this")
        if isinstance(request, Pause):
            self.asked_to_pause.set()
            await self._may_pause.wait()
        return Done(id=request.id, text=request.type)


@contextmanager
def served(
    path: Path, at: Callable[[Path], Endpoint], limits: Limits | None = None
) -> Iterator[ServedControl]:
    control = ServedControl(path, at, limits or Limits())
    control.start()
    try:
        yield control
    finally:
        control.end()
