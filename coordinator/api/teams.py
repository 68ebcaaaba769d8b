"""REST: the leaderboard of teams, and what members may do with teams."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from sqlalchemy.orm import Session

from coordinator.api.answers import TeamChange, TeamName, TeamNamed, TeamShown, failures
from coordinator.api.asker import BearerSecret, MaybeSecret
from coordinator.database.tables import User
from coordinator.database.team_tables import Team
from coordinator.gate.memberships import member_by
from coordinator.ledger.board import BoardPeriod
from coordinator.teams import teams
from coordinator.teams.board import TeamBoardPage, TeamView, team_board
from coordinator.web.context import WebContext
from coordinator.web.given import GivenContext

router = APIRouter(prefix="/api/teams", tags=["teams"])
_MINE = "/membership"


# Beside the way to sign in that is asked for: none.
@router.get("", responses=failures(401, 403), openapi_extra={"security": [{}]})
def board(
    context: GivenContext,
    secret: MaybeSecret,
    since: BoardPeriod = BoardPeriod.ALL,
    around: Annotated[TeamName | None, Query(description="Team to show in the middle.")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> TeamBoardPage:
    """Give the leaderboard of teams; a member also gets the row of their own team."""
    now = context.clock()
    with context.database.reading() as session:
        viewer = member_by(session, secret, now).user.id if secret else None
        return team_board(session, now, TeamView(since, limit, offset, around, viewer))


@router.post("", status_code=201, responses=failures(400, 401, 403, 409, 413))
def found(context: GivenContext, secret: BearerSecret, asked: TeamNamed) -> TeamShown:
    """Found a team, and lead it; the member's samples count for it from now on."""
    with context.database.session() as session:
        return _shown(teams.found(session, _member(context, session, secret), asked.name, context.clock()))


@router.post(_MINE, responses=failures(400, 401, 403, 404, 409, 413))
def join(context: GivenContext, secret: BearerSecret, asked: TeamNamed) -> TeamShown:
    """Join a team; the member's samples count for it from now on, and no more for the team of before."""
    with context.database.session() as session:
        return _shown(teams.join(session, _member(context, session, secret), asked.name, context.clock()))


@router.delete(_MINE, responses=failures(401, 403, 404, 409))
def leave(context: GivenContext, secret: BearerSecret) -> TeamShown:
    """Leave the team; what was credited stays with it. It is closed if the member was the last one."""
    with context.database.session() as session:
        return _shown(teams.leave(session, _member(context, session, secret), context.clock()))


@router.patch("/own", responses=failures(400, 401, 403, 404, 409, 413))
def change(context: GivenContext, secret: BearerSecret, asked: TeamChange) -> TeamShown:
    """Rename the team that the member leads, or hand it over to another member."""
    with context.database.session() as session:
        member, now = _member(context, session, secret), context.clock()
        team = teams.led_by(session, member)
        if asked.name is not None:
            teams.rename(session, member, asked.name, now)
        if asked.leader is not None:
            teams.hand_over(session, member, asked.leader, now)
        return _shown(team)


@router.delete("/own", status_code=204, responses=failures(401, 403, 404))
def close(context: GivenContext, secret: BearerSecret) -> Response:
    """Close the team that the member leads, for all of its members."""
    with context.database.session() as session:
        teams.close(session, _member(context, session, secret), context.clock())
    return Response(status_code=204)


def _member(context: WebContext, session: Session, secret: str) -> User:
    return member_by(session, secret, context.clock()).user


def _shown(team: Team) -> TeamShown:
    return TeamShown(number=team.id, name=team.name)
