"""Sends the run's newest numbers to all listeners as one stream of server-sent events: GET /api/events."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import randint
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from coordinator.errors import CoordinatorError
from coordinator.web.given import GivenContext
from coordinator.web.limits import client_of

_log = logging.getLogger(__name__)
router = APIRouter(tags=["run"])

_MOST_LISTENERS = 6000
_MOST_OF_A_CLIENT = 12
_HEARTBEAT_SECONDS = 15.0
"""Seconds without news after which listeners get a heartbeat, since proxies close silent connections."""
_HEARTBEAT = b": still here\n\n"
_AT_ONCE = 50
"""Number of listeners served together; requests are answered between two such groups."""
_PAUSE_SECONDS = 0.05
"""Seconds between two groups, so that thousands of listeners leave most of a core to other work."""
_RETRY_MILLISECONDS = (2_000, 12_000)
"""Bounds, in milliseconds, of the individual delay after which a disconnected browser reconnects."""
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Headers of the stream; the second asks nginx to pass each event on at once."""


class Listener:
    """One listener: holds the newest message that was not sent yet."""

    def __init__(self) -> None:
        self._newest: bytes | None = None
        self._is_waiting = asyncio.Event()

    def give(self, newest: bytes | None) -> None:
        """Send this next and drop the unsent message; None ends the stream."""
        self._newest = newest
        self._is_waiting.set()

    def remind(self) -> None:
        """Send a heartbeat, unless another message waits to be sent."""
        if not self._is_waiting.is_set():
            self.give(_HEARTBEAT)

    async def next(self) -> bytes | None:
        await self._is_waiting.wait()
        self._is_waiting.clear()
        return self._newest


class Broadcast:
    """One reader of the database that sends the same bytes to every listener.

    It reads once a second while there are listeners, and gives each listener the newest unsent message. A
    thousand listeners are served in a second; if there are more, each gets fewer of the changes.
    """

    def __init__(
        self,
        read: Callable[[], str | None],
        seconds: Callable[[], float] = time.monotonic,
        interval: float = 1.0,
        most: int = _MOST_LISTENERS,
        most_of_a_client: int = _MOST_OF_A_CLIENT,
    ) -> None:
        """Prepare to send what ``read`` returns: the newest numbers as one line of JSON.

        ``read`` returns None if there are none yet, and runs in a thread. ``seconds`` is a clock.
        """
        self._read = read
        self._seconds = seconds
        self._interval = interval
        self._most = most
        self._most_of_a_client = most_of_a_client
        self._listeners: set[Listener] = set()
        self._of_client: Counter[str] = Counter()
        self._newest: bytes | None = None
        self._sent_at = seconds()
        self._reader: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def is_idle(self) -> bool:
        """True if nothing is read because there are no listeners."""
        return self._reader is None

    def admits(self, client: str) -> bool:
        """Return true if there is room for one more listener of this client."""
        full = len(self._listeners) >= self._most or self._of_client[client] >= self._most_of_a_client
        return not (full or self._closed)

    @contextmanager
    def listening(self, client: str) -> Iterator[Listener]:
        """Yield a listener that gets each newest message; its stream ends at once if there is no room."""
        listener = Listener()
        if not self.admits(client):
            listener.give(None)
            yield listener
            return
        self._enter(client, listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)
            self._of_client[client] -= 1
            self._of_client += Counter()  # forgets clients that have none left

    def _enter(self, client: str, listener: Listener) -> None:
        self._listeners.add(listener)
        self._of_client[client] += 1
        if self._newest is not None:
            listener.give(self._newest)
        if self._reader is None:
            self._reader = asyncio.create_task(self._keep_reading())

    def close(self) -> None:
        """End all streams; no listener is admitted afterwards."""
        self._closed = True
        if self._reader is not None:
            self._reader.cancel()
        for listener in self._listeners:
            listener.give(None)

    async def _keep_reading(self) -> None:
        try:
            while self._listeners:
                await self._look()
                await asyncio.sleep(self._interval)
        finally:
            self._reader = None

    async def _look(self) -> None:
        newest = await self._event()
        if newest is not None and newest != self._newest:
            self._newest = newest
            await self._for_all(lambda listener: listener.give(newest))
        elif self._seconds() - self._sent_at >= _HEARTBEAT_SECONDS:
            await self._for_all(Listener.remind)

    async def _event(self) -> bytes | None:
        """Return the newest event as all streams send it; None if there is none."""
        try:
            found = await run_in_threadpool(self._read)
        except CoordinatorError as error:
            _log.warning("The newest numbers cannot be read: %s", error)
            return None
        return None if found is None else f"event: status\ndata: {found}\n\n".encode()

    async def _for_all(self, action: Callable[[Listener], None]) -> None:
        self._sent_at = self._seconds()
        for number, listener in enumerate(list(self._listeners)):
            if number and number % _AT_ONCE == 0:
                await asyncio.sleep(_PAUSE_SECONDS)
            action(listener)


class EventStream(Response):
    """Response that streams events to one listener, until either side ends it.

    All of them send the same bytes, and nothing runs on a stream's own account: sse-starlette, which encodes, times
    and watches each by tasks of its own, takes twice the memory and three times the processor.
    """

    media_type = "text/event-stream"

    def __init__(self, broadcast: Broadcast, client: str) -> None:
        self._broadcast, self._client = broadcast, client
        self.status_code, self.background = 200, None
        self.init_headers(_HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._broadcast.listening(self._client) as listener:
            leaving = asyncio.create_task(_end_with(receive, listener))
            try:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                await _send_chunk(send, b"retry: %d\n" % randint(*_RETRY_MILLISECONDS))
                while (chunk := await listener.next()) is not None:
                    await _send_chunk(send, chunk)
                await send({"type": "http.response.body"})
            finally:
                leaving.cancel()


async def _broadcast(request: Request) -> Broadcast:
    found: Broadcast = request.app.state.broadcast
    return found


async def _send_chunk(send: Send, chunk: bytes) -> None:
    await send({"type": "http.response.body", "body": chunk, "more_body": True})


async def _end_with(receive: Receive, listener: Listener) -> None:
    """End the stream once the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.give(None)


@router.get(
    "/api/events",
    status_code=200,
    response_class=EventStream,
    responses={
        200: {"content": {"text/event-stream": {}}, "description": "A stream that ends when you leave."},
        503: {"description": "Too many streams are open; ask /api/status instead."},
    },
)
async def events(
    request: Request, context: GivenContext, broadcast: Annotated[Broadcast, Depends(_broadcast)]
) -> Response:
    """Send the answer of /api/status as an event `status`, now and whenever it changes, at most once a second."""
    client = client_of(request.scope, context.settings.web.behind_proxy)
    if not broadcast.admits(client):
        raise HTTPException(503, headers={"Retry-After": "30"})
    return EventStream(broadcast, client)
