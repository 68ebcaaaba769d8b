"""The leaderboard: who contributed how much, with ranks that ties share, of all time or of the last days.

All functions take a session, best of `Database.reading()`, so that what one page shows is of one moment. Users who
are banned are not on the board; users who hide their names keep their rank.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select, Subquery, and_, func, literal, or_, select
from sqlalchemy import Row as SelectedRow
from sqlalchemy.orm import Session

from coordinator.database.tables import Day, Total, User

_Found = SelectedRow[*tuple[Any, ...]]
HIDDEN = "hidden volunteer"
RECENT_DAYS = 7


class Measure(StrEnum):
    """Measures by which volunteers are ranked."""

    SAMPLES = "samples"
    TIME = "time"


class BoardPeriod(StrEnum):
    """The time that counts: all of it, or the last seven days in UTC, today included."""

    ALL = "all"
    WEEK = "week"


@dataclass(frozen=True)
class View:
    """The requested part of the board, and its viewer."""

    by: Measure = Measure.SAMPLES
    since: BoardPeriod = BoardPeriod.ALL
    limit: int = 50
    offset: int = 0
    around: str | None = None
    """A name, in any case, to put in the middle; in place of ``offset``."""
    viewer: int | None = None
    """User id of who looks; sees the own name even if it is hidden."""


@dataclass(frozen=True)
class Row:
    """A line of the board."""

    rank: int
    name: str
    samples: int
    compute_seconds: float
    hidden: bool


@dataclass(frozen=True)
class BoardPage:
    """A part of the board."""

    rows: tuple[Row, ...]
    """The rows are empty where no user that the viewer may know is called ``around``."""
    total: int
    """Number of volunteers on the whole board."""
    own: Row | None
    """Row of the viewer; None if the viewer has none."""
    offset: int
    """Number of volunteers above the first row."""


@dataclass(frozen=True)
class Totals:
    """All contributions together."""

    volunteers: int
    samples: int
    compute_seconds: float


def leaderboard(session: Session, now: datetime, view: View = View()) -> BoardPage:
    """Return the part of the board that ``view`` selects, as the board is ``now``."""
    if view.since is BoardPeriod.ALL:
        return _all_time(session, view)
    return _recent(session, now.astimezone(UTC).date(), view)


def _all_time(session: Session, view: View) -> BoardPage:
    """Return a part of the board of all time; each of its statements reads the totals once at most."""
    offset = view.offset
    if view.around is not None:
        middle = _called(session, view)
        if middle is None:
            return BoardPage((), _place(session, view.by).volunteers, _own_of_all_time(session, view), 0)
        offset = max(_place(session, view.by, middle).position - 1 - view.limit // 2, 0)
    ordered = (_value(view.by).desc(), Total.user_id)
    chosen = select(Total.user_id).where(is_ranked()).order_by(*ordered).limit(view.limit).offset(offset)
    users = _users(view.by).where(Total.user_id.in_(select(chosen.subquery().c.user_id)))
    part = session.execute(users.order_by(*ordered)).all()
    first = _place(session, view.by, part[0] if part else None)
    rows = _shown(part, _ranks(part, first.rank, offset), view.viewer)
    return BoardPage(rows, first.volunteers, _own_of_all_time(session, view), offset)


def _users(by: Measure) -> Select[int, str, bool, int, float, int | float]:
    columns = (User.id, User.name, User.hidden, Total.samples, Total.compute_seconds)
    found = select(*columns, _value(by).label("value")).join(Total, Total.user_id == User.id)
    return found.where(User.banned.is_(None))


def _called(session: Session, view: View) -> _Found | None:
    """Return the first user called ``around`` whom the viewer may know."""
    assert view.around is not None
    known = or_(~User.hidden, User.id == view.viewer)
    found = _users(view.by).where(func.lower(User.name) == view.around.lower(), known)
    return session.execute(found.order_by(_value(view.by).desc(), User.id).limit(1)).first()


def is_ranked() -> ColumnElement[bool]:
    """Return the condition that the user of a total is not banned, without a look at all users: few are banned."""
    return Total.user_id.not_in(select(User.id).where(User.banned.is_not(None)))


def _value(by: Measure) -> ColumnElement[int] | ColumnElement[float]:
    return Total.samples.expression if by is Measure.SAMPLES else Total.compute_seconds.expression


@dataclass(frozen=True)
class _Place:
    """The place of a row on the board of all time, and the number of rows."""

    volunteers: int
    rank: int
    position: int
    """Number from 1 that no other row has."""


def _place(session: Session, by: Measure, row: _Found | None = None) -> _Place:
    """Return the place of a row; without one, the place below all others."""
    value = _value(by)
    everybody = func.count()
    if row is None:
        above, ties = everybody, literal(0)
    else:
        above = everybody.filter(value > row.value)
        ties = everybody.filter(and_(value == row.value, Total.user_id < row.id))
    counts = select(everybody, above, ties).select_from(Total).where(is_ranked())
    volunteers, greater, before = session.execute(counts).one()
    return _Place(volunteers, 1 + greater, 1 + greater + before)


def _ranks(part: Sequence[_Found], rank: int, offset: int) -> Iterator[int]:
    """Yield the ranks of rows that follow each other on the board.

    Args:
        part: the rows.
        rank: that of the first row.
        offset: number of rows above it.
    """
    before = None
    for position, row in enumerate(part, offset + 1):
        if before is not None and row.value != before:
            rank = position
        before = row.value
        yield rank


def _own_of_all_time(session: Session, view: View) -> Row | None:
    if view.viewer is None:
        return None
    own = session.execute(_users(view.by).where(User.id == view.viewer)).all()
    ranks = [_place(session, view.by, row).rank for row in own]
    return next(iter(_shown(own, ranks, view.viewer)), None)


def _recent(session: Session, today: date, view: View) -> BoardPage:
    """Return a part of the board of the last days, whose sums are made for it."""
    board = _ranked(view.by, today).subquery()
    offset = view.offset if view.around is None else _centred(session, board, view)
    rows: tuple[Row, ...] = ()
    total = None
    if offset is not None:
        part = _with_names(board).where(board.c.position.between(offset + 1, offset + view.limit))
        found = session.execute(part.order_by(board.c.position)).all()
        rows = _shown(found, [row.rank for row in found], view.viewer)
        total = found[0].total if found else None
    if total is None:
        total = session.scalar(select(func.count()).select_from(_sums(today).subquery())) or 0
    return BoardPage(rows, total, _own_of_recent(session, board, view.viewer), offset or 0)


def _own_of_recent(session: Session, board: Subquery, viewer: int | None) -> Row | None:
    if viewer is None:
        return None
    own = session.execute(_with_names(board).where(board.c.user_id == viewer)).all()
    return next(iter(_shown(own, [row.rank for row in own], viewer)), None)


def _sums(today: date) -> Select[int, int, float]:
    """Select users who are not banned, and the sums of their last days; only the days are read for it."""
    recent = Day.day > today - timedelta(days=RECENT_DAYS)
    is_banned = Day.user_id.in_(select(User.id).where(User.banned.is_not(None)))
    sums = func.sum(Day.samples).label("samples"), func.sum(Day.compute_seconds).label("compute_seconds")
    return select(Day.user_id, *sums).where(recent, ~is_banned).group_by(Day.user_id)


def _ranked(by: Measure, today: date) -> Select[*tuple[Any, ...]]:
    """Select the sums of recent users with rank, position and the number of them all; positions are unique."""
    sums = _sums(today).subquery()
    value = (sums.c.samples if by is Measure.SAMPLES else sums.c.compute_seconds).desc()
    return select(
        *sums.c,
        func.rank().over(order_by=value).label("rank"),
        func.row_number().over(order_by=(value, sums.c.user_id)).label("position"),
        func.count().over().label("total"),
    )


def _with_names(board: Subquery) -> Select[*tuple[Any, ...]]:
    return select(User.id, User.name, User.hidden, *board.c).join(User, User.id == board.c.user_id)


def totals(session: Session) -> Totals:
    """Return the sums over all volunteers, banned and hidden ones included."""
    sums = select(func.count(), func.sum(Total.samples), func.sum(Total.compute_seconds)).select_from(Total)
    volunteers, samples, seconds = session.execute(sums).one()
    return Totals(volunteers, int(samples or 0), float(seconds or 0))


def _centred(session: Session, board: Subquery, view: View) -> int | None:
    """Return the offset that puts ``around`` in the middle; None if no user that the viewer may know has the name."""
    assert view.around is not None
    known = or_(~User.hidden, User.id == view.viewer)
    named = _with_names(board).where(func.lower(User.name) == view.around.lower(), known)
    found = session.execute(named.order_by(board.c.position).limit(1)).first()
    return None if found is None else max(found.position - 1 - view.limit // 2, 0)


def _shown(found: Sequence[_Found], ranks: Iterable[int], viewer: int | None) -> tuple[Row, ...]:
    """Return lines of the board, whose hidden names only their own user sees."""
    return tuple(
        Row(
            rank=rank,
            name=HIDDEN if row.hidden and row.id != viewer else row.name,
            samples=int(row.samples),
            compute_seconds=row.compute_seconds,
            hidden=row.hidden,
        )
        for row, rank in zip(found, ranks, strict=True)
    )
