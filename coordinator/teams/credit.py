"""The samples that count for teams: of a member's totals and days, what lies between joining and leaving."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select, update
from sqlalchemy.orm import Session

from coordinator.database.tables import Day, Total, User
from coordinator.database.team_tables import TeamMembership


def _credited(session: Session, user: int, day: date) -> tuple[int, int]:
    """Return the samples of a user's total and of that day, both of one moment: in one statement."""
    found = (
        select(func.coalesce(Total.samples, 0), func.coalesce(Day.samples, 0))
        .select_from(User)
        .outerjoin(Total, Total.user_id == User.id)
        .outerjoin(Day, and_(Day.user_id == User.id, Day.day == day))
        .where(User.id == user)
    )
    total, today = session.execute(found).one()
    return int(total), int(today)


def begin(session: Session, team: int, user: int, now: datetime) -> None:
    """Count the user's samples for a team from now on."""
    day = now.astimezone(UTC).date()
    before, today = _credited(session, user, day)
    session.add(
        TeamMembership(
            team_id=team,
            user_id=user,
            begun=now,
            first_day=day,
            before=before,
            before_on_first_day=today,
            until_end=0,
            samples=0,
        )
    )


def end(session: Session, of: ColumnElement[bool], now: datetime) -> None:
    """End the open memberships that a condition selects: what was credited until now stays with the team."""
    day = now.astimezone(UTC).date()
    total = select(Total.samples).where(Total.user_id == TeamMembership.user_id).scalar_subquery()
    today = select(Day.samples).where(Day.user_id == TeamMembership.user_id, Day.day == day)
    since = func.coalesce(total, 0) - TeamMembership.before
    ending = {
        "ended": now,
        "last_day": day,
        "until_end": func.coalesce(today.scalar_subquery(), 0),
        "samples": case((since > 0, since), else_=0),
    }
    session.flush()
    session.execute(
        update(TeamMembership).where(of, TeamMembership.ended.is_(None)).values(ending),
        execution_options={"synchronize_session": False},
    )


def recount(session: Session, user: int) -> None:
    """Make a user's memberships follow their days, which an audit or receipts have changed.

    On the days of joining and leaving, samples that are given back after they were withheld at that moment count as
    earned on the earlier side of leaving, and on the later side of joining.
    """
    session.flush()
    # Nobody begins a membership of the user meanwhile, or ends one.
    session.get(User, user, with_for_update={"key_share": True})
    locked = select(TeamMembership).where(TeamMembership.user_id == user).order_by(TeamMembership.id)
    memberships = session.scalars(
        locked.with_for_update(), execution_options={"populate_existing": True}
    ).all()
    _lower_beginnings(session, user, memberships)
    session.flush()
    counted = (
        select(TeamMembership.id, func.sum(samples_of_day()))
        .join(Day, is_within())
        .where(TeamMembership.user_id == user)
        .group_by(TeamMembership.id)
    )
    sums = {number: int(samples) for number, samples in session.execute(counted)}
    total = session.scalar(select(Total.samples).where(Total.user_id == user)) or 0
    for membership in memberships:
        samples = sums.get(membership.id, 0)
        if membership.ended is None:
            membership.before = total - samples
        else:
            membership.samples = samples


def _lower_beginnings(session: Session, user: int, memberships: Sequence[TeamMembership]) -> None:
    """Count what is earned on a day of joining, although samples of that day were withheld.

    What counts for the team that was left on the same day still does not count twice.
    """
    days = {membership.first_day for membership in memberships}
    found = session.execute(select(Day.day, Day.samples).where(Day.user_id == user, Day.day.in_(days)))
    present = {row.day: row.samples for row in found}
    taken: dict[date | None, int] = {}
    for membership in memberships:
        day = membership.first_day
        lowest = max(present.get(day, 0), taken.get(day, 0))
        membership.before_on_first_day = min(membership.before_on_first_day, lowest)
        last = membership.last_day
        taken[last] = max(taken.get(last, 0), membership.until_end)


def samples_so_far() -> ColumnElement[int]:
    """Return the samples that count by a membership, beside the user's total in an outer join."""
    since = func.coalesce(Total.samples, 0) - TeamMembership.before
    return case((TeamMembership.ended.is_not(None), TeamMembership.samples), (since > 0, since), else_=0)


def samples_of_day() -> ColumnElement[int]:
    """Return the samples of a day that count by a membership, beside the user's days as `is_within` joins them."""
    is_cut = and_(Day.day == TeamMembership.last_day, TeamMembership.until_end < Day.samples)
    until = case((is_cut, TeamMembership.until_end), else_=Day.samples)
    since = case((Day.day == TeamMembership.first_day, TeamMembership.before_on_first_day), else_=0)
    return case((until > since, until - since), else_=0)


def is_within() -> ColumnElement[bool]:
    """Return the condition that a day is the member's, and one of the membership."""
    is_open = TeamMembership.ended.is_(None)
    return and_(
        Day.user_id == TeamMembership.user_id,
        Day.day >= TeamMembership.first_day,
        or_(is_open, Day.day <= TeamMembership.last_day),
    )


def of_users_not_banned(sums: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """Return a selection of memberships without those of users who are banned."""
    return sums.where(TeamMembership.user_id.not_in(select(User.id).where(User.banned.is_not(None))))
