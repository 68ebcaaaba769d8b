"""Answers readers from memory: each public page is computed at most once a second, however many look at it."""

import asyncio
import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_MOST_BYTES = 1 << 20
_SMALLEST_TO_COMPRESS = 1024
_UNCACHED = (
    "/api/events",
    "/files/",
    "/frames/",
    "/static/",
    "/source.tar.gz",
    "/me",
    "/run.toml",
    "/metrics",
    "/healthz",
)
_PERSONAL = (b"authorization", b"cookie", b"range")

Key = tuple[str, bytes, bool]
Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True)
class _Kept:
    """A whole answer, and its body once more in gzip where that is worth it."""

    status: int
    headers: Headers
    body: bytes
    compressed: bytes | None
    etag: bytes
    until: float
    route: object
    """Of the application, which metrics count by."""

    @property
    def is_worth_keeping(self) -> bool:
        cookie = any(key == b"set-cookie" for key, _ in self.headers)
        return self.status == 200 and not cookie and len(self.body) <= _MOST_BYTES


class ResponseCache:
    """Middleware for GET and HEAD without credentials; what many ask for at once is computed once.

    An answer carries an ETag and is compressed here, so that each is compressed once too. Personal answers are
    passed on as they are: nothing secret shares a compressed body with what a stranger chose.
    """

    def __init__(
        self, app: ASGIApp, clock: Callable[[], float], seconds: float = 1.0, most: int = 512
    ) -> None:
        """`clock` gives seconds since some moment; `most`: answers that are kept."""
        self._app = app
        self._clock = clock
        self._seconds = seconds
        self._most = most
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()
        self._under_way: dict[Key, asyncio.Task[_Kept]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_public(scope):
            await self._app(scope, receive, send)
            return
        kept = await self._answer(scope)
        scope["route"] = kept.route
        await _send(kept, scope, send)

    async def _answer(self, scope: Scope) -> _Kept:
        key = (scope["path"], scope["query_string"], b"text/html" in _header(scope, b"accept"))
        kept = self._kept.get(key)
        if kept is not None and self._clock() < kept.until:
            return kept
        task = self._under_way.get(key)
        if task is None:
            # Of its own, so that the others get their answer if the first who asked goes away.
            task = asyncio.create_task(self._compute(key, scope))
            self._under_way[key] = task
            task.add_done_callback(lambda _: self._under_way.pop(key, None))
        return await asyncio.shield(task)

    async def _compute(self, key: Key, scope: Scope) -> _Kept:
        until = self._clock() + self._seconds
        kept = await _recorded(self._app, {**scope, "method": "GET"}, until)
        if kept.is_worth_keeping:
            self._kept[key] = kept
            self._kept.move_to_end(key)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return kept


def _is_public(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return False
    if scope["path"].startswith(_UNCACHED):
        return False
    return not any(key in _PERSONAL for key, _ in scope["headers"])


async def _recorded(app: ASGIApp, scope: Scope, until: float) -> _Kept:
    """Let the application answer into memory."""
    start: Message = {"status": 500, "headers": []}
    parts: list[bytes] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
        elif message["type"] == "http.response.body":
            parts.append(message.get("body", b""))

    await app(scope, receive, send)
    body = b"".join(parts)
    headers = [(key.lower(), value) for key, value in start["headers"] if key.lower() != b"content-length"]
    etag = b'W/"' + hashlib.sha256(body).hexdigest()[:24].encode() + b'"'
    return _Kept(start["status"], headers, body, _compressed(body, headers), etag, until, scope.get("route"))


def _compressed(body: bytes, headers: Headers) -> bytes | None:
    kind = next((value for key, value in headers if key == b"content-type"), b"")
    is_text = kind.startswith((b"text/", b"application/json", b"application/xml", b"image/svg"))
    return gzip.compress(body, 5, mtime=0) if is_text and len(body) >= _SMALLEST_TO_COMPRESS else None


async def _send(kept: _Kept, scope: Scope, send: Send) -> None:
    headers = [*kept.headers, (b"etag", kept.etag), (b"vary", b"Accept, Accept-Encoding, Cookie")]
    if not any(key == b"cache-control" for key, _ in headers):
        headers.append((b"cache-control", b"no-cache"))
    body, status = kept.body, kept.status
    if status == 200 and kept.etag in _header(scope, b"if-none-match"):
        status, body = 304, b""
    elif kept.compressed is not None and b"gzip" in _header(scope, b"accept-encoding"):
        headers.append((b"content-encoding", b"gzip"))
        body = kept.compressed
    if status != 304:
        headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _header(scope: Scope, name: bytes) -> bytes:
    return b",".join(value for key, value in scope["headers"] if key == name)
