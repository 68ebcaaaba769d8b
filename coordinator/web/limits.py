"""Limits of clients' requests: how many come from one address, and how large and how slow each may be."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from math import ceil

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coordinator.errors import DatabaseError
from coordinator.gate.rates import SharedRates
from coordinator.web.caching.response_cache import HANDBOOK
from coordinator.web.failure import refusal

_HOME_PREFIX = 64
"""Bits of the IPv6 prefix that a provider assigns to one home, which chooses the remaining bits itself."""
MOST_BYTES = 64 << 10
_BODY_SECONDS = 10.0


@dataclass(frozen=True)
class Rate:
    """Limits of a token bucket (Turner, 1986): `burst` requests at once, then `per_second`."""

    per_second: float
    burst: int


@dataclass(frozen=True)
class Rates:
    """Rates of one client address, which may belong to a school or an office."""

    reading: Rate = Rate(per_second=20, burst=120)
    """Pages and their files."""
    searching: Rate = Rate(per_second=5, burst=60)
    """Requests with a query: each new query misses the cache and takes some tens of milliseconds."""
    calculating: Rate = Rate(per_second=2, burst=20)
    """Memory plans and pictures to share, which take the processor some tens of milliseconds each, and teams, which
    are all ranked for each page.
    """
    cutting: Rate = Rate(per_second=5, burst=60)
    """Pictures of one prompt, which are cut from a frame: a visitor may save a sheet of 16 at once."""
    showing: Rate = Rate(per_second=20, burst=640)
    """Pictures of an evaluation: its page may have 576, nine of each of 64 prompts."""
    joining: Rate = Rate(per_second=0.5, burst=30)
    """Challenges, proofs of identity and one-time links."""
    renewing: Rate = Rate(per_second=2, burst=40)
    """Limit on requests for access tokens: a peer asks every few minutes."""
    downloading: Rate = Rate(per_second=0.5, burst=40)
    """Packages, of which each has tens of megabytes; a download that breaks off goes on with a request."""

    def of(self, method: str, path: str, has_query: bool = False) -> tuple[str, Rate]:
        """Return the kind of a request, and its rate."""
        if path.startswith(("/api/challenges", "/me/enter")) or (path == "/api/members" and method == "POST"):
            return "joining", self.joining
        if path.startswith(("/api/teams", "/me/team")) and method not in ("GET", "HEAD"):
            return "renewing", self.renewing
        if path.startswith(("/api/tokens", "/api/pages", "/api/members", "/api/moderation")):
            return "renewing", self.renewing
        if path.startswith("/packages/"):
            return "downloading", self.downloading
        if path.startswith("/pictures/"):
            return "cutting", self.cutting
        if path.startswith("/evaluation/"):
            return "showing", self.showing
        if path.startswith(("/calculator", "/api/plan", "/teams", "/api/teams")) or path.endswith(
            "/share.png"
        ):
            return "calculating", self.calculating
        if has_query and not path.startswith(HANDBOOK):  # its files have queries that name their version
            return "searching", self.searching
        return "reading", self.reading


class TokenBuckets:
    """The buckets of the most recent clients; a forgotten one starts full."""

    def __init__(self, clock: Callable[[], float], most: int = 20_000) -> None:
        """Keep at most `most` buckets; `clock` gives seconds since an arbitrary moment."""
        self._clock = clock
        self._most = most
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def wait(self, client: str, kind: str, rate: Rate) -> float:
        """Take a token: return 0 if there was one, else the seconds until there will be."""
        now = self._clock()
        tokens, since = self._buckets.pop((client, kind), (float(rate.burst), now))
        tokens = min(float(rate.burst), tokens + (now - since) * rate.per_second)
        wait = 0.0 if tokens >= 1 else (1 - tokens) / rate.per_second
        self._buckets[client, kind] = (tokens if wait else tokens - 1, now)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return wait

    def __len__(self) -> int:
        return len(self._buckets)


class RateLimit:
    """Middleware that answers 429, with the seconds to wait, to a client that asks too often."""

    def __init__(
        self,
        app: ASGIApp,
        buckets: TokenBuckets,
        rates: Rates,
        behind_proxy: bool,
        shared: SharedRates | None = None,
    ) -> None:
        """Prepare to count requests in ``buckets``.

        Args:
            app: application that answers the others.
            rates: rates of one client.
            behind_proxy: whether a proxy names the client.
            shared: counts requests to join across processes; None: there is one process.
        """
        self._app = app
        self._shared = shared
        self._buckets = buckets
        self._rates = rates
        self._behind_proxy = behind_proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            kind, rate = self._rates.of(scope["method"], scope["path"], bool(scope["query_string"]))
            client = client_of(scope, self._behind_proxy)
            wait = self._buckets.wait(client, kind, rate)
            if not wait and self._shared is not None and rate is self._rates.joining:
                wait = await run_in_threadpool(_shared_wait, self._shared, client, kind, rate)
            if wait:
                headers = {"Retry-After": str(ceil(wait))}
                await refusal(429, headers)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _shared_wait(shared: SharedRates, client: str, kind: str, rate: Rate) -> float:
    with suppress(DatabaseError):  # the request itself fails then, in better words
        return shared.wait(client, kind, rate.per_second, rate.burst)
    return 0.0


def client_of(scope: Scope, behind_proxy: bool) -> str:
    """Return the client's IPv4 address or IPv6 network; headers that a client sets itself are never trusted.

    Behind a proxy, this is the last address of X-Forwarded-For, which the proxy itself has added; it is used
    only if the connection comes from a private or loopback address, as a proxy's does.
    """
    client = scope.get("client")
    direct = _address(client[0]) if client else None
    if direct is None:
        return "unknown"
    if behind_proxy and (direct.is_private or direct.is_loopback):
        forwarded = _header(scope, b"x-forwarded-for").rpartition(",")[2].strip()
        direct = _address(forwarded) or direct
    return _counted_as(direct)


def _counted_as(address: IPv4Address | IPv6Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address, _HOME_PREFIX), strict=False))


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


def _header(scope: Scope, name: bytes) -> str:
    """Return the values of all headers of that name as one list."""
    found = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return ",".join(found)


class _RefusedRequest(Exception):
    def __init__(self, status: int) -> None:
        self.status = status


class BoundedBodies:
    """Middleware that answers 413 to a body of more than `most` bytes, and 408 to one that does not arrive.

    The application gets a body only after it was read whole. Received bytes are counted, so a body without a
    length is bounded too; a length that is too large is refused before the body is read.
    """

    def __init__(self, app: ASGIApp, most: int = MOST_BYTES, seconds: float = _BODY_SECONDS) -> None:
        self._app = app
        self._most = most
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read(scope, receive)
        except _RefusedRequest as refused:
            headers = {"Connection": "close"}
            await refusal(refused.status, headers)(scope, receive, send)
            return
        if body is not None:
            await self._app(scope, _replay(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """Return the whole body; None if the client has disconnected."""
        if _length(scope) > self._most:
            raise _RefusedRequest(413)
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
                        raise _RefusedRequest(413)
                    if not message.get("more_body", False):
                        return b"".join(parts)
        except TimeoutError:
            raise _RefusedRequest(408) from None


def _length(scope: Scope) -> int:
    stated = next((value for key, value in scope["headers"] if key == b"content-length"), b"0")
    return int(stated) if stated.isdigit() else 0


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a function that gives the body once, and then receives from the client."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed
