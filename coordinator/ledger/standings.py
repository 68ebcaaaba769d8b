"""Who stood where at the end of each day: written once a day is over, so that pages need not add up all days."""

from datetime import date

from sqlalchemy import Select, func, insert, literal, select
from sqlalchemy.orm import Session

from coordinator.database.tables import Day, Standing


def complete(session: Session, today: date) -> None:
    """Write the ranks by samples of every day before ``today`` that has none yet."""
    written = session.scalar(select(func.max(Standing.day)))
    over = select(Day.day).where(Day.day < today).distinct().order_by(Day.day)
    if written is not None:
        over = over.where(Day.day > written)
    for day in session.scalars(over).all():
        session.execute(insert(Standing).from_select(["user_id", "day", "rank"], _ranks_at_end_of(day)))


def _ranks_at_end_of(day: date) -> Select[int, date, int]:
    total = func.sum(Day.samples)
    ranks = func.rank().over(order_by=total.desc())
    return select(Day.user_id, literal(day), ranks).where(Day.day <= day).group_by(Day.user_id)
