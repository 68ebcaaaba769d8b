"""The address of the picture by which a volunteer shares their contribution, and the few pictures that are kept."""

import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence

from fastapi import APIRouter, Request
from PIL import Image
from sqlalchemy import select
from starlette.responses import Response

from coordinator.database.tables import Frame
from coordinator.ledger.history import may_be_shown
from coordinator.ledger.volunteer import Volunteer
from coordinator.web.context import WebContext
from coordinator.web.figures import prompts_of
from coordinator.web.given import GivenContext
from coordinator.web.pages.share_picture import SharedFigures, draw, pictures_of
from coordinator.web.pages.volunteers import shown_volunteer
from coordinator.web.wording import short, whole
from core.contribution.year import year_of

router = APIRouter(include_in_schema=False)

MOST_KEPT = 64
"""Most pictures in memory, of some tens of kilobytes each."""
_PICTURE = {"Cache-Control": "public, max-age=300, s-maxage=60"}
"""Headers of a picture: who hides the name has none a minute later, where a proxy keeps it."""


class SharePictures:
    """Keeps the pictures that were drawn lately, and draws one at a time: many requests take one processor."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._most = most
        self._drawing = threading.Lock()

    def of(self, context: WebContext, shown: Volunteer) -> bytes:
        """Return a volunteer's picture as PNG, drawn only if it is not kept."""
        shared = figures_of(context, shown)
        frame = _newest_frame(context)
        key = (shared, None if frame is None else frame.sha256)
        with self._drawing:
            picture = self._kept.pop(key, None) or draw(shared, _pictures(context, frame))
            self._kept[key] = picture
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return picture

    def __len__(self) -> int:
        return len(self._kept)


@router.get("/volunteers/{name}/share.png")
def picture(request: Request, context: GivenContext, name: str) -> Response:
    # As the public sees the volunteer, whoever asks: a picture is made to be passed on.
    shown = shown_volunteer(context, name, None)
    pictures: SharePictures = request.app.state.share_pictures
    return Response(pictures.of(context, shown), 200, _PICTURE, "image/png")


def figures_of(context: WebContext, shown: Volunteer) -> SharedFigures:
    """Return what a volunteer's picture says."""
    days, crowd = len(shown.days), shown.volunteers
    return SharedFigures(
        title=context.manifest.contact.title,
        name=shown.name,
        team=shown.team.name if shown.team else "",
        figures=(
            (f"#{whole(shown.rank)}", f"of {whole(crowd)} volunteer{'' if crowd == 1 else 's'}"),
            (short(shown.samples), "samples"),
            (whole(days), "day" if days == 1 else "days"),
        ),
        calendar=year_of({day.day: day.samples for day in shown.days}, context.clock().date()),
    )


def _newest_frame(context: WebContext) -> Frame | None:
    newest = (
        select(Frame).where(may_be_shown()).order_by(Frame.generation.desc(), Frame.epoch.desc()).limit(1)
    )
    with context.database.reading() as session:
        return session.scalar(newest)


def _pictures(context: WebContext, frame: Frame | None) -> Sequence[Image.Image]:
    """Return the pictures of a frame; none if its file is away or damaged."""
    prompts = prompts_of(context.manifest)
    if frame is None or not prompts:
        return ()
    return pictures_of(context.home.frames / frame.file, len(prompts))
