"""GET /api/events: the run's newest numbers as a stream of server-sent events."""

import asyncio
from random import randint

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from coordinator.web.broadcast import Broadcast, Listener
from coordinator.web.client_address import client_of
from coordinator.web.given import Context, Events

router = APIRouter(tags=["run"])

_RETRY_MILLISECONDS = (2_000, 12_000)
"""After which a browser that was cut off comes back: each after a time of its own, and not all at once."""
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""The second asks nginx to pass each event on as it comes."""


class EventStream(Response):
    """What one listener hears, until either side ends it.

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
                await _say(send, b"retry: %d\n" % randint(*_RETRY_MILLISECONDS))
                while (chunk := await listener.next()) is not None:
                    await _say(send, chunk)
                await send({"type": "http.response.body"})
            finally:
                leaving.cancel()


async def _say(send: Send, chunk: bytes) -> None:
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
        503: {"description": "Too many listen; ask /api/status instead."},
    },
)
async def events(request: Request, context: Context, broadcast: Events) -> Response:
    """The answer of /api/status as an event `status`, now and whenever it changes, at most once a second."""
    client = client_of(request.scope, context.settings.web.behind_proxy)
    if not broadcast.admits(client):
        raise HTTPException(503, headers={"Retry-After": "30"})
    return EventStream(broadcast, client)
