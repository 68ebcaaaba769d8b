"""How to join: by the app, in a notebook, by command; and what it takes."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from coordinator.web.given import Context
from coordinator.web.invitation import join_link
from coordinator.web.needs import needs_of
from coordinator.web.rendering import render
from core.run import RunManifest

router = APIRouter(include_in_schema=False)


@router.get("/join")
def join(request: Request, context: Context) -> Response:
    manifest = context.manifest
    values = {
        "join_link": join_link(context),
        "gate": context.settings.gate,
        "needs": needs_of(manifest),
        "description": _described(manifest),
    }
    return render(request, "join.html", values)


def _described(manifest: RunManifest) -> list[tuple[str, str]]:
    """What the program itself shows before anything begins."""
    lines = (line.partition(": ") for line in manifest.describe()[1:])
    return [(name, rest) for name, _, rest in lines if rest]
