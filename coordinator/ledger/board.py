"""The leaderboard: who contributed how much, with ranks that ties share, of all time or of the last days.

All functions take a session, best of `Database.reading()`, so that what one page shows is of one moment. Users who
are banned are not on the board; users who hide their names keep their rank.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select, Subquery, and_, func, or_, select
from sqlalchemy import Row as SelectedRow
from sqlalchemy.orm import Session

from coordinator.database.tables import Day, Epoch, Total, User

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
    epochs: int
    """Number of recorded epochs, those that a rollback removed included."""
    traffic: int
    """Bytes, as far as known."""


def leaderboard(session: Session, now: datetime, view: View = View()) -> BoardPage:
    """Return the part of the board that ``view`` selects, as the board is ``now``."""
    if view.since is BoardPeriod.ALL:
        return _all_time(session, view)
    return _recent(session, now.astimezone(UTC).date(), view)


def _all_time(session: Session, view: View) -> BoardPage:
    """Return a part of the board of all time, from the indices of totals: nothing adds up or sorts them all."""
    offset = view.offset
    if view.around is not None:
        middle = _called(session, view)
        if middle is None:
            return BoardPage((), _count(session), _own_of_all_time(session, view), 0)
        offset = max(_above(session, view.by, middle) - view.limit // 2, 0)
    ordered = (_value(view.by).desc(), Total.user_id)
    chosen = select(Total.user_id).where(_is_ranked()).order_by(*ordered).limit(view.limit).offset(offset)
    users = _users(view.by).where(Total.user_id.in_(select(chosen.subquery().c.user_id)))
    part = session.execute(users.order_by(*ordered)).all()
    rows = _shown(part, _ranks(session, view.by, part, offset), view.viewer)
    return BoardPage(rows, _count(session), _own_of_all_time(session, view), offset)


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


def _is_ranked() -> ColumnElement[bool]:
    """Return the condition that the user of a total is not banned, without a look at all users: few are banned."""
    return Total.user_id.not_in(select(User.id).where(User.banned.is_not(None)))


def _value(by: Measure) -> ColumnElement[int] | ColumnElement[float]:
    return Total.samples.expression if by is Measure.SAMPLES else Total.compute_seconds.expression


def rank_of(session: Session, by: Measure, value: float) -> int:
    """Return the rank of a total with that ``value`` on the board of all time."""
    return 1 + (session.scalar(ranked_users().where(_value(by) > value)) or 0)


def _above(session: Session, by: Measure, row: _Found) -> int:
    """Return the number of rows above this one."""
    equal = and_(_value(by) == row.value, Total.user_id < row.id)
    ties = session.scalar(ranked_users().where(equal)) or 0
    return rank_of(session, by, row.value) - 1 + ties


def _ranks(session: Session, by: Measure, part: Sequence[_Found], offset: int) -> Iterator[int]:
    """Yield the ranks of rows that follow each other on the board, the first below ``offset`` others."""
    rank, before = 0, None
    for position, row in enumerate(part, offset + 1):
        if before is None:
            rank = rank_of(session, by, row.value)
        elif row.value != before:
            rank = position
        before = row.value
        yield rank


def _own_of_all_time(session: Session, view: View) -> Row | None:
    if view.viewer is None:
        return None
    own = session.execute(_users(view.by).where(User.id == view.viewer)).all()
    ranks = [rank_of(session, view.by, row.value) for row in own]
    return next(iter(_shown(own, ranks, view.viewer)), None)


def _recent(session: Session, today: date, view: View) -> BoardPage:
    """Return a part of the board of the last days, whose sums are made for it."""
    board = _ranked(view.by, today).subquery()
    total = session.scalar(_active_users(today)) or 0
    offset = view.offset if view.around is None else _centred(session, board, view)
    rows: tuple[Row, ...] = ()
    if offset is not None:
        part = select(board).where(board.c.position.between(offset + 1, offset + view.limit))
        rows = _rows(session, part.order_by(board.c.position), view.viewer)
    own: tuple[Row, ...] = ()
    if view.viewer is not None:
        own = _rows(session, select(board).where(board.c.id == view.viewer), view.viewer)
    return BoardPage(rows, total, own[0] if own else None, offset or 0)


def _count(session: Session) -> int:
    return session.scalar(ranked_users()) or 0


def ranked_users() -> Select[int]:
    """Select the number of volunteers on the board of all time."""
    return select(func.count()).select_from(Total).where(_is_ranked())


def _active_users(today: date) -> Select[int]:
    """Select the number of volunteers on the board of the last days."""
    active = select(Day.user_id).join(User).where(User.banned.is_(None), _is_recent(today))
    return select(func.count()).select_from(active.distinct().subquery())


def _is_recent(today: date) -> ColumnElement[bool]:
    return Day.day > today - timedelta(days=RECENT_DAYS)


def _ranked(by: Measure, today: date) -> Select[int, str, bool, int, float, int, int]:
    """Select id, name, hidden, samples, compute_seconds, rank and position of recent users; positions are unique."""
    samples, seconds = func.sum(Day.samples), func.sum(Day.compute_seconds)
    value = (samples if by is Measure.SAMPLES else seconds).desc()
    columns = (
        User.id,
        User.name,
        User.hidden,
        samples.label("samples"),
        seconds.label("compute_seconds"),
        func.rank().over(order_by=value).label("rank"),
        func.row_number().over(order_by=(value, User.id)).label("position"),
    )
    found = select(*columns).join(Day, Day.user_id == User.id)
    return found.where(User.banned.is_(None), _is_recent(today)).group_by(User.id)


def totals(session: Session) -> Totals:
    """Return the sums over all volunteers, banned and hidden ones included."""
    sums = select(func.count(), func.sum(Total.samples), func.sum(Total.compute_seconds)).select_from(Total)
    volunteers, samples, seconds = session.execute(sums).one()
    epochs, traffic = session.execute(select(func.count(Epoch.epoch), func.sum(Epoch.traffic))).one()
    return Totals(volunteers, int(samples or 0), float(seconds or 0), epochs, int(traffic or 0))


def _centred(session: Session, board: Subquery, view: View) -> int | None:
    """Return the offset that puts ``around`` in the middle; None if no user that the viewer may know has the name."""
    assert view.around is not None
    known = or_(~board.c.hidden, board.c.id == view.viewer)
    called = func.lower(board.c.name) == view.around.lower()
    position = session.scalar(select(board.c.position).where(called, known).order_by(board.c.position))
    return None if position is None else max(position - 1 - view.limit // 2, 0)


def _rows(session: Session, part: Select[*tuple[object, ...]], viewer: int | None) -> tuple[Row, ...]:
    found = session.execute(part).all()
    return _shown(found, [row.rank for row in found], viewer)


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
