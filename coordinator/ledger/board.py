"""The leaderboard: who contributed how much, with ranks that ties share, of all time or of the last days.

All functions take a session, best of `Database.reading()`, so that what one page shows is of one moment. Users who
are banned are not on the board; users who hide their names keep their rank.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from sqlalchemy import ColumnElement, Select, Subquery, func, or_, select
from sqlalchemy.orm import Session

from coordinator.database.tables import Day, Epoch, Total, User

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
    today = now.astimezone(UTC).date()
    board = _ranked(view.by, view.since, today).subquery()
    total = session.scalar(ranked_users() if view.since is BoardPeriod.ALL else _active_users(today)) or 0
    offset = view.offset if view.around is None else _centred(session, board, view)
    rows: tuple[Row, ...] = ()
    if offset is not None:
        part = select(board).where(board.c.position.between(offset + 1, offset + view.limit))
        rows = _rows(session, part.order_by(board.c.position), view.viewer)
    own: tuple[Row, ...] = ()
    if view.viewer is not None:
        own = _rows(session, select(board).where(board.c.id == view.viewer), view.viewer)
    return BoardPage(rows, total, own[0] if own else None, offset or 0)


def ranked_users() -> Select[int]:
    """Select the number of volunteers on the board of all time."""
    return select(func.count()).select_from(Total).join(User).where(User.banned.is_(None))


def _active_users(today: date) -> Select[int]:
    """Select the number of volunteers on the board of the last days."""
    active = select(Day.user_id).join(User).where(User.banned.is_(None), _is_recent(today))
    return select(func.count()).select_from(active.distinct().subquery())


def _is_recent(today: date) -> ColumnElement[bool]:
    return Day.day > today - timedelta(days=RECENT_DAYS)


def _ranked(by: Measure, since: BoardPeriod, today: date) -> Select[int, str, bool, int, float, int, int]:
    """Select id, name, hidden, samples, compute_seconds, rank and position of all users; positions are unique."""
    table = Total if since is BoardPeriod.ALL else Day
    samples, seconds = func.sum(table.samples), func.sum(table.compute_seconds)
    value = (samples if by is Measure.SAMPLES else seconds).desc()
    rank = func.rank().over(order_by=value)
    position = func.row_number().over(order_by=(value, User.id))
    columns = (
        User.id,
        User.name,
        User.hidden,
        samples.label("samples"),
        seconds.label("compute_seconds"),
        rank.label("rank"),
        position.label("position"),
    )
    found = select(*columns).join(table, table.user_id == User.id).where(User.banned.is_(None))
    if table is Day:
        found = found.where(_is_recent(today))
    return found.group_by(User.id)


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
    return tuple(
        Row(
            rank=found.rank,
            name=HIDDEN if found.hidden and found.id != viewer else found.name,
            samples=int(found.samples),
            compute_seconds=found.compute_seconds,
            hidden=found.hidden,
        )
        for found in session.execute(part)
    )
