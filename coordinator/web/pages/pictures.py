"""The run's pictures: the gallery, its frames, one picture with its prompt and seed, and all as a moving picture."""

import io
from pathlib import Path
from shlex import quote

from fastapi import APIRouter, HTTPException, Request
from PIL.PngImagePlugin import PngInfo
from sqlalchemy import select
from starlette.responses import FileResponse, Response

from coordinator.database.tables import Frame
from coordinator.ledger.history import may_be_shown, standing_frames, thinned_frames
from coordinator.web.caching.cut_pictures import CutPictures
from coordinator.web.caching.moving_picture import MOVING_PICTURE, MovingPictureCache, ShownFrame
from coordinator.web.context import WebContext
from coordinator.web.figures import prompts_of, sheets
from coordinator.web.given import GivenContext
from coordinator.web.rendering import render
from core.generation.animation import read_frame, tile_box
from core.generation.records import columns_for, picture_texts
from core.messages.sampling import Sampling

router = APIRouter(include_in_schema=False)

_MOST_FRAMES = 60
_KINDS = {".png": "image/png", ".webp": "image/webp"}
_FOREVER = {"Cache-Control": "public, max-age=31536000, s-maxage=60, immutable"}
"""Headers of a picture, which never changes; yet a proxy asks each minute whether a moderator took it down."""


@router.get("/gallery")
def gallery(request: Request, context: GivenContext) -> Response:
    prompts = prompts_of(context.manifest)
    with context.database.reading() as session:
        frames = sheets(context, session, _MOST_FRAMES)
    seed = Sampling().seed
    command = f"idlebrush generate {quote(prompts[0])} --seed {seed} --number 1" if prompts else ""
    values = {
        "prompts": prompts,
        "frames": frames,
        "moving": MOVING_PICTURE,
        "seed": seed,
        "command": command,
    }
    return render(request, "gallery.html", values)


@router.get("/frames/{generation}/{epoch}/{digest}")
def frame(context: GivenContext, generation: int, epoch: int, digest: str) -> FileResponse:
    place = _file_of(context, generation, epoch, digest)
    return FileResponse(place, media_type=_KINDS.get(place.suffix, "image/png"), headers=_FOREVER)


@router.get("/pictures/{generation}/{epoch}/{digest}/{number}.png")
def picture(
    request: Request, context: GivenContext, generation: int, epoch: int, digest: str, number: int
) -> Response:
    """Return the picture of one prompt of a frame as a PNG that says its prompt, seed, run and epoch."""
    manifest = context.manifest
    prompts = prompts_of(manifest)
    place = _file_of(context, generation, epoch, digest)
    if not 0 <= number < len(prompts):
        raise HTTPException(404)
    name = manifest.training.name
    texts = picture_texts(prompts[number], Sampling().seed, 0, name, epoch)
    cuts: CutPictures = request.app.state.cut_pictures
    key = (str(place), digest, number, tuple(texts.items()))
    content = cuts.of(key, lambda: _cut(place, len(prompts), number, texts))
    return _download(content, "image/png", f"{name}-epoch-{epoch}-{number + 1}.png", _FOREVER)


@router.get(MOVING_PICTURE)
def timelapse(request: Request, context: GivenContext) -> Response:
    """Return the frames of the run as one moving picture."""
    cache: MovingPictureCache = request.app.state.moving_picture
    permitted = _frames_of(context)
    shown = thinned_frames(permitted, _MOST_FRAMES)
    content = cache.picture(prompts_of(context.manifest), shown, frozenset(permitted))
    if content is None:
        raise HTTPException(404)
    return _download(content, "image/webp", f"{context.manifest.training.name}.webp")


def _frames_of(context: WebContext) -> list[ShownFrame]:
    with context.database.reading() as session:
        frames = standing_frames(session)
    return [
        ShownFrame(frame.generation, frame.epoch, frame.sha256, context.home.frames / file)
        for frame, file in frames
    ]


def _file_of(context: WebContext, generation: int, epoch: int, digest: str) -> Path:
    """Return the file of a frame; HTTPException if there is none that may be shown."""
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
    return place


def _cut(place: Path, prompts: int, number: int, texts: dict[str, str]) -> bytes:
    """Return one picture of a frame as a PNG with these texts; HTTPException if the frame cannot be used."""
    columns = columns_for(prompts)
    frame = read_frame(place, prompts, columns)
    if frame is None:
        raise HTTPException(404)
    chunks, written = PngInfo(), io.BytesIO()
    for key, value in texts.items():
        chunks.add_itxt(key, value)
    cut = frame.crop(tile_box(frame, prompts, columns, number))
    cut.save(written, "PNG", pnginfo=chunks)
    return written.getvalue()


def _download(content: bytes, kind: str, name: str, headers: dict[str, str] | None = None) -> Response:
    """Return a file that browsers save under that name, which has letters, digits and hyphens alone."""
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers={**disposition, **(headers or {})})
