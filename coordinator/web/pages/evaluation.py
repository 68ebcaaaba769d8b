"""The evaluation that the organiser published: prompts sorted beside the nearest training pictures."""

import logging
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

from coordinator.web.context import WebContext
from coordinator.web.given import GivenContext
from coordinator.web.rendering import render
from core.evaluation import wording
from core.evaluation.document import Evaluation, read_picture
from core.evaluation.sorting import ResultKind

router = APIRouter(include_in_schema=False)

ADDRESS = "/evaluation"
_FOREVER = {"Cache-Control": "public, max-age=31536000, s-maxage=60, immutable"}
"""Headers of a picture, whose name is made of its content; a proxy asks each minute whether it is still shown."""
_log = logging.getLogger(__name__)


@router.get(ADDRESS)
def evaluation(request: Request, context: GivenContext) -> Response:
    shown = _published(context)[1]
    values = {"evaluation": shown, "kinds": tuple(ResultKind), "wording": wording}
    return render(request, "evaluation.html", values)


@router.get(ADDRESS + "/{name}")
def picture(context: GivenContext, name: str) -> Response:
    """Return a picture of the published evaluation, and no other file."""
    folder, shown = _published(context)
    if name not in shown.files:
        raise HTTPException(404)
    try:
        content = read_picture(folder, name)
    except (OSError, ValueError) as error:
        _log.warning("A picture of the evaluation cannot be shown: %s", error)
        raise HTTPException(404) from error
    return Response(content, media_type="image/webp", headers=_FOREVER)


def _published(context: WebContext) -> tuple[Path, Evaluation]:
    """Return the folder of the published evaluation, and what it says; HTTPException if there is none."""
    if (found := context.evaluation.read()) is None:
        raise HTTPException(404)
    return found
