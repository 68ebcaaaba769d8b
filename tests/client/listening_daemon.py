"""The daemon's end of a real control channel, for verbs: notes requests, and shows what it is given."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from client.api.answers import Done
from client.api.commands import Quit
from client.api.errors import ClientError
from client.api.requests import AnyRequest
from client.api.snapshot import Snapshot
from client.paths import Paths
from client.service.channel.control import Control
from tests.processes.loop_thread import LoopThread


class ListeningDaemon:
    """Answers every request with Done, in an event loop of its own thread."""

    def __init__(self, paths: Paths, snapshot: Snapshot) -> None:
        self.requests: list[AnyRequest] = []
        self.answers: dict[type[AnyRequest], Done] = {}
        """Answers to kinds of requests that need another one than an empty `Done`."""
        self.earlier: dict[type[AnyRequest], list[Done | ClientError]] = {}
        """Answers to kinds of requests that come before those, or errors; each once, in their order."""
        self._snapshot = snapshot
        self._control = Control(paths.socket, self._handle, lambda: self._snapshot)
        self._thread = LoopThread()
        self._quitting: asyncio.Task[None] | None = None
        self._ended = False

    def start(self) -> None:
        self._thread.do(self._control.start())

    def show(self, snapshot: Snapshot) -> None:
        """Publish another one."""
        self._thread.call(partial(self._show, snapshot))

    def end(self) -> None:
        if not self._ended:
            self._thread.do(self._control.close())
            self._thread.end()
            self._ended = True

    def _show(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._control.publish()

    async def _handle(self, request: AnyRequest) -> Done:
        self.requests.append(request)
        if isinstance(request, Quit):
            self._quitting = asyncio.create_task(self._control.close())
        if earlier := self.earlier.get(type(request)):
            answer = earlier.pop(0)
            if isinstance(answer, ClientError):
                raise answer
            return answer.model_copy(update={"id": request.id})
        return self.answers.get(type(request), Done(id=0)).model_copy(update={"id": request.id})


@contextmanager
def listening(paths: Paths, snapshot: Snapshot) -> Iterator[ListeningDaemon]:
    paths.prepare()
    daemon = ListeningDaemon(paths, snapshot)
    daemon.start()
    try:
        yield daemon
    finally:
        daemon.end()
