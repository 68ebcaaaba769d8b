"""State of the website and the run, for machines: /healthz for supervisors, /metrics for Prometheus."""

import time
from collections.abc import Iterator
from typing import Literal

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from pydantic import BaseModel
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coordinator.errors import CoordinatorError
from coordinator.run_now import RunNow
from coordinator.web.context import WebContext
from coordinator.web.figures import run_now

_FRESH_SECONDS = 60.0
_LATENCIES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class Health(BaseModel):
    """State of the site; the response's status is 200 only if the database can be read."""

    database: Literal["ok", "away"]
    recorder: Literal["fresh", "silent"]
    """State of the recorder; silent if it has written nothing for a minute, so the pages show old data."""


class Metrics:
    """Metrics of requests, counted by route and never by client."""

    def __init__(self, context: WebContext) -> None:
        self._context = context
        self.registry = CollectorRegistry()
        if context.counts is not None:  # the files of all processes are added up, and not this one's counts
            MultiProcessCollector(self.registry, str(context.counts))  # type: ignore[no-untyped-call]
        own = self.registry if context.counts is None else None
        self.requests = Counter(
            "idlebrush_http_requests", "Requests answered", ("method", "route", "status"), registry=own
        )
        self.seconds = Histogram(
            "idlebrush_http_seconds", "Time to the answer", ("route",), buckets=_LATENCIES, registry=own
        )
        self.registry.register(_RunMetrics(context))

    def router(self) -> APIRouter:
        router = APIRouter(tags=["operation"])

        @router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
        def metrics() -> Response:
            """Return requests, their latencies and the swarm's state in Prometheus' text format."""
            return Response(generate_latest(self.registry), media_type=CONTENT_TYPE_LATEST)

        @router.get("/healthz", response_model=Health, responses={503: {"model": Health}})
        def healthz() -> Response:
            """Report the state of the database and of the recorder."""
            health = examine(self._context)
            return JSONResponse(health.model_dump(), 200 if health.database == "ok" else 503)

        return router


def examine(context: WebContext) -> Health:
    try:
        with context.database.reading() as session:
            now = run_now(session)
    except CoordinatorError:
        return Health(database="away", recorder="silent")
    fresh = now is not None and (context.clock() - now.time).total_seconds() < _FRESH_SECONDS
    return Health(database="ok", recorder="fresh" if fresh else "silent")


class _RunMetrics(Collector):
    """The swarm's gauges, read when Prometheus asks."""

    def __init__(self, context: WebContext) -> None:
        self._context = context

    def describe(self) -> list[GaugeMetricFamily]:
        return []  # so that registering reads nothing

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            with self._context.database.reading() as session:
                now = run_now(session)
        except CoordinatorError:
            return
        if now is not None:
            yield from _gauges(now)


def _gauges(now: RunNow) -> Iterator[GaugeMetricFamily]:
    for name, help_text, value in (
        ("generation", "Raised by each rollback", now.generation),
        ("epoch", "Epochs committed", now.epoch),
        ("loss", "Of the newest epoch", now.loss),
        ("samples_per_second", "Of all trainers together", now.samples_per_second),
        ("gathered_samples", "Towards the next epoch", now.gathered),
        ("exchanged_bytes", "By all recorded exchanges", now.exchanged_bytes),
        ("recorded_timestamp_seconds", "When the recorder saw this", now.time.timestamp()),
    ):
        if value is not None:
            yield GaugeMetricFamily(f"idlebrush_{name}", help_text, value)
    peers = GaugeMetricFamily("idlebrush_peers", "Trainers in the swarm", labels=("device", "state"))
    for device, of_class in now.peers.items():
        for state, count in of_class.model_dump().items():
            peers.add_metric((device, state), count)
    yield peers
    reach = GaugeMetricFamily(
        "idlebrush_reach", "Trainers by the way in which others reach them", labels=("reach",)
    )
    for way, count in now.reach.items():
        reach.add_metric((way,), count)
    yield reach
    waiting = GaugeMetricFamily(
        "idlebrush_waiting",
        "Trainers that wait for others, by the reason that they state",
        labels=("reason",),
    )
    for reason, count in now.waiting.items():
        waiting.add_metric((reason,), count)
    yield waiting
    used_up = GaugeMetricFamily(
        "idlebrush_relay_used_up_timestamp_seconds",
        "When this peer's relay used up its total of the day; there is none while it relays",
        labels=("peer",),
    )
    for peer, relay in now.used_up_relays.items():
        used_up.add_metric((peer,), relay.since.timestamp())
    yield used_up


class Measuring:
    """Middleware that counts and times every response, except streams of events."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            route = _route(scope)
            method = (
                scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "PATCH", "DELETE") else "other"
            )
            self._metrics.requests.labels(method, route, str(status)).inc()
            if route != "/api/events":
                self._metrics.seconds.labels(route).observe(time.perf_counter() - started)


def _route(scope: Scope) -> str:
    """Return the route's pattern, so that all unknown addresses count as one."""
    route = scope.get("route")
    return str(getattr(route, "path", "")) or "none"
