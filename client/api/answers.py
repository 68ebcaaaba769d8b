"""What the daemon answers a front end, once for each request; whoever watches gets a `Status` after each change."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from client.api.board import Board
from client.api.choices import PreferenceView
from client.api.history import ContributionHistory, EpochPoint, RankPoint
from client.api.protocol import Number
from client.api.snapshot import Snapshot
from core.lines import Message


class Done(Message):
    """The request was carried out."""

    type: Literal["done"] = "done"
    id: Number
    says: str = ""
    """For people."""
    about: str = ""
    """The id of what was asked for, where it has one."""
    board: Board | None = None
    """Where one was asked for, as is all below."""
    contribution: ContributionHistory | None = None
    epochs: tuple[EpochPoint, ...] | None = None
    ranks: tuple[RankPoint, ...] | None = None
    preferences: tuple[PreferenceView, ...] | None = None


class Refused(Message):
    """It was not, and this is why; ``id`` is 0 where the request could not be read."""

    type: Literal["refused"] = "refused"
    id: Number
    code: str
    what: str
    remedy: str


class Status(Message):
    """A snapshot, for whoever asked for one."""

    type: Literal["snapshot"] = "snapshot"
    id: Number
    snapshot: Snapshot


Answer = Done | Refused | Status
ANSWERS: TypeAdapter[Answer] = TypeAdapter(Annotated[Answer, Field(discriminator="type")])
MAX_ANSWER = 1 << 20
"""Bytes of the longest line with an answer, a curve of thousands of points; requests have `core.lines.MAX_LINE`."""
