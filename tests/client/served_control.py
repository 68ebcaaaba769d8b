"""A real control channel in an event loop of its own thread, whose requests and snapshots a test decides on."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from client.api.endpoint import Endpoint
from client.api.errors import FolderError
from client.api.requests import AnyRequest, Done, Join, Pause, Refused
from client.api.snapshot import Activity, Snapshot
from client.control import Control, Limits

SNAPSHOT = Snapshot(
    version="1", pid=1, started=datetime(2026, 1, 1, tzinfo=UTC), activity=Activity.TRAINING, headline="0"
)
REFUSAL = FolderError("There is no run in that folder.", "Join it first.")


class ServedControl:
    """Refuses to join, answers a pause when it is told to, and everything else at once."""

    def __init__(self, path: Path, at: Callable[[Path], Endpoint], limits: Limits) -> None:
        self.path = path
        self.requests: list[AnyRequest] = []
        self.snapshots = 0
        """So many were asked of the daemon."""
        self.asked_to_pause = threading.Event()
        self._may_pause = asyncio.Event()
        self._snapshot = SNAPSHOT
        self._control = Control(path, self._handle, self._latest, limits=limits, at=at)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def start(self) -> None:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._control.start(), self._loop).result(10)

    def change(self, headline: str) -> None:
        """Have something to publish, and publish it."""
        self._loop.call_soon_threadsafe(self._change, headline)

    def pause(self) -> None:
        self._loop.call_soon_threadsafe(self._may_pause.set)

    @contextmanager
    def held_up(self) -> Iterator[None]:
        """What is sent meanwhile is found all at once."""
        go_on = threading.Event()
        self._loop.call_soon_threadsafe(go_on.wait)
        try:
            yield
        finally:
            go_on.set()

    def begin_to_close(self) -> Callable[[], None]:
        """What is returned waits for the end of it."""
        closing = asyncio.run_coroutine_threadsafe(self._control.close(), self._loop)
        return lambda: closing.result(10)

    def end(self) -> None:
        """Every task has to be done by then."""
        self.begin_to_close()()
        left = asyncio.run_coroutine_threadsafe(self._tasks(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        assert not left, left

    async def _tasks(self) -> set["asyncio.Task[object]"]:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        _, left = await asyncio.wait(others, timeout=5) if others else (others, set())
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
        if isinstance(request, Pause):
            self.asked_to_pause.set()
            await self._may_pause.wait()
        return Done(id=request.id, says=request.type)


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
