"""The leaderboard: who contributed how much, with ranks that ties share, of all time or of the last days.

All functions take a session, best of `Database.reading()`, so that what one page shows is of one moment. Users who
are banned are not on the board; users who hide their names keep their rank.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select, Subquery, and_, false, func, or_, select
from sqlalchemy import Row as SelectedRow
from sqlalchemy.orm import Session

from coordinator.database.bulk import one_of
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
class WithheldCredits:
    """Work of the viewer that the coordinator does not credit."""

    samples: int
    """Samples that were committed and are not credited."""
    why: str | None
    """Reason why work is not credited now, in sentences; None if it is."""


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
    withheld: WithheldCredits | None = None
    """Work of the viewer that is not credited; None if all is."""


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
    chosen = _totals(view.by).where(is_ranked()).order_by(*ordered).limit(view.limit).offset(offset)
    part = session.execute(chosen).all()
    first = _place(session, view.by, part[0] if part else None)
    rows = _shown(session, part, _ranks(part, first.rank, offset), view.viewer)
    return BoardPage(rows, first.volunteers, _own_of_all_time(session, view), offset)


def _totals(by: Measure) -> Select[int, int, float, int | float]:
    return select(Total.user_id, Total.samples, Total.compute_seconds, _value(by).label("value"))


def _called(session: Session, view: View) -> _Found | None:
    """Return the first ranked user called ``around`` whom the viewer may know."""
    found = _totals(view.by).where(one_of(session, Total.user_id, _known_by_name(session, view)))
    return session.execute(found.order_by(_value(view.by).desc(), Total.user_id).limit(1)).first()


def _known_by_name(session: Session, view: View) -> Sequence[int]:
    """Return the users called ``around`` whom the viewer may know: more than one only if they differ in case."""
    assert view.around is not None
    known = or_(~User.hidden, User.id == view.viewer)
    called = func.lower(User.name) == view.around.lower()
    return session.scalars(select(User.id).where(called, known, User.banned.is_(None))).all()


def is_ranked() -> ColumnElement[bool]:
    """Return the condition that the user of a total is not banned, without a look at all users: few are banned."""
    return Total.user_id.not_in(select(User.id).where(User.banned.is_not(None)))


def _value(by: Measure) -> ColumnElement[int] | ColumnElement[float]:
    return Total.samples.expression if by is Measure.SAMPLES else Total.compute_seconds.expression


@dataclass(frozen=True)
class _BoardPlace:
    """The place of a row on the board of all time, and the number of rows."""

    volunteers: int
    rank: int
    position: int
    """Number from 1 that no other row has."""


def _place(session: Session, by: Measure, row: _Found | None = None) -> _BoardPlace:
    """Return the place of a row; without one, the first place."""
    value = _value(by)
    is_above: ColumnElement[bool] = false()
    is_tie: ColumnElement[bool] = false()
    if row is not None:
        is_above, is_tie = value > row.value, and_(value == row.value, Total.user_id < row.user_id)
    counted = func.count(), func.count().filter(is_above), func.count().filter(is_tie)
    counts = select(*counted).select_from(Total).where(is_ranked())
    volunteers, above, ties = session.execute(counts).one()
    return _BoardPlace(volunteers, 1 + above, 1 + above + ties)


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
    own = session.execute(_totals(view.by).where(Total.user_id == view.viewer, is_ranked())).all()
    ranks = [_place(session, view.by, row).rank for row in own]
    return next(iter(_shown(session, own, ranks, view.viewer)), None)


def _recent(session: Session, today: date, view: View) -> BoardPage:
    """Return a part of the board of the last days, whose sums are made for it."""
    board = _ranked(view.by, today).subquery()
    offset = view.offset if view.around is None else _centred(session, board, view)
    found: Sequence[_Found] = ()
    if offset is not None:
        part = select(board).where(board.c.position.between(offset + 1, offset + view.limit))
        found = session.execute(part.order_by(board.c.position)).all()
    rows = _shown(session, found, [row.rank for row in found], view.viewer)
    total = found[0].total if found else _active_users(session, today)
    return BoardPage(rows, total, _own_of_recent(session, board, view.viewer), offset or 0)


def _own_of_recent(session: Session, board: Subquery, viewer: int | None) -> Row | None:
    if viewer is None:
        return None
    own = session.execute(select(board).where(board.c.user_id == viewer)).all()
    return next(iter(_shown(session, own, [row.rank for row in own], viewer)), None)


def _active_users(session: Session, today: date) -> int:
    return session.scalar(select(func.count()).select_from(_sums(today).subquery())) or 0


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


def totals(session: Session) -> Totals:
    """Return the sums over all volunteers, banned and hidden ones included."""
    sums = select(func.count(), func.sum(Total.samples), func.sum(Total.compute_seconds)).select_from(Total)
    volunteers, samples, seconds = session.execute(sums).one()
    return Totals(volunteers, int(samples or 0), float(seconds or 0))


def _centred(session: Session, board: Subquery, view: View) -> int | None:
    """Return the offset that puts ``around`` in the middle; None if no user that the viewer may know has the name."""
    called = board.c.user_id.in_(_known_by_name(session, view))
    position = session.scalar(select(func.min(board.c.position)).where(called))
    return None if position is None else max(position - 1 - view.limit // 2, 0)


def _shown(
    session: Session, found: Sequence[_Found], ranks: Iterable[int], viewer: int | None
) -> tuple[Row, ...]:
    """Return lines of the board, whose hidden names only their own user sees.

    Names are asked for by themselves: PostgreSQL may plan a join with the board so that it makes the board again for
    each user, as long as it has not counted a new table's rows.
    """
    columns = select(User.id, User.name, User.hidden)
    named = columns.where(one_of(session, User.id, [row.user_id for row in found]))
    users = {user.id: user for user in session.execute(named)}
    return tuple(_line(row, users[row.user_id], rank, viewer) for row, rank in zip(found, ranks, strict=True))


def _line(row: _Found, user: _Found, rank: int, viewer: int | None) -> Row:
    return Row(
        rank=rank,
        name=HIDDEN if user.hidden and user.id != viewer else user.name,
        samples=int(row.samples),
        compute_seconds=row.compute_seconds,
        hidden=user.hidden,
    )
