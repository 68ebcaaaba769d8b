"""The checkpoints: which there are, where they are published, and how to use one."""

from fastapi import APIRouter, Request
from sqlalchemy import select
from starlette.responses import Response

from coordinator.database.tables import Checkpoint
from coordinator.web.given import Context
from coordinator.web.rendering import render

router = APIRouter(include_in_schema=False)

_MOST = 50


@router.get("/checkpoints")
def checkpoints(request: Request, context: Context) -> Response:
    newest = select(Checkpoint).where((Checkpoint.standing == "kept") | Checkpoint.published.is_not(None))
    with context.database.reading() as session:
        rows = session.scalars(newest.order_by(Checkpoint.id.desc()).limit(_MOST)).all()
    values = {"checkpoints": rows, "repository": context.settings.checkpoints.publish_to}
    return render(request, "checkpoints.html", {**values, "every": context.settings.checkpoints.every})
