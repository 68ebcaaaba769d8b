"""The content of a volunteer's page: sums, ranks, days, streaks, badges."""

from dataclasses import dataclass
from datetime import UTC, date, datetime

from sqlalchemy import Row, func, or_, select
from sqlalchemy.orm import Session

from coordinator.database.tables import DailyRank, Day, Total, User
from coordinator.database.team_tables import Team
from coordinator.ledger.badges import Achievements, Badge, Streaks, badges, streaks
from coordinator.ledger.board import is_ranked
from coordinator.ledger.checked_work import CheckedWork, checked_work
from coordinator.teams.teams import team_of


@dataclass(frozen=True)
class DayTally:
    """The contribution of one day in UTC."""

    day: date
    samples: int
    compute_seconds: float
    epochs: int


@dataclass(frozen=True)
class DayRank:
    """The rank by samples at the end of a day."""

    day: date
    rank: int


@dataclass(frozen=True)
class Volunteer:
    """A user with an entry in the ledger."""

    name: str
    hidden: bool
    samples: int
    compute_seconds: float
    epochs: int
    rank: int
    """Rank by samples."""
    rank_by_time: int
    volunteers: int
    """Number of ranked volunteers."""
    days: tuple[DayTally, ...]
    """Days with contributions, in rising order."""
    ranks: tuple[DayRank, ...]
    """Ranks at the ends of past days, in rising order."""
    streaks: Streaks
    badges: tuple[Badge, ...]
    checked: CheckedWork
    """Audits of the work, and what they withhold."""
    team: Team | None
    """The team that the samples count for now."""


def volunteer(session: Session, name: str, now: datetime, viewer: int | None = None) -> Volunteer | None:
    """Find a volunteer by name, in any case; None for an unknown, banned or hidden one, or one without credit."""
    found = session.execute(
        select(User, Total)
        .join(Total, Total.user_id == User.id)
        .where(func.lower(User.name) == name.lower(), User.banned.is_(None))
        .where(or_(~User.hidden, User.id == viewer))
        .order_by(User.name != name)
    ).first()
    return _page(session, *found, now.astimezone(UTC).date()) if found else None


def _page(session: Session, user: User, total: Total, today: date) -> Volunteer:
    days = tallies(session, user.id)
    in_a_row = streaks([tally.day for tally in days], today)
    places = _places(session, total)
    done = Achievements(
        samples=total.samples,
        compute_seconds=total.compute_seconds,
        epochs=total.epochs,
        longest_streak=in_a_row.longest,
        place=1 + places.earlier,
    )
    return Volunteer(
        name=user.name,
        hidden=user.hidden,
        samples=total.samples,
        compute_seconds=total.compute_seconds,
        epochs=total.epochs,
        rank=1 + places.more_samples,
        rank_by_time=1 + places.more_time,
        volunteers=places.volunteers,
        days=days,
        ranks=_ranks(session, user.id),
        streaks=in_a_row,
        badges=badges(done),
        checked=checked_work(session, user.id),
        team=team_of(session, user.id),
    )


def _places(session: Session, total: Total) -> Row[int, int, int, int]:
    """Count the ranked volunteers, those of them above this one by samples and by time, and all who came earlier."""
    everybody, is_one = func.count(), is_ranked()
    counts = select(
        everybody.filter(is_one).label("volunteers"),
        everybody.filter(is_one, Total.samples > total.samples).label("more_samples"),
        everybody.filter(is_one, Total.compute_seconds > total.compute_seconds).label("more_time"),
        everybody.filter(Total.first < total.first).label("earlier"),
    )
    return session.execute(counts.select_from(Total)).one()


def tallies(session: Session, user: int) -> tuple[DayTally, ...]:
    """Return a user's days in rising order."""
    days = session.scalars(select(Day).where(Day.user_id == user).order_by(Day.day))
    return tuple(DayTally(day.day, day.samples, day.compute_seconds, day.epochs) for day in days)


def _ranks(session: Session, user: int) -> tuple[DayRank, ...]:
    found = select(DailyRank.day, DailyRank.rank).where(DailyRank.user_id == user).order_by(DailyRank.day)
    return tuple(DayRank(day, rank) for day, rank in session.execute(found))
