"""Answers of the daemon, one for each request; a front end that watches gets a `Status` after each change."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from client.api.board import Board, TeamBoard
from client.api.choices import PreferenceView
from client.api.environment import SetupPlanView
from client.api.history import ContributionHistory, EpochPoint, RankPoint
from client.api.protocol import RequestNumber
from client.api.remote.computers import ComputerView
from client.api.runs import DirectoryView
from client.api.snapshot import Snapshot
from core.messages.lines import Message


class Done(Message):
    """The request was carried out."""

    type: Literal["done"] = "done"
    id: RequestNumber
    text: str = ""
    """Result as a sentence for the user."""
    about: str = ""
    """Id, link or folder that the request asked for, where there is one."""
    board: Board | None = None
    """The requested board; None for other requests, as for all fields below."""
    teams: TeamBoard | None = None
    contribution: ContributionHistory | None = None
    epochs: tuple[EpochPoint, ...] | None = None
    ranks: tuple[RankPoint, ...] | None = None
    preferences: tuple[PreferenceView, ...] | None = None
    setup_plan: SetupPlanView | None = None
    directory: DirectoryView | None = None
    computers: tuple[ComputerView, ...] | None = None


class Refused(Message):
    """The request was refused for a reason; ``id`` is 0 if the request could not be read."""

    type: Literal["refused"] = "refused"
    id: RequestNumber
    code: str
    what: str
    remedy: str


class Status(Message):
    """Snapshot that was requested or is watched."""

    type: Literal["snapshot"] = "snapshot"
    id: RequestNumber
    snapshot: Snapshot


DaemonAnswer = Done | Refused | Status
ANSWERS: TypeAdapter[DaemonAnswer] = TypeAdapter(Annotated[DaemonAnswer, Field(discriminator="type")])
MAX_ANSWER = 1 << 20
"""Bytes of the longest line with an answer (a curve of thousands of points).

Requests are limited by `core.messages.lines.MAX_LINE`.
"""
