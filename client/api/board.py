"""The leaderboards of a run, of volunteers and of teams, as front ends ask for them and draw them.

Data from a coordinator must keep to these bounds.
"""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from core.messages.lines import Message

_Name = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f-\x9f]{1,128}$")]
"""Name of a volunteer, or a substitute for a hidden one."""
_Count = Annotated[int, Field(ge=0, lt=2**53)]


class BoardQuery(Message):
    """The part of a run's leaderboard that a front end requests, and its order."""

    by: Literal["samples", "time"] = "samples"
    """Measure of the ranking: samples, or time spent computing."""
    since: Literal["all", "week"] = "all"
    """Period that counts: all of it, or the last seven days in UTC, today included."""
    around: _Name | None = None
    """A volunteer to whose neighbours the rows are to belong; None: the first rows."""
    limit: Annotated[int, Field(ge=1, le=100)] = 20
    """Largest number of rows in the answer."""
    offset: Annotated[int, Field(ge=0, lt=2**31)] = 0
    """Number of rows to skip; `around` overrides it."""


class TeamQuery(Message):
    """The part of a run's leaderboard of teams that a front end requests, and its order."""

    since: Literal["all", "week"] = "all"
    """Samples that rank teams: all, or those of the last seven days in UTC, today included."""
    around: _Name | None = None
    """A team to whose neighbours the rows are to belong; None: the first rows."""
    limit: Annotated[int, Field(ge=1, le=100)] = 20
    """Largest number of rows in the answer."""
    offset: Annotated[int, Field(ge=0, lt=2**31)] = 0
    """Number of rows to skip; `around` overrides it."""


class _BoardAnswer(Message):
    # A client ignores fields that a newer coordinator adds, and still reads the rest.
    model_config = ConfigDict(extra="ignore")


class BoardRow(_BoardAnswer):
    """Place and contribution of one volunteer on a leaderboard."""

    rank: _Count
    """Place on the leaderboard, 1 for the largest contribution; equal contributions share it."""
    name: _Name
    samples: _Count
    compute_seconds: Annotated[float, Field(ge=0, lt=1e15)]
    hidden: bool = False
    """True if others see a substitute instead of the name."""


class UncreditedWork(_BoardAnswer):
    """Work of the volunteer that the coordinator does not credit, as it found some of it false."""

    samples: _Count
    """Samples that were committed and are not credited."""
    why: Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f-\x9f]{0,1000}$")] | None = None
    """Reason why work is not credited now, in the coordinator's sentences; None if it is."""


class Board(_BoardAnswer):
    """Consecutive rows of a run's leaderboard, and the row of the volunteer who asks."""

    rows: Annotated[tuple[BoardRow, ...], Field(max_length=200)]
    total: _Count
    """Number of volunteers on the board."""
    own: BoardRow | None = None
    """Row of the volunteer who asks; None: no row is known to be theirs."""
    offset: _Count = 0
    """Number of rows above the first of these."""
    withheld: UncreditedWork | None = None
    """Work of the volunteer who asks that is not credited; None if all is."""


class TeamBoardRow(_BoardAnswer):
    """Place and samples of one team on a leaderboard."""

    rank: _Count
    """Place on the leaderboard, 1 for the most samples; teams with as many share it."""
    number: _Count
    """The team's own number, which stays when its name changes."""
    name: _Name
    samples: _Count
    """Samples of all members, while they were members."""
    week: _Count = 0
    """Samples of the last seven days."""
    members: _Count = 0
    """Number of members now."""


class TeamBoard(_BoardAnswer):
    """Consecutive rows of a run's leaderboard of teams, and the team of the volunteer who asks."""

    rows: Annotated[tuple[TeamBoardRow, ...], Field(max_length=200)]
    total: _Count
    """Number of teams on the board."""
    own: TeamBoardRow | None = None
    """Row of the volunteer's team; None: there is none, or it is not known."""
    leads: bool = False
    """True if the volunteer leads that team."""
    offset: _Count = 0
    """Number of rows above the first of these."""

    @property
    def is_last_member(self) -> bool:
        """True if the team is closed once the volunteer leaves it, as it has no other member."""
        return self.leads and self.own is not None and self.own.members <= 1
