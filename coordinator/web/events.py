"""Pushes the run's newest numbers to all who watch: one reader of the database, and a stream for each listener."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from random import randint

from fastapi import APIRouter, HTTPException, Request
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool

from coordinator.errors import CoordinatorError
from coordinator.web.client_address import client_of

_MOST_LISTENERS = 6000
_MOST_OF_A_CLIENT = 12
_HEARTBEAT_SECONDS = 15
_AT_ONCE = 50
"""Listeners that are told together; requests are answered between one such group and the next."""
_PAUSE_SECONDS = 0.05
"""Between two groups, so that thousands of listeners leave most of a core to everybody else."""
_RETRY_MILLISECONDS = (2_000, 12_000)
"""After which a browser that was cut off comes back: each after a time of its own, and not all at once."""
_SLOW_SECONDS = 10.0
"""A listener that takes nothing for so long is let go."""


class Broadcast:
    """Reads once a second while anybody listens, and gives each listener the newest that it has not had.

    A thousand are told in a second; where more listen, each hears of fewer changes.
    """

    def __init__(
        self,
        read: Callable[[], str | None],
        interval: float = 1.0,
        most: int = _MOST_LISTENERS,
        most_of_a_client: int = _MOST_OF_A_CLIENT,
    ) -> None:
        """``read`` gives the newest as JSON, None if there is nothing yet; it runs in a thread."""
        self._read = read
        self._interval = interval
        self._most = most
        self._most_of_a_client = most_of_a_client
        self._listeners: set[asyncio.Queue[str | None]] = set()
        self._of_client: Counter[str] = Counter()
        self._newest: str | None = None
        self._reader: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def is_idle(self) -> bool:
        """Whether nothing is read, for want of listeners."""
        return self._reader is None

    def admits(self, client: str) -> bool:
        """Whether there is room for one more of this client's."""
        full = len(self._listeners) >= self._most or self._of_client[client] >= self._most_of_a_client
        return not (full or self._closed)

    async def listen(self, client: str) -> AsyncGenerator[ServerSentEvent, None]:
        """The newest, now and whenever it changes, until the site closes; nothing where there is no room."""
        if not self.admits(client):
            return
        waiting = self._enter(client)
        retry: int | None = randint(*_RETRY_MILLISECONDS)
        try:
            while (newest := await waiting.get()) is not None:
                yield ServerSentEvent(newest, event="status", retry=retry)
                retry = None
        finally:
            self._listeners.discard(waiting)
            self._of_client[client] -= 1
            self._of_client += Counter()  # forgets clients that have none left

    def _enter(self, client: str) -> asyncio.Queue[str | None]:
        waiting: asyncio.Queue[str | None] = asyncio.Queue(maxsize=1)
        self._listeners.add(waiting)
        self._of_client[client] += 1
        if self._newest is not None:
            waiting.put_nowait(self._newest)
        if self._reader is None:
            self._reader = asyncio.create_task(self._keep_reading())
        return waiting

    def close(self) -> None:
        """End all streams; nobody is admitted any more."""
        self._closed = True
        if self._reader is not None:
            self._reader.cancel()
        for waiting in self._listeners:
            _put(waiting, None)

    async def _keep_reading(self) -> None:
        try:
            while self._listeners:
                await self._look()
                await asyncio.sleep(self._interval)
        finally:
            self._reader = None

    async def _look(self) -> None:
        try:
            found = await run_in_threadpool(self._read)
        except CoordinatorError as error:
            logging.getLogger(__name__).warning("The newest numbers cannot be read: %s", error)
            return
        if found is not None and found != self._newest:
            self._newest = found
            await self._tell(found)

    async def _tell(self, newest: str) -> None:
        listeners = list(self._listeners)
        for first in range(0, len(listeners), _AT_ONCE):
            if first:
                await asyncio.sleep(_PAUSE_SECONDS)
            for waiting in listeners[first : first + _AT_ONCE]:
                _put(waiting, newest)


def _put(waiting: asyncio.Queue[str | None], newest: str | None) -> None:
    with suppress(asyncio.QueueEmpty):
        waiting.get_nowait()  # who has not taken the last one gets this instead
    waiting.put_nowait(newest)


def router(broadcast: Broadcast, behind_proxy: bool) -> APIRouter:
    """GET /api/events, a stream of server-sent events."""
    found = APIRouter(tags=["run"])

    @found.get(
        "/api/events",
        response_class=EventSourceResponse,
        responses={
            200: {"content": {"text/event-stream": {}}, "description": "A stream that ends when you leave."},
            503: {"description": "Too many listen; ask /api/status instead."},
        },
    )
    async def events(request: Request) -> EventSourceResponse:
        """The answer of /api/status as an event `status`, now and whenever it changes, at most once a second."""
        client = client_of(request.scope, behind_proxy)
        if not broadcast.admits(client):
            raise HTTPException(503, headers={"Retry-After": "30"})
        return EventSourceResponse(
            broadcast.listen(client), ping=_HEARTBEAT_SECONDS, send_timeout=_SLOW_SECONDS
        )

    return found
