"""Answers readers from memory: each public page is computed at most once a second for all of them."""

import asyncio
import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import inf

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from coordinator.web.caching.headers import PERSONAL, SHARED, varying
from coordinator.web.caching.moving_picture import MOVING_PICTURE
from coordinator.web.caching.recording import Headers, RecordedResponse, recorded

_MOST_BYTES = 1 << 20
_SMALLEST_TO_COMPRESS = 1024
_SECONDS = 1.0
"""Time for which a response is kept, unless its file never changes."""
_AT_ONCE = 4
"""Number of responses computed in parallel, so that readers leave threads and CPU time to people who join."""
_PASSED_ON = (
    "/api/events",
    "/evaluation/",
    "/files/",
    "/frames/",
    "/packages/",
    "/pictures/",
    "/source.tar.gz",
    "/run.toml",
    "/metrics",
    "/healthz",
)
"""Paths that are not cached: they are endless or large, or they are cheap and report the current state."""
_ASSETS = "/static/"
HANDBOOK = "/docs/"
"""Address of the handbook's first page; its other files lie under it, and their queries name their versions."""
_PERSONAL = (b"authorization", b"cookie")

Key = tuple[str, bytes, bool, Hashable]


@dataclass(frozen=True)
class _Kept:
    """A shared response, with its body also compressed by gzip where that saves space."""

    answer: RecordedResponse
    compressed: bytes | None
    etag: bytes
    until: float

    @property
    def is_for_everybody(self) -> bool:
        cookie = any(key == b"set-cookie" for key, _ in self.answer.headers)
        return self.answer.status == 200 and not cookie

    @property
    def is_worth_keeping(self) -> bool:
        return self.is_for_everybody and len(self.answer.body) <= _MOST_BYTES


class ResponseCache:
    """Middleware for GET and HEAD; concurrent requests for a page without credentials are computed once.

    Such a response carries an ETag, is compressed here, once, and states that proxies may keep it, too. A personal
    response is sent uncompressed, so that no secret shares a compressed body with text that a stranger chose.
    """

    def __init__(
        self,
        app: ASGIApp,
        clock: Callable[[], float],
        variant: Callable[[Scope], Hashable] = lambda scope: None,
        most: int = 512,
        at_once: int = _AT_ONCE,
    ) -> None:
        """Prepare an empty cache.

        Args:
            app: Application that computes the responses.
            clock: Seconds since an arbitrary moment.
            variant: Returns what, beside the address, the response to a request depends on.
            most: Most responses that are kept.
            at_once: Responses that are computed in parallel.
        """
        self._app = app
        self._clock = clock
        self._variant = variant
        self._most = most
        self._turns = asyncio.Semaphore(at_once)
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()
        self._under_way: dict[Key, asyncio.Task[_Kept]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_read(scope):
            await self._app(scope, receive, send)
        elif _is_public(scope):
            kept = await self._shared(scope)
            scope["route"] = kept.answer.route
            await _send_kept(kept, scope, send)
        else:
            answer = await self._computed(scope)
            scope["route"] = answer.route
            await _send(answer.status, answer.headers, answer.body, scope, send)

    async def _shared(self, scope: Scope) -> _Kept:
        is_page = b"text/html" in _header(scope, b"accept")
        # No query has something made once more that takes seconds, or is the same whatever the query.
        is_same = scope["path"] == MOVING_PICTURE or scope["path"].startswith(HANDBOOK)
        query = b"" if is_same else scope["query_string"]
        key = (scope["path"], query, is_page, self._variant(scope))
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
        until = self._clock() + _SECONDS
        answer = await self._computed(scope)
        kept = await run_in_threadpool(_packed, answer, inf if _is_for_ever(answer) else until)
        if kept.is_worth_keeping:
            self._kept[key] = kept
            self._kept.move_to_end(key)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return kept

    async def _computed(self, scope: Scope) -> RecordedResponse:
        async with self._turns:
            return await recorded(self._app, {**scope, "method": "GET"})


def _is_read(scope: Scope) -> bool:
    return (
        scope["type"] == "http"
        and scope["method"] in ("GET", "HEAD")
        and not scope["path"].startswith(_PASSED_ON)
    )


def _is_public(scope: Scope) -> bool:
    """Return true if all clients get the same response, as signed-in ones do for files that are the run's or ours."""
    path = scope["path"]
    if path.startswith(_ASSETS) or path == MOVING_PICTURE:
        return True
    return path != "/me" and not (path.startswith("/me/") or _is_somebodys(scope))


def _is_somebodys(scope: Scope) -> bool:
    return any(key in _PERSONAL for key, _ in scope["headers"])


def _is_for_ever(answer: RecordedResponse) -> bool:
    return any(key == b"cache-control" and b"immutable" in value for key, value in answer.headers)


def _packed(answer: RecordedResponse, until: float) -> _Kept:
    """Return the cached form of a response; runs in a thread, since compression takes milliseconds."""
    etag = b'W/"' + hashlib.sha256(answer.body).hexdigest()[:24].encode() + b'"'
    return _Kept(answer, _compressed(answer), etag, until)


def _compressed(answer: RecordedResponse) -> bytes | None:
    kind = next((value for key, value in answer.headers if key == b"content-type"), b"")
    is_text = kind.startswith((b"text/", b"application/json", b"application/xml", b"image/svg"))
    if not is_text or len(answer.body) < _SMALLEST_TO_COMPRESS:
        return None
    return gzip.compress(answer.body, 5, mtime=0)


async def _send_kept(kept: _Kept, scope: Scope, send: Send) -> None:
    status, body = kept.answer.status, kept.answer.body
    given = dict(kept.answer.headers)
    headers = [pair for pair in kept.answer.headers if pair[0] != b"vary"]
    vary = given.get(b"vary", b"")
    # The site's own files are the same for who is signed in.
    headers += [(b"etag", kept.etag), (b"vary", vary if kept.until == inf else varying(vary))]
    if b"cache-control" not in given:
        may_be_kept = kept.is_for_everybody and not _is_somebodys(scope)
        headers.append((b"cache-control", (SHARED if may_be_kept else PERSONAL).encode()))
    if status == 200 and kept.etag in _header(scope, b"if-none-match"):
        status, body = 304, b""
    elif kept.compressed is not None and b"gzip" in _header(scope, b"accept-encoding"):
        headers.append((b"content-encoding", b"gzip"))
        body = kept.compressed
    await _send(status, headers, body, scope, send)


async def _send(status: int, headers: Headers, body: bytes, scope: Scope, send: Send) -> None:
    if status not in (204, 304):
        headers = [*headers, (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _header(scope: Scope, name: bytes) -> bytes:
    return b",".join(value for key, value in scope["headers"] if key == name)
