"""The tasks (`client.tasks`) that ask something of a run's coordinator, and what comes back."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveInt

from client.account.credentials import StoredSecret
from client.admission.membership import RunMembership
from client.api.board import Board, BoardQuery, TeamBoard, TeamQuery
from client.api.commands import TeamAction
from core.messages.lines import Message

TaskSeconds = Annotated[float, Field(gt=0, le=86_400)]


class CoordinatorTask(Message):
    """Base of all of them."""

    coordinator: str
    """Web address of the coordinator, from a manifest whose signature was checked."""


class Enter(CoordinatorTask):
    """Prove to the run's gate who the volunteer is, and become a member."""

    type: Literal["enter"] = "enter"
    run: str
    """Training digest of the run."""
    gate: str
    """Public key that must have signed the access token."""
    identity: Path
    """File of the peer's key; made if it is missing."""
    hub: str
    """Address of the Hub at which the volunteer signs in, whatever address the coordinator names."""
    flow: Literal["browser", "device"]
    invitation: StoredSecret | None = None


class RenewAccess(CoordinatorTask):
    """Ask for another access token."""

    type: Literal["renew_access"] = "renew_access"
    membership: RunMembership
    gate: str
    identity: Path


class EndMembership(CoordinatorTask):
    type: Literal["end_membership"] = "end_membership"
    membership: RunMembership


class OpenPageTask(CoordinatorTask):
    """Ask for a link, good once, that signs the volunteer's browser in to their own page."""

    type: Literal["open_page"] = "open_page"
    membership: RunMembership


class HideNameTask(CoordinatorTask):
    type: Literal["hide_name"] = "hide_name"
    membership: RunMembership
    hidden: bool


class KeepReceiptsTask(CoordinatorTask):
    """Fetch the volunteer's signed receipts, and keep those that are the gate's in a folder."""

    type: Literal["keep_receipts"] = "keep_receipts"
    membership: RunMembership
    gate: str
    folder: Path


class AskBoard(CoordinatorTask):
    type: Literal["ask_board"] = "ask_board"
    membership: RunMembership | None = None
    """Membership whose own row is asked for as well."""
    identity: Path | None = None
    """File of this peer's key, whose row is asked for in a run without a gate; None: none is asked for."""
    query: BoardQuery


class AskTeams(CoordinatorTask):
    type: Literal["ask_teams"] = "ask_teams"
    membership: RunMembership | None = None
    """Membership whose own team is asked for as well."""
    query: TeamQuery


class ChangeTeamTask(CoordinatorTask):
    type: Literal["change_team"] = "change_team"
    membership: RunMembership
    action: TeamAction
    name: str | None
    """Name of a team, or of a member; None where the action needs none."""


class AskHistory(CoordinatorTask):
    """Ask for the run's epochs."""

    type: Literal["ask_history"] = "ask_history"
    points: PositiveInt
    """Largest number of points; 1,000 fit the answer."""


class KeepFramesTask(CoordinatorTask):
    """Fetch the frames of the run's time-lapse that are missing, and keep them in a folder with those drawn here."""

    type: Literal["keep_frames"] = "keep_frames"
    folder: Path
    own: Path
    """The folder of the frames that this computer has drawn."""
    download: PositiveInt | None
    """Download limit in bytes per second; None: no limit."""
    may_fetch: NonNegativeInt | None
    """Number of bytes that may be fetched; None: as many as it takes."""


class FetchSuccessor(CoordinatorTask):
    """Fetch the run's newest manifest, with files that it newly names, into the run's folder."""

    type: Literal["fetch_successor"] = "fetch_successor"
    folder: Path
    fingerprint: str
    """Fingerprint of the organiser's key."""
    for_version: bool = False
    """True to keep a newer manifest only if it needs a newer Idlebrush, or if nothing but addresses has changed."""


GateTask = (
    Enter
    | RenewAccess
    | EndMembership
    | OpenPageTask
    | HideNameTask
    | KeepReceiptsTask
    | AskBoard
    | AskTeams
    | ChangeTeamTask
    | AskHistory
    | KeepFramesTask
    | FetchSuccessor
)


class AddressShown(Message):
    """Address that the volunteer's browser has to open; sent before the membership."""

    type: Literal["address_shown"] = "address_shown"
    address: str
    seconds: float
    """Seconds for which the task waits for it."""


class RetryAfter(Message):
    """Seconds for which the coordinator asks to be left alone; sent before the failure."""

    type: Literal["retry_after"] = "retry_after"
    seconds: NonNegativeFloat


class GateAdmission(Message):
    type: Literal["gate_admission"] = "gate_admission"
    membership: RunMembership
    token: StoredSecret
    seconds: TaskSeconds
    """Seconds for which the access token is valid."""


class AccessRenewal(Message):
    type: Literal["access_renewal"] = "access_renewal"
    token: StoredSecret
    seconds: TaskSeconds


class PageOpened(Message):
    type: Literal["page_opened"] = "page_opened"
    address: StoredSecret
    """Address of the page; the first person who opens it is taken for the volunteer."""


class ReceiptsKept(Message):
    type: Literal["receipts_kept"] = "receipts_kept"
    count: NonNegativeInt


class BoardFound(Message):
    type: Literal["board_found"] = "board_found"
    board: Board


class TeamsFound(Message):
    type: Literal["teams_found"] = "teams_found"
    board: TeamBoard


class TeamChanged(Message):
    type: Literal["team_changed"] = "team_changed"
    name: str
    """Name of the team afterwards; empty if it was closed."""


class HistoryFound(Message):
    type: Literal["history_found"] = "history_found"
    epochs: tuple[tuple[int, float, int, int, float], ...]
    """Number, loss, samples, peers and seconds of each epoch, in order."""


class FramesKept(Message):
    type: Literal["frames_kept"] = "frames_kept"
    count: NonNegativeInt
    """Number of frames that can be looked at."""
    missing: NonNegativeInt


class SuccessorFound(Message):
    type: Literal["successor_found"] = "successor_found"
    changed: bool
    """True if a newer manifest was put into the folder for which the trainer has to start again."""
    refreshed: bool = False
    """True if one was put there of which the trainer need not know: with other addresses or news."""
    least_version: str | None = None
    """Version of Idlebrush that the newest manifest needs, if this one is older."""
