"""Requests by which a front end asks the daemon for something; they change nothing."""

from typing import Annotated, Literal

from pydantic import Field

from client.api.board import BoardQuery, TeamQuery
from client.api.history import Period
from client.api.protocol import Request


class GetStatus(Request):
    """Request one snapshot."""

    type: Literal["status"] = "status"


class Watch(Request):
    """Request a snapshot now, and another after each change, for as long as the connection lasts."""

    type: Literal["watch"] = "watch"


class ShowBoard(Request):
    """Request the leaderboard of the joined run."""

    type: Literal["show_board"] = "show_board"
    query: BoardQuery = BoardQuery()


class ShowTeams(Request):
    """Request the leaderboard of teams of the joined run."""

    type: Literal["show_teams"] = "show_teams"
    query: TeamQuery = TeamQuery()


class ShowContribution(Request):
    """Request this volunteer's contribution, by period."""

    type: Literal["show_contribution"] = "show_contribution"
    by: Period = Period.DAY
    periods: Annotated[int, Field(ge=1, le=2_000)] = 400
    """Largest number of periods in the answer; the newest are given."""
    all_runs: bool = False
    """True for the contribution to all runs instead of the joined one."""


class ShowEpochs(Request):
    """Request the joined run's epochs, thinned out to ``points`` of them.

    They include the coordinator's, where it can be reached.
    """

    type: Literal["show_epochs"] = "show_epochs"
    points: Annotated[int, Field(ge=2, le=2_000)] = 400
    """Largest number of epochs in the answer."""


class ShowRanks(Request):
    """Request the volunteer's ranks in the joined run over time."""

    type: Literal["show_ranks"] = "show_ranks"


class ShowPreferences(Request):
    """Request every preference, in the order in which they are shown."""

    type: Literal["show_preferences"] = "show_preferences"


AnyQuestion = (
    GetStatus | Watch | ShowBoard | ShowTeams | ShowContribution | ShowEpochs | ShowRanks | ShowPreferences
)
