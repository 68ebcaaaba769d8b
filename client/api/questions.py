"""What a front end asks the daemon; nothing changes by it."""

from typing import Annotated, Literal

from pydantic import Field

from client.api.board import BoardQuery
from client.api.history import Period
from client.api.protocol import Request


class GetStatus(Request):
    """One snapshot."""

    type: Literal["status"] = "status"


class Watch(Request):
    """A snapshot now, and another after each change, for as long as the connection lasts."""

    type: Literal["watch"] = "watch"


class ShowBoard(Request):
    """The leaderboard of the joined run."""

    type: Literal["show_board"] = "show_board"
    query: BoardQuery = BoardQuery()


class ShowContribution(Request):
    """What this volunteer gave, by period."""

    type: Literal["show_contribution"] = "show_contribution"
    by: Period = Period.DAY
    periods: Annotated[int, Field(ge=1, le=2_000)] = 400
    """The newest so many that are to be told."""
    all_runs: bool = False
    """Of all runs, and not of the joined one alone."""


class ShowEpochs(Request):
    """The joined run's epochs, thinned out to so many points; the coordinator's where it can be asked."""

    type: Literal["show_epochs"] = "show_epochs"
    points: Annotated[int, Field(ge=2, le=2_000)] = 400


class ShowRanks(Request):
    """The volunteer's ranks in the joined run over time."""

    type: Literal["show_ranks"] = "show_ranks"


class ShowPreferences(Request):
    """Every preference, in the order in which they are shown."""

    type: Literal["show_preferences"] = "show_preferences"


AnyQuestion = GetStatus | Watch | ShowBoard | ShowContribution | ShowEpochs | ShowRanks | ShowPreferences
