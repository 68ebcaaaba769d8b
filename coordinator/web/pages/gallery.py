"""The gallery: what the model drew of the run's prompts, through the epochs."""

from fastapi import APIRouter, HTTPException, Request
from sqlalchemy import select
from starlette.responses import FileResponse, Response

from coordinator.database.tables import Frame
from coordinator.ledger.time_lapse import may_be_shown
from coordinator.web.figures import prompts_of, sheets
from coordinator.web.given import Context
from coordinator.web.rendering import render

router = APIRouter(include_in_schema=False)

_MOST = 60
_KINDS = {".png": "image/png", ".webp": "image/webp"}


@router.get("/gallery")
def gallery(request: Request, context: Context) -> Response:
    prompts = prompts_of(context.manifest)
    with context.database.reading() as session:
        frames = sheets(session, prompts, _MOST)
    return render(request, "gallery.html", {"prompts": prompts, "frames": frames})


@router.get("/frames/{generation}/{epoch}/{digest}")
def frame(context: Context, generation: int, epoch: int, digest: str) -> FileResponse:
    if not 0 <= generation < 2**31 or not 0 <= epoch < 2**31:
        raise HTTPException(404)
    with context.database.reading() as session:
        known = (Frame.generation == generation, Frame.epoch == epoch, may_be_shown())
        row = session.scalar(select(Frame).where(*known))
    if row is None or len(digest) < 16 or not row.sha256.startswith(digest):
        raise HTTPException(404)
    place = (context.home.frames / row.file).resolve()
    if not place.is_relative_to(context.home.frames.resolve()) or not place.is_file():
        raise HTTPException(404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return FileResponse(place, media_type=_KINDS.get(place.suffix, "image/png"), headers=headers)
