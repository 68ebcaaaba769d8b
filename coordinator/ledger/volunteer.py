"""The content of a volunteer's page: sums, ranks, days, streaks, badges."""

from dataclasses import dataclass
from datetime import UTC, date, datetime

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from coordinator.database.tables import DailyRank, Day, Total, User
from coordinator.ledger.badges import Achievements, Badge, Streaks, badges, streaks
from coordinator.ledger.board import Measure, rank_of, ranked_users


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
    place = select(func.count()).where(Total.first < total.first)
    done = Achievements(
        samples=total.samples,
        compute_seconds=total.compute_seconds,
        epochs=total.epochs,
        longest_streak=in_a_row.longest,
        place=1 + (session.scalar(place) or 0),
    )
    return Volunteer(
        name=user.name,
        hidden=user.hidden,
        samples=total.samples,
        compute_seconds=total.compute_seconds,
        epochs=total.epochs,
        rank=rank_of(session, Measure.SAMPLES, total.samples),
        rank_by_time=rank_of(session, Measure.TIME, total.compute_seconds),
        volunteers=session.scalar(ranked_users()) or 0,
        days=days,
        ranks=_ranks(session, user.id),
        streaks=in_a_row,
        badges=badges(done),
    )


def tallies(session: Session, user: int) -> tuple[DayTally, ...]:
    """Return a user's days in rising order."""
    days = session.scalars(select(Day).where(Day.user_id == user).order_by(Day.day))
    return tuple(DayTally(day.day, day.samples, day.compute_seconds, day.epochs) for day in days)


def _ranks(session: Session, user: int) -> tuple[DayRank, ...]:
    found = select(DailyRank.day, DailyRank.rank).where(DailyRank.user_id == user).order_by(DailyRank.day)
    return tuple(DayRank(day, rank) for day, rank in session.execute(found))
