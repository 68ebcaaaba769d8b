"""Arguments of the request handlers: the site's context, its files, and the browser's volunteer."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from starlette.responses import Response

from coordinator.gate.pages import SESSION_LIFETIME, close_session, open_session, visitor
from coordinator.web.assets import Assets
from coordinator.web.context import WebContext


@dataclass(frozen=True)
class Viewer:
    """A volunteer who views their own page."""

    user: int
    name: str
    hidden: bool


class BrowserSessions:
    """Knows the volunteers' browsers by the site's only cookie, which a one-time link was exchanged for."""

    def __init__(self, context: WebContext) -> None:
        self._context = context
        self._https = context.settings.address.startswith("https://")
        # Browsers accept a cookie of that name only from this very host, over TLS.
        self._cookie = "__Host-idlebrush" if self._https else "idlebrush"

    def redeem(self, code: str, response: Response) -> None:
        """Give the browser a session's cookie for a one-time code; raise SignedOut if the code is invalid."""
        with self._context.database.session() as session:
            secret = open_session(session, code, self._context.clock())
        response.set_cookie(
            self._cookie,
            secret,
            max_age=round(SESSION_LIFETIME.total_seconds()),
            path="/",
            secure=self._https,
            httponly=True,
            samesite="lax",
        )

    def viewer(self, request: Request) -> Viewer | None:
        """Return the volunteer of the request's cookie; None without one or after a ban."""
        secret = request.cookies.get(self._cookie)
        if not secret:
            return None
        with self._context.database.reading() as session:
            user = visitor(session, secret, self._context.clock())
            return Viewer(user.id, user.name, user.hidden) if user and user.banned is None else None

    def end(self, request: Request, response: Response) -> None:
        """Sign the browser out, in the database and in the browser."""
        with self._context.database.session() as session:
            close_session(session, request.cookies.get(self._cookie, ""))
        response.delete_cookie(self._cookie, path="/", secure=self._https, httponly=True, samesite="lax")


def is_from_own_page(request: Request) -> bool:
    """Return true if the browser reports that a form comes from a page of this site; other forms are refused."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin", "")
    return origin.partition("://")[2] == request.headers.get("host", "")


async def _context(request: Request) -> WebContext:
    found: WebContext = request.app.state.context
    return found


async def _sessions(request: Request) -> BrowserSessions:
    return BrowserSessions(await _context(request))


async def _assets(request: Request) -> Assets:
    found: Assets = request.app.state.assets
    return found


GivenContext = Annotated[WebContext, Depends(_context)]
Sessions = Annotated[BrowserSessions, Depends(_sessions)]
SiteAssets = Annotated[Assets, Depends(_assets)]
