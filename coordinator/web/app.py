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
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coordinator.api import members, moderation, run, teams
from coordinator.errors import GateRefusal
from coordinator.gate.gate import Gate, organisation_of
from coordinator.gate.issuer import Issuer
from coordinator.gate.proof import ProofReader
from coordinator.gate.rates import SharedRates
from coordinator.web import downloads, events
from coordinator.web.assets import Assets
from coordinator.web.caching.cut_pictures import CutPictures
from coordinator.web.caching.headers import NotKeptUnlessStated
from coordinator.web.caching.moving_picture import MovingPictureCache
from coordinator.web.caching.response_cache import ResponseCache
from coordinator.web.context import WebContext
from coordinator.web.events import Broadcast
from coordinator.web.failure import WebFailure, answer, failure_of
from coordinator.web.figures import run_now
from coordinator.web.health import Measuring, Metrics
from coordinator.web.limits import BoundedBodies, RateLimit, Rates, TokenBuckets
from coordinator.web.pages import (
    evaluation,
    handbook,
    newcomers,
    notebooks,
    own,
    pictures,
    progress,
    share,
    volunteers,
)
from coordinator.web.pages import moderation as moderation_page
from coordinator.web.pages import teams as team_pages
from coordinator.web.rendering import Renderer
from core.errors import CoreError

_log = logging.getLogger(__name__)

API = (members.gated, members.members, members.metadata, moderation.router, run.router, teams.router)
"""Routers with whole paths. They raise CoordinatorErrors, and GateErrors tell their own status."""
_PAGES = (
    handbook.router,
    newcomers.router,
    progress.router,
    pictures.router,
    evaluation.router,
    volunteers.router,
    share.router,
    team_pages.router,
    own.router,
    moderation_page.router,
)
_ABOUT = "What the swarm of a run does, who contributed, and how to be admitted."
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
_ALWAYS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not no-referrer, under which browsers hide where a form came from even from the site itself.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_OVER_HTTPS = {"Strict-Transport-Security": "max-age=31536000; includeSubDomains"}


def create_app(
    context: WebContext, rates: Rates | None = None, seconds: Callable[[], float] = time.monotonic
) -> FastAPI:
    """Return the whole of a run's website as an ASGI application, which starts nothing before it is served.

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
    app.state.context, app.state.gate = context, gate_of(context)
    app.state.moving_picture, app.state.cut_pictures = MovingPictureCache(seconds), CutPictures()
    app.state.renderer, app.state.assets, app.state.broadcast = Renderer(context, assets), assets, broadcast
    app.state.share_pictures = share.SharePictures()
    _answer_failures(app, _is_https(context))
    files = (downloads.router, notebooks.router, metrics.router(), assets.router())
    for router in (*API, events.router, *files, *_PAGES):
        app.include_router(router)
    return app


def _middleware(
    context: WebContext, metrics: Metrics, rates: Rates, seconds: Callable[[], float]
) -> list[Middleware]:
    """Return the middleware of the website, the outermost first."""
    behind_proxy = context.settings.web.behind_proxy
    shared = None if context.counts is None else SharedRates(context.database, context.gate_key)
    return [
        Middleware(Measuring, metrics=metrics),
        Middleware(SecurityHeaders, https=_is_https(context)),
        Middleware(NotKeptUnlessStated),
        Middleware(RateLimit, TokenBuckets(seconds), rates, behind_proxy, shared),
        Middleware(ResponseCache, clock=seconds, variant=newcomers.variant),
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
        return answer(WebFailure(422, "request", what, failure_of(422).remedy), request.scope)

    @app.exception_handler(CoreError)
    async def in_words(request: Request, error: CoreError) -> Response:
        if isinstance(error, GateRefusal):
            return answer(WebFailure(error.status, error.code, error.what, error.remedy), request.scope)
        # These words are for the organiser: they may tell names of hosts and files.
        _log.error("%s %s cannot be answered: %s", request.method, request.url.path, error)
        return answer(failure_of(503), request.scope, {"Retry-After": "30"})

    @app.exception_handler(Exception)
    async def faulty(request: Request, error: Exception) -> Response:
        return answer(failure_of(500), request.scope, security_headers(https))


def gate_of(context: WebContext) -> Gate | None:
    """Return the gate that the settings ask for; None if the run is open."""
    chosen = context.settings.gate
    if chosen.open or chosen.client_id is None:
        return None
    return Gate(
        context.database,
        context.settings,
        context.gate_key,
        lambda: context.manifest.training_digest,
        context.clock,
        ProofReader(Issuer(chosen.issuer.rstrip("/")), chosen.client_id),
        organisation_of(context.settings, context.hub_token),
    )


def security_headers(https: bool) -> dict[str, str]:
    """Return the headers that tell a browser not to run inline scripts, be framed, guess types, or tell where it was.

    ``https`` says whether the site is reached by https.
    """
    return {**_ALWAYS, **(_OVER_HTTPS if https else {})}


class SecurityHeaders:
    """Middleware that adds them to whatever is answered."""

    def __init__(self, app: ASGIApp, https: bool) -> None:
        self._app = app
        self._headers = [
            (name.lower().encode(), value.encode()) for name, value in security_headers(https).items()
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *self._headers]
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)
