"""The leaderboard of teams, and the content of a team's page, as of one moment.

Members who are banned count for nothing, as on the leaderboard of volunteers; those who hide their names count
without a name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Row as SelectedRow
from sqlalchemy import Select, case, func, or_, select
from sqlalchemy.orm import Session

from coordinator.database.tables import Day, Total, User
from coordinator.database.team_tables import Team, TeamMembership
from coordinator.ledger.board import RECENT_DAYS, BoardPeriod
from coordinator.teams.credit import is_within, of_users_not_banned, samples_of_day, samples_so_far
from coordinator.teams.names import key_of
from coordinator.teams.teams import team_of

MOST_MEMBERS = 200
"""Most members whom a team's page names."""
_Found = SelectedRow[*tuple[Any, ...]]


@dataclass(frozen=True)
class TeamView:
    """The requested part of the board, and its viewer."""

    since: BoardPeriod = BoardPeriod.ALL
    """The samples by which teams are ranked: all, or those of the last seven days in UTC, today included."""
    limit: int = 50
    offset: int = 0
    around: str | None = None
    """A name, or one that looks like it, to put in the middle; in place of ``offset``."""
    viewer: int | None = None
    """User id of the viewer, whose team is given as well."""


@dataclass(frozen=True)
class TeamRow:
    """A line of the board of teams."""

    rank: int
    number: int
    """The team's own number, which stays when its name changes."""
    name: str
    samples: int
    """Samples of all members, former ones included, while they were members."""
    week: int
    """Samples of the last seven days in UTC, today included."""
    members: int
    """Number of members now."""


@dataclass(frozen=True)
class TeamBoardPage:
    """A part of the board of teams."""

    rows: tuple[TeamRow, ...]
    total: int
    """Number of teams."""
    own: TeamRow | None
    """Row of the viewer's team; None if there is none."""
    leads: bool
    """True if the viewer leads the own team."""
    offset: int
    """Number of teams above the first row."""


@dataclass(frozen=True)
class TeamMember:
    """A member of a team, on its page."""

    name: str
    samples: int
    """Samples that counted for this team."""
    leads: bool


@dataclass(frozen=True)
class TeamPage:
    """The content of a team's page."""

    row: TeamRow
    created: datetime
    members: tuple[TeamMember, ...]
    """The members who show their names, those with most samples first; at most `MOST_MEMBERS`."""


def team_board(session: Session, now: datetime, view: TeamView = TeamView()) -> TeamBoardPage:
    """Return the part of the board that ``view`` selects, as the board is ``now``."""
    ranked = _ranked(session, view.since, now)
    offset = view.offset if view.around is None else _centred(session, ranked, view)
    rows = () if offset is None else ranked[offset : offset + view.limit]
    own = None if view.viewer is None else team_of(session, view.viewer)
    return TeamBoardPage(
        tuple(rows),
        len(ranked),
        next((row for row in ranked if own is not None and row.number == own.id), None),
        own is not None and own.founder_id == view.viewer,
        offset or 0,
    )


def team_page(session: Session, number: int, now: datetime, viewer: int | None = None) -> TeamPage | None:
    """Return the content of the page of the team of that ``number``; None if there is none, or it was closed."""
    team = session.get(Team, number)
    if team is None or team.closed is not None:
        return None
    row = next(row for row in _ranked(session, BoardPeriod.ALL, now) if row.number == number)
    return TeamPage(row, team.created, _members(session, team, viewer))


def newest_teams(session: Session, limit: int) -> Sequence[Team]:
    """Return the teams that are not closed, the newest first, for moderators."""
    return session.scalars(
        select(Team).where(Team.closed.is_(None)).order_by(Team.id.desc()).limit(limit)
    ).all()


def _members(session: Session, team: Team, viewer: int | None) -> tuple[TeamMember, ...]:
    samples = func.sum(samples_so_far())
    is_member = func.count().filter(TeamMembership.ended.is_(None)) > 0
    sums = (
        select(User.id, User.name, samples.label("samples"))
        .join(TeamMembership, TeamMembership.user_id == User.id)
        .outerjoin(Total, Total.user_id == User.id)
        .where(TeamMembership.team_id == team.id, User.banned.is_(None), or_(~User.hidden, User.id == viewer))
        .group_by(User.id, User.name)
        .having(is_member)
        .order_by(samples.desc(), User.id)
        .limit(MOST_MEMBERS)
    )
    return tuple(
        TeamMember(name, int(given or 0), user == team.founder_id)
        for user, name, given in session.execute(sums)
    )


def _ranked(session: Session, since: BoardPeriod, now: datetime) -> list[TeamRow]:
    """Return all teams in the order of the board; ties share a rank.

    Memberships, and the days of a week, are read once: a database would sum them up again for each part of a page.
    """
    found = session.execute(_all_teams(now)).all()

    def value(row: _Found) -> int:
        return int(row.samples if since is BoardPeriod.ALL else row.week)

    ordered = sorted(found, key=lambda row: (-value(row), row.number))
    ranks: dict[int, int] = {}
    for position, row in enumerate(ordered, 1):
        ranks.setdefault(value(row), position)
    return [
        TeamRow(ranks[value(row)], row.number, row.name, int(row.samples), int(row.week), int(row.members))
        for row in ordered
    ]


def _all_teams(now: datetime) -> Select[*tuple[Any, ...]]:
    ever, lately = _sums().subquery(), _recent_sums(now.astimezone(UTC).date()).subquery()
    return (
        select(
            Team.id.label("number"),
            Team.name.label("name"),
            func.coalesce(ever.c.samples, 0).label("samples"),
            func.coalesce(lately.c.samples, 0).label("week"),
            func.coalesce(ever.c.members, 0).label("members"),
        )
        .outerjoin(ever, ever.c.team_id == Team.id)
        .outerjoin(lately, lately.c.team_id == Team.id)
        .where(Team.closed.is_(None))
    )


def _sums() -> Select[*tuple[Any, ...]]:
    members = func.sum(case((TeamMembership.ended.is_(None), 1), else_=0)).label("members")
    sums = (
        select(TeamMembership.team_id, func.sum(samples_so_far()).label("samples"), members)
        .outerjoin(Total, Total.user_id == TeamMembership.user_id)
        .group_by(TeamMembership.team_id)
    )
    return of_users_not_banned(sums)


def _recent_sums(today: date) -> Select[*tuple[Any, ...]]:
    before = today - timedelta(days=RECENT_DAYS)
    is_recent = or_(TeamMembership.ended.is_(None), TeamMembership.last_day > before)
    sums = (
        select(TeamMembership.team_id, func.sum(samples_of_day()).label("samples"))
        .select_from(Day)
        .join(TeamMembership, is_within())
        .where(Day.day > before, is_recent)
        .group_by(TeamMembership.team_id)
    )
    return of_users_not_banned(sums)


def _centred(session: Session, ranked: Sequence[TeamRow], view: TeamView) -> int | None:
    """Return the offset that puts ``around`` in the middle; None if there is no such team."""
    assert view.around is not None
    number = session.scalar(select(Team.id).where(Team.name_key == key_of(view.around)))
    places = [place for place, row in enumerate(ranked) if row.number == number]
    return max(places[0] - view.limit // 2, 0) if places else None
