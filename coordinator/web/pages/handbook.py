"""Serves the built handbook under /docs, or says there how the organiser builds it."""

import mimetypes
from collections.abc import Sequence
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from coordinator.web.caching.response_cache import HANDBOOK
from coordinator.web.failure import WebFailure, answer
from coordinator.web.given import GivenContext

router = APIRouter(include_in_schema=False)

_WEBSITE = Path(__file__).resolve().parents[1]
_FOLDERS = (_WEBSITE / "handbook", _WEBSITE.parents[1] / "dist" / "docs")
"""Folders that may have a built handbook: of a wheel that was made with one, of a checkout after ``make docs``."""
_FIRST = "index.html"
_SHORTLY = {"Cache-Control": "public, max-age=300", "Vary": "Accept-Encoding"}
_KINDS = {
    ".js": "text/javascript",
    ".woff2": "font/woff2",
    ".jsonl": "application/x-ndjson",
    "": "text/plain",
}
_NOT_BUILT = WebFailure(
    404,
    "handbook",
    "The handbook is not built on this site.",
    "The organiser of this run builds it by the command “make docs” in the folder of the source, and starts the "
    "coordinator again. The same pages are in the folder docs of the source code, /source.tar.gz.",
)


def built_handbook(folders: Sequence[Path] = _FOLDERS) -> Path | None:
    """Return the first of ``folders`` that has a built handbook; None if none has."""
    return next((folder for folder in folders if (folder / _FIRST).is_file()), None)


@router.get("/docs")
def without_slash(request: Request, context: GivenContext) -> Response:
    return answer(_NOT_BUILT, request.scope) if context.handbook is None else RedirectResponse(HANDBOOK, 302)


@router.get(HANDBOOK + "{name:path}")
def page(request: Request, context: GivenContext, name: str) -> Response:
    """Return a file of the handbook."""
    if context.handbook is None:
        return answer(_NOT_BUILT, request.scope)
    folder = context.handbook.resolve()
    try:
        file = (folder / (name or _FIRST)).resolve()
        is_there = file.is_relative_to(folder) and file.is_file()
    except (OSError, ValueError):  # a name that is too long, or has a zero byte
        is_there = False
    if not is_there:
        raise HTTPException(404)
    kind = _KINDS.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return Response(file.read_bytes(), 200, _SHORTLY, kind)
