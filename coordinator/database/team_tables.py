"""The tables of teams: which there are, and from when to when a volunteer's samples count for one.

A team's samples are made of its members' totals and days, so an epoch that is recorded writes nothing here.
"""

from datetime import date, datetime

from sqlalchemy import Date, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from coordinator.database.columns import Base, CountColumn, Moment, NumberColumn, Time

LONGEST_NAME = 40
"""Characters of the longest name of a team."""
LONGEST_KEY = 160
"""Characters of the longest key of a name: a letter becomes three at most."""


class Team(Base):
    """A team of volunteers; its row stays when it is closed, so that no other team takes its name."""

    __tablename__ = "teams"

    id: Mapped[NumberColumn]
    name: Mapped[str] = mapped_column(String(LONGEST_NAME))
    name_key: Mapped[str] = mapped_column(String(LONGEST_KEY), unique=True)
    """Key that names which look alike share (`coordinator.teams.names.key_of`)."""
    founder_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    """The member who may rename, close or hand over the team."""
    founded_by: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    created: Mapped[Time]
    renamed: Mapped[datetime | None] = mapped_column(Moment())
    """Time of the latest change of the name."""
    closed: Mapped[datetime | None] = mapped_column(Moment())


class TeamMembership(Base):
    """A time in which a volunteer's samples count for a team; a user has one at most that has not ended."""

    __tablename__ = "team_memberships"
    __table_args__ = (
        Index(
            "uq_team_memberships_open",
            "user_id",
            unique=True,
            sqlite_where=text("ended IS NULL"),
            postgresql_where=text("ended IS NULL"),
        ),
    )

    id: Mapped[NumberColumn]
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"), index=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    begun: Mapped[Time]
    first_day: Mapped[date] = mapped_column(Date())
    """Day of the beginning in UTC."""
    before: Mapped[CountColumn]
    """Samples of the user's total that do not count for the team."""
    before_on_first_day: Mapped[CountColumn]
    """Samples of the first day that were credited before the beginning."""
    ended: Mapped[datetime | None] = mapped_column(Moment())
    last_day: Mapped[date | None] = mapped_column(Date())
    """Day of the end in UTC."""
    until_end: Mapped[CountColumn]
    """Samples of the last day that were credited before the end; 0 until then."""
    samples: Mapped[CountColumn]
    """Samples that counted for the team by the end; 0 until then."""
