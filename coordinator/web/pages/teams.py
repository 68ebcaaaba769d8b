"""Pages about teams: their leaderboard, the page of each, and what a signed-in volunteer does with them."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Path, Query, Request
from starlette.responses import RedirectResponse, Response

from coordinator.database.tables import User
from coordinator.ledger.board import BoardPeriod
from coordinator.teams import teams
from coordinator.teams.board import MOST_MEMBERS, TeamBoardPage, TeamView, team_board, team_page
from coordinator.web.given import GivenContext, Sessions
from coordinator.web.pages.own import Form, KnownViewer
from coordinator.web.rendering import render

router = APIRouter(include_in_schema=False)
_Name = Annotated[str, Query(max_length=80, pattern=r"^[^\x00]*$")]

_ON_A_PAGE = 50
_LAST_OFFSET = 1_000_000
_CHANGES = {"found": teams.found, "join": teams.join, "rename": teams.rename, "hand_over": teams.hand_over}
"""Action of the form on one's own page on a name."""
_ENDS = {"leave": teams.leave, "close": teams.close}
_LEAVES = {"found", "join", "leave"}
"""Actions that end the membership of before."""


@router.get("/teams")
def board(
    request: Request,
    context: GivenContext,
    sessions: Sessions,
    since: BoardPeriod = BoardPeriod.ALL,
    name: _Name = "",
    offset: Annotated[int, Query(ge=0, le=_LAST_OFFSET)] = 0,
) -> Response:
    viewer, name = sessions.viewer(request), name.strip()
    view = TeamView(since, _ON_A_PAGE, offset, name or None, viewer.user if viewer else None)
    with context.database.reading() as session:
        page = team_board(session, context.clock(), view)
    figures = [row.samples if since is BoardPeriod.ALL else row.week for row in page.rows]
    values = {
        "page": page,
        "since": since,
        "name": name,
        "most": max(figures, default=0),
        "is_open": context.settings.gate.open,
        "before": _address(since, max(0, page.offset - _ON_A_PAGE)) if page.offset else None,
        "after": _address(since, page.offset + _ON_A_PAGE) if _has_more(page) else None,
    }
    return render(request, "teams.html", values)


def _has_more(page: TeamBoardPage) -> bool:
    return page.offset + len(page.rows) < page.total and bool(page.rows)


def _address(since: BoardPeriod, offset: int) -> str:
    return "/teams?" + urlencode({"since": since.value, "offset": offset})


@router.get("/teams/{number}")
def page(
    request: Request,
    context: GivenContext,
    sessions: Sessions,
    number: Annotated[int, Path(ge=1, lt=2**31)],
) -> Response:
    viewer = sessions.viewer(request)
    with context.database.reading() as session:
        shown = team_page(session, number, context.clock(), viewer.user if viewer else None)
        own = teams.team_of(session, viewer.user) if viewer else None
    if shown is None:
        raise HTTPException(404)
    values = {
        "team": shown,
        "most_members": MOST_MEMBERS,
        "may_join": viewer is not None and (own is None or own.id != number),
    }
    return render(request, "team.html", values)


@router.post("/me/team")
def change(request: Request, context: GivenContext, viewer: KnownViewer, form: Form) -> Response:
    """Carry out a form about teams; before a team is closed by its last member, ask by another form."""
    action, name = form.get("action", ""), form.get("name", "")
    if "\x00" in name:  # which no database keeps or looks for
        raise HTTPException(400)
    with context.database.session() as session:
        user = session.get_one(User, viewer.user)
        if action in _LEAVES and "closes" not in form and (own := teams.closed_without(session, user)):
            return render(request, "last_member.html", {"team": own, "action": action, "name": name})
        if action in _CHANGES:
            _CHANGES[action](session, user, name, context.clock())
        elif action in _ENDS:
            _ENDS[action](session, user, context.clock())
        else:
            raise HTTPException(400)
    return RedirectResponse("/me#team", 303)
