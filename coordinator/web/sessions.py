"""Knows whose browser asks: by a cookie, the site's only one, that a volunteer's one-time link was exchanged for."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from coordinator.gate.pages import SESSION_LIFETIME, close_session, open_session, visitor
from coordinator.web.context import WebContext


@dataclass(frozen=True)
class Viewer:
    """Who looks at the own page."""

    user: int
    name: str
    hidden: bool


class BrowserSessions:
    """Of the volunteers that opened their pages."""

    def __init__(self, context: WebContext) -> None:
        self._context = context
        self._https = context.settings.address.startswith("https://")
        # Browsers take a cookie of that name from nobody but this very host, over TLS.
        self._cookie = "__Host-idlebrush" if self._https else "idlebrush"

    def redeem(self, code: str, response: Response) -> None:
        """Give the browser a session's cookie for a one-time code; SignedOut if the code is no good."""
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
        """Whose cookie the request bears, unless banned since."""
        secret = request.cookies.get(self._cookie)
        if not secret:
            return None
        with self._context.database.reading() as session:
            user = visitor(session, secret, self._context.clock())
            return Viewer(user.id, user.name, user.hidden) if user and user.banned is None else None

    def end(self, request: Request, response: Response) -> None:
        """Sign the browser out, here and there."""
        with self._context.database.session() as session:
            close_session(session, request.cookies.get(self._cookie, ""))
        response.delete_cookie(self._cookie, path="/", secure=self._https, httponly=True, samesite="lax")


def is_from_own_page(request: Request) -> bool:
    """Whether a form was sent from a page of this site, as browsers tell; no other site's is taken."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin", "")
    return origin.partition("://")[2] == request.headers.get("host", "")
