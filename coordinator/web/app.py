"""Puts the website together: the pages, the REST API, and what stands between them and the Internet."""

import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response

from coordinator.api import all as api
from coordinator.errors import GateError
from coordinator.web import events, run_files
from coordinator.web.assets import Assets
from coordinator.web.bounded_bodies import BoundedBodies
from coordinator.web.broadcast import Broadcast
from coordinator.web.context import WebContext
from coordinator.web.failure import Failure, answer, failure_of
from coordinator.web.figures import run_now
from coordinator.web.health import Measuring, Metrics
from coordinator.web.pages import all as pages
from coordinator.web.rate_limit import RateLimit, Rates, TokenBuckets
from coordinator.web.rendering import Renderer
from coordinator.web.response_cache import ResponseCache
from coordinator.web.security_headers import SecurityHeaders, security_headers
from core.errors import CoreError

_log = logging.getLogger(__name__)
_ABOUT = "What the swarm of a run does, who contributed, and how to be admitted."


def create_app(
    context: WebContext, rates: Rates | None = None, seconds: Callable[[], float] = time.monotonic
) -> FastAPI:
    """The whole of a run's website as an ASGI application; starts nothing before it is served.

    ``rates`` are the usual ones unless given; ``seconds`` is the clock of limits and caches.
    """
    assets, metrics = Assets(), Metrics(context)
    broadcast = Broadcast(lambda: _newest(context), seconds)

    @asynccontextmanager
    async def serving(_: FastAPI) -> AsyncIterator[None]:
        yield
        broadcast.close()

    app = FastAPI(
        title="Idlebrush coordinator",
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,  # it would send people to whatever host the request names
        lifespan=serving,
        middleware=_middleware(context, metrics, rates or Rates(), seconds),
    )
    app.state.context, app.state.gate = context, api.gate_of(context)
    app.state.renderer, app.state.assets, app.state.broadcast = Renderer(context, assets), assets, broadcast
    _answer_failures(app, _is_https(context))
    own = (events.router, run_files.router, metrics.router(), assets.router())
    for router in (*api.ROUTERS, *own, *pages.ROUTERS):
        app.include_router(router)
    return app


def _middleware(
    context: WebContext, metrics: Metrics, rates: Rates, seconds: Callable[[], float]
) -> list[Middleware]:
    """The outermost first."""
    behind_proxy = context.settings.web.behind_proxy
    return [
        Middleware(Measuring, metrics=metrics),
        Middleware(SecurityHeaders, https=_is_https(context)),
        Middleware(RateLimit, buckets=TokenBuckets(seconds), rates=rates, behind_proxy=behind_proxy),
        Middleware(ResponseCache, clock=seconds),
        Middleware(BoundedBodies),
    ]


def _is_https(context: WebContext) -> bool:
    return context.settings.address.startswith("https://")


def _newest(context: WebContext) -> str | None:
    with context.database.reading() as session:
        now = run_now(session)
    return now.model_dump_json() if now else None


def _answer_failures(app: FastAPI, https: bool) -> None:
    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        return answer(failure_of(error.status_code), request.scope, error.headers)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        # What was sent is not repeated: it may be a secret, or nothing that can be written down.
        where = ".".join(str(part) for part in error.errors()[0]["loc"][1:])
        known = where.isascii() and where.replace(".", "").replace("_", "").isalnum()
        what = f"{where}: {error.errors()[0]['msg']}." if known else failure_of(422).what
        return answer(Failure(422, "request", what, failure_of(422).remedy), request.scope)

    @app.exception_handler(CoreError)
    async def in_words(request: Request, error: CoreError) -> Response:
        if isinstance(error, GateError):
            return answer(Failure(error.status, error.code, error.what, error.remedy), request.scope)
        # These words are for the organiser: they may tell names of hosts and files.
        _log.error("%s %s cannot be answered: %s", request.method, request.url.path, error)
        return answer(failure_of(503), request.scope, {"Retry-After": "30"})

    @app.exception_handler(Exception)
    async def faulty(request: Request, error: Exception) -> Response:
        return answer(failure_of(500), request.scope, security_headers(https))
