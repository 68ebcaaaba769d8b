"""Keeps requests small and prompt: a body is read whole, up to a bound and within a time, before anyone sees it."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coordinator.web.failure import refusal

MOST_BYTES = 64 << 10
_SECONDS = 10.0


class _Refused(Exception):
    def __init__(self, status: int) -> None:
        self.status = status


class BoundedBodies:
    """Middleware that answers 413 to a body of more than `most` bytes, and 408 to one that does not come.

    It counts what arrives, so a body without a length is bounded too; a length that is too large is refused
    before anything is read.
    """

    def __init__(self, app: ASGIApp, most: int = MOST_BYTES, seconds: float = _SECONDS) -> None:
        self._app = app
        self._most = most
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read(scope, receive)
        except _Refused as refused:
            headers = {"Connection": "close"}
            await refusal(refused.status, headers)(scope, receive, send)
            return
        if body is not None:
            await self._app(scope, _replay(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The whole body; None if the client has gone."""
        if _length(scope) > self._most:
            raise _Refused(413)
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self._seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    if size > self._most:
                        raise _Refused(413)
                    if not message.get("more_body", False):
                        return b"".join(parts)
        except TimeoutError:
            raise _Refused(408) from None


def _length(scope: Scope) -> int:
    stated = next((value for key, value in scope["headers"] if key == b"content-length"), b"0")
    return int(stated) if stated.isdigit() else 0


def _replay(body: bytes, receive: Receive) -> Receive:
    """Gives the body once; what comes after it is from the client."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed
