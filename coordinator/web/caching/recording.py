"""Records the whole response of an application in memory, to be kept or written to a file."""

import asyncio
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Scope

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True)
class RecordedResponse:
    """A whole response of the application."""

    status: int
    headers: Headers
    body: bytes
    route: object
    """Route by which metrics count the response."""


async def recorded(app: ASGIApp, scope: Scope) -> RecordedResponse:
    """Return the application's response to a request of ``scope``, whose body is empty."""
    start: Message = {"status": 500, "headers": []}
    parts: list[bytes] = []

    asked: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        if not asked:  # who asks never goes away, which some responses wait for while they send a file
            await asyncio.Event().wait()
        return asked.pop()

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
        elif message["type"] == "http.response.body":
            parts.append(message.get("body", b""))

    await app(scope, receive, send)
    headers = [(key.lower(), value) for key, value in start["headers"] if key.lower() != b"content-length"]
    return RecordedResponse(start["status"], headers, b"".join(parts), scope.get("route"))
