"""How often one address may ask: a token bucket for each client and kind of request."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from starlette.types import ASGIApp, Receive, Scope, Send

from coordinator.web.client_address import client_of
from coordinator.web.failure import refusal


@dataclass(frozen=True)
class Rate:
    """What a token bucket allows (Turner, 1986): `burst` at once, then `per_second`."""

    per_second: float
    burst: int


@dataclass(frozen=True)
class Rates:
    """Of one client address, which may be a school or an office."""

    reading: Rate = Rate(per_second=20, burst=120)
    """Pages and their files."""
    searching: Rate = Rate(per_second=5, burst=60)
    """Whatever has a query: who varies it is answered from no cache, in some tens of milliseconds each."""
    calculating: Rate = Rate(per_second=2, burst=20)
    """Memory plans, which take the processor some tens of milliseconds each."""
    joining: Rate = Rate(per_second=0.5, burst=30)
    """Challenges, proofs of identity and one-time links."""
    renewing: Rate = Rate(per_second=2, burst=40)
    """Access tokens: one every few minutes a peer."""

    def of(self, method: str, path: str, has_query: bool = False) -> tuple[str, Rate]:
        """The kind of a request, and its rate."""
        if path.startswith(("/api/challenges", "/me/enter")) or (path == "/api/members" and method == "POST"):
            return "joining", self.joining
        if path.startswith(("/api/tokens", "/api/pages", "/api/members", "/api/moderation")):
            return "renewing", self.renewing
        if path.startswith(("/calculator", "/api/plan")):
            return "calculating", self.calculating
        if has_query:
            return "searching", self.searching
        return "reading", self.reading


class TokenBuckets:
    """The buckets of the clients seen last; a forgotten one starts full."""

    def __init__(self, clock: Callable[[], float], most: int = 20_000) -> None:
        """`clock` gives seconds since some moment."""
        self._clock = clock
        self._most = most
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def wait(self, client: str, kind: str, rate: Rate) -> float:
        """Take a token: 0 if there was one, else the seconds until there will be."""
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

    def __init__(self, app: ASGIApp, buckets: TokenBuckets, rates: Rates, behind_proxy: bool) -> None:
        self._app = app
        self._buckets = buckets
        self._rates = rates
        self._behind_proxy = behind_proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            kind, rate = self._rates.of(scope["method"], scope["path"], bool(scope["query_string"]))
            wait = self._buckets.wait(client_of(scope, self._behind_proxy), kind, rate)
            if wait:
                headers = {"Retry-After": str(ceil(wait))}
                await refusal(429, headers)(scope, receive, send)
                return
        await self._app(scope, receive, send)
