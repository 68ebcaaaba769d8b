"""Ranks at the end of each day, written once the day is over, so that pages need not add up all days."""

from datetime import date
from functools import partial

from sqlalchemy import Select, func, literal, select

from coordinator.database.bulk import insert_those_new
from coordinator.database.connect import Database
from coordinator.database.tables import DailyRank, Day, Total


def complete(database: Database, today: date) -> None:
    """Write the ranks by samples of every day before ``today`` that has none yet.

    Adding up only reads, and each day is written in its own transaction: a volunteer who joins meanwhile waits
    only briefly.
    """
    while (day := _next(database, today)) is not None:
        with database.reading() as session:
            ranks = [row._asdict() for row in session.execute(_ranks_at_end_of(day))]
        database.retrying(partial(insert_those_new, table=DailyRank, rows=ranks))


def _next(database: Database, today: date) -> date | None:
    """Return the first day that is over and has no ranks yet; None if there is none."""
    first = select(func.min(Day.day)).where(Day.day < today)
    with database.reading() as session:
        written = session.scalar(select(func.max(DailyRank.day)))
        return session.scalar(first if written is None else first.where(Day.day > written))


def _ranks_at_end_of(day: date) -> Select[int, date, int]:
    """Select the ranks of all who had samples then: their totals without what came later, which is a day or less."""
    after = select(Day.user_id, func.sum(Day.samples).label("samples")).where(Day.day > day)
    later = after.group_by(Day.user_id).subquery()
    samples = Total.samples - func.coalesce(later.c.samples, 0)
    ranks = func.rank().over(order_by=samples.desc()).label("rank")
    found = select(Total.user_id, literal(day).label("day"), ranks)
    return found.outerjoin(later, later.c.user_id == Total.user_id).where(samples > 0)
