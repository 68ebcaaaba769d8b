"""The errands (`client.errands`) that ask something of a run's coordinator, and what comes back."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveInt

from client.account.credentials import Secret
from client.admission.membership import Membership
from client.api.board import Board, BoardQuery
from core.lines import Message

Seconds = Annotated[float, Field(gt=0, le=86_400)]


class CoordinatorErrand(Message):
    """Base of all of them."""

    coordinator: str
    """Its web address, from a manifest whose signature was checked."""


class Enter(CoordinatorErrand):
    """Prove to the run's gate who the volunteer is, and become a member."""

    type: Literal["enter"] = "enter"
    run: str
    """Training digest."""
    gate: str
    """Public key that must have signed the access token."""
    identity: Path
    """File of the peer's key; made if it is missing."""
    hub: str
    """The only one that the volunteer is sent to, whatever the coordinator names."""
    flow: Literal["browser", "device"]
    invitation: Secret | None = None


class RenewAccess(CoordinatorErrand):
    """Ask for another access token."""

    type: Literal["renew_access"] = "renew_access"
    membership: Membership
    gate: str
    identity: Path


class EndMembership(CoordinatorErrand):
    type: Literal["end_membership"] = "end_membership"
    membership: Membership


class OpenPage(CoordinatorErrand):
    """Ask for a link, good once, that signs the volunteer's browser in to their own page."""

    type: Literal["open_page"] = "open_page"
    membership: Membership


class HideName(CoordinatorErrand):
    type: Literal["hide_name"] = "hide_name"
    membership: Membership
    hidden: bool


class KeepReceipts(CoordinatorErrand):
    """Fetch the volunteer's signed receipts, and keep those that are the gate's in a folder."""

    type: Literal["keep_receipts"] = "keep_receipts"
    membership: Membership
    gate: str
    folder: Path


class AskBoard(CoordinatorErrand):
    type: Literal["ask_board"] = "ask_board"
    membership: Membership | None = None
    """Whose own row is asked for as well."""
    query: BoardQuery


class AskHistory(CoordinatorErrand):
    """Ask for the run's epochs."""

    type: Literal["ask_history"] = "ask_history"
    points: PositiveInt
    """At most; 1,000 fit the answer."""


class KeepFrames(CoordinatorErrand):
    """Fetch the frames of the run's time-lapse that are missing, and keep them in a folder with those drawn here."""

    type: Literal["keep_frames"] = "keep_frames"
    folder: Path
    own: Path
    """The folder of the frames that this computer has drawn."""
    download: PositiveInt | None
    """Bytes per second; None: no limit."""
    may_fetch: NonNegativeInt | None
    """Bytes; None: as many as it takes."""


class FetchSuccessor(CoordinatorErrand):
    """Bring the run's newest manifest, with files that it newly names, to the run's folder."""

    type: Literal["fetch_successor"] = "fetch_successor"
    folder: Path
    fingerprint: str
    """Of the organiser's key."""


GateErrand = (
    Enter
    | RenewAccess
    | EndMembership
    | OpenPage
    | HideName
    | KeepReceipts
    | AskBoard
    | AskHistory
    | KeepFrames
    | FetchSuccessor
)


class AddressShown(Message):
    """On the way to a membership: where the volunteer's browser is to go."""

    type: Literal["address_shown"] = "address_shown"
    address: str
    seconds: float
    """For which somebody waits for it."""


class PutOff(Message):
    """On the way to a failure: how long the coordinator asks to be left alone."""

    type: Literal["put_off"] = "put_off"
    seconds: NonNegativeFloat


class Admitted(Message):
    type: Literal["admitted"] = "admitted"
    membership: Membership
    token: Secret
    seconds: Seconds
    """For which the access token is good."""


class Renewed(Message):
    type: Literal["renewed"] = "renewed"
    token: Secret
    seconds: Seconds


class PageOpened(Message):
    type: Literal["page_opened"] = "page_opened"
    address: Secret
    """Whoever opens it first is the volunteer."""


class ReceiptsKept(Message):
    type: Literal["receipts_kept"] = "receipts_kept"
    count: NonNegativeInt


class BoardFound(Message):
    type: Literal["board_found"] = "board_found"
    board: Board


class HistoryFound(Message):
    type: Literal["history_found"] = "history_found"
    epochs: tuple[tuple[int, float, int, int, float], ...]
    """Of each its number, loss, samples, peers and seconds, in their order."""


class FramesKept(Message):
    type: Literal["frames_kept"] = "frames_kept"
    count: NonNegativeInt
    """That can be looked at."""
    missing: NonNegativeInt


class SuccessorFound(Message):
    type: Literal["successor_found"] = "successor_found"
    changed: bool
    """Whether there was a newer manifest."""
