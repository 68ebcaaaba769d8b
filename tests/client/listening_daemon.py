"""The daemon's end of a real control channel, for verbs: notes requests, and shows what it is given."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from client.api.requests import AnyRequest, Done
from client.api.snapshot import Snapshot
from client.control import Control
from client.paths import Paths


class ListeningDaemon:
    """Answers every request with Done, in an event loop of its own thread."""

    def __init__(self, paths: Paths, snapshot: Snapshot) -> None:
        self.requests: list[AnyRequest] = []
        self._snapshot = snapshot
        self._control = Control(paths.socket, self._handle, lambda: self._snapshot)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def start(self) -> None:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._control.start(), self._loop).result(10)

    def show(self, snapshot: Snapshot) -> None:
        """Publish another one."""
        self._loop.call_soon_threadsafe(self._show, snapshot)

    def end(self) -> None:
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self._control.close(), self._loop).result(10)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def _show(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._control.publish()

    async def _handle(self, request: AnyRequest) -> Done:
        self.requests.append(request)
        return Done(id=request.id)


@contextmanager
def listening(paths: Paths, snapshot: Snapshot) -> Iterator[ListeningDaemon]:
    paths.prepare()
    daemon = ListeningDaemon(paths, snapshot)
    daemon.start()
    try:
        yield daemon
    finally:
        daemon.end()
