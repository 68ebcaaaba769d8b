"""The first page: why, what, and how it stands now."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from coordinator.ledger.board import View, leaderboard, totals
from coordinator.web.figures import prompts_of, run_facts, run_now, sheets
from coordinator.web.given import Context
from coordinator.web.rendering import render

router = APIRouter(include_in_schema=False)

_LEADERS = 5


@router.get("/")
def first(request: Request, context: Context) -> Response:
    manifest = context.manifest
    prompts = prompts_of(manifest)
    with context.database.reading() as session:
        newest = sheets(session, prompts, most=1)
        values = {
            "now": run_now(session),
            "totals": totals(session),
            "leaders": leaderboard(session, context.clock(), View(limit=_LEADERS)).rows,
            "frame": newest[0] if newest else None,
        }
    given = {"prompts": prompts, "run": run_facts(manifest)}
    return render(request, "first.html", {**values, **given})
