"""The leaderboard: by samples or time, of all time or the week, page by page, and by name."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from coordinator.ledger.board import BoardPage, Measure, Period, View, leaderboard
from coordinator.web.given import Context, Sessions
from coordinator.web.rendering import render

router = APIRouter(include_in_schema=False)

_ON_A_PAGE = 50
_LAST_OFFSET = 1_000_000

Name = Annotated[str, Query(max_length=128, pattern=r"^[^\x00]*$")]


@router.get("/leaderboard")
def board(
    request: Request,
    context: Context,
    sessions: Sessions,
    by: Measure = Measure.SAMPLES,
    since: Period = Period.ALL,
    name: Name = "",
    offset: Annotated[int, Query(ge=0, le=_LAST_OFFSET)] = 0,
) -> Response:
    viewer = sessions.viewer(request)
    name = name.strip()
    view = View(by, since, _ON_A_PAGE, offset, name or None, viewer.user if viewer else None)
    with context.database.reading() as session:
        page = leaderboard(session, context.clock(), view)
    values = {
        "page": page,
        "by": by,
        "since": since,
        "name": name,
        "most": max((_value(row.samples, row.compute_seconds, by) for row in page.rows), default=0),
        "before": _address(by, since, max(0, page.offset - _ON_A_PAGE)) if page.offset else None,
        "after": _address(by, since, page.offset + _ON_A_PAGE) if _has_more(page) else None,
    }
    return render(request, "leaderboard.html", values, headers=_PERSONAL if viewer else None)


_PERSONAL = {"Cache-Control": "no-store"}


def _value(samples: int, seconds: float, by: Measure) -> float:
    return samples if by is Measure.SAMPLES else seconds


def _has_more(page: BoardPage) -> bool:
    return page.offset + len(page.rows) < page.total and bool(page.rows)


def _address(by: Measure, since: Period, offset: int) -> str:
    return "/leaderboard?" + urlencode({"by": by.value, "since": since.value, "offset": offset})
