"""Plays a web server to an ASGI application: what a client sends, in pieces, and what it is answered."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send


@dataclass(frozen=True)
class AsgiAnswer:
    status: int
    headers: dict[str, str]
    body: bytes


def scope(path: str = "/", method: str = "GET", client: str = "203.0.113.5", **headers: str) -> Scope:
    """A request; underscores in names of headers stand for hyphens."""
    given = [(name.replace("_", "-").lower().encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": given,
        "client": (client, 4711),
        "server": ("testserver", 80),
        "scheme": "http",
        "http_version": "1.1",
    }


async def ask(
    app: ASGIApp, request: Scope, parts: Iterable[bytes] = (b"",), *, ends: bool = True
) -> AsgiAnswer:
    """The answer to a request whose body comes in these parts, and that never ends unless it ``ends``."""
    pieces = list(parts)
    waiting: list[Message] = [
        {"type": "http.request", "body": part, "more_body": not ends or index < len(pieces) - 1}
        for index, part in enumerate(pieces)
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        if waiting:
            return waiting.pop(0)
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    await app(request, receive, send)
    headers = {key.decode().lower(): value.decode() for key, value in sent[0]["headers"]}
    return AsgiAnswer(sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:]))


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that gives back what it was sent."""
    message = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": message["body"]})
