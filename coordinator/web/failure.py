"""Answers failed requests: with JSON for programs and a page for people, in the same words."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from coordinator.web.rendering import render


@dataclass(frozen=True)
class WebFailure:
    """A failure in words: what happened and what to do, with the matching HTTP status."""

    status: int
    code: str
    what: str
    remedy: str


_WORDS = {
    400: ("request", "This request cannot be understood.", "Go back and try once more."),
    401: (
        "sign_in",
        "This page is for a volunteer who has signed in.",
        "Open it from Idlebrush: it makes a link.",
    ),
    403: ("forbidden", "This is not allowed.", "Start again from the page that led here."),
    404: ("not_found", "There is nothing at this address.", "Check it, or start from the first page."),
    405: (
        "method",
        "This cannot be done with this address.",
        "Use the methods that the API's description names.",
    ),
    408: ("slow", "The request took too long to arrive.", "Try again on a faster connection."),
    413: ("too_large", "The request is too large.", "Send at most 64 KiB."),
    422: ("request", "The request is not valid.", "See the API's description."),
    429: ("rate", "Too many requests came from your address.", "Wait a moment, then try again."),
    500: (
        "fault",
        "Something went wrong on our side.",
        "Try again in a minute; the organiser has it in the log.",
    ),
    503: ("busy", "This cannot be answered now.", "Try again in a minute."),
}


def failure_of(status: int) -> WebFailure:
    """Return the standard words for a status."""
    return WebFailure(status, *_WORDS.get(status, _WORDS[500 if status >= 500 else 400]))


def answer(failure: WebFailure, scope: Scope, headers: Mapping[str, str] | None = None) -> Response:
    """Return JSON under /api and to clients that do not ask for a page, else a page in the site's design."""
    given = {**(headers or {}), "Cache-Control": "no-store"}
    if scope["path"].startswith("/api/") or not _wants_page(scope):
        content = {"code": failure.code, "what": failure.what, "remedy": failure.remedy}
        return JSONResponse(content, failure.status, given)
    return render(Request(scope), "failure.html", {"failure": failure}, status=failure.status, headers=given)


def refusal(status: int, headers: Mapping[str, str] | None = None) -> ASGIApp:
    """Return an application that answers every request with that status, for middleware."""

    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        await answer(failure_of(status), scope, headers)(scope, receive, send)

    return refuse


def _wants_page(scope: Scope) -> bool:
    return any(key == b"accept" and b"text/html" in value for key, value in scope["headers"])
