"""The runs of a volunteer: those that are joined, those on lists of others, and the swarm on this computer.

A front end starts that swarm by looking at the run `LOCAL_SWARM`, and a volunteer joins that run as any other.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from client.api.protocol import ProblemView, Request, Text
from core.messages.lines import Message

LOCAL_SWARM = "swarm"
"""Name of its run, for `client.api.commands.LookAtRun` and `idlebrush join`."""


class LocalSwarmStage(StrEnum):
    """Stage of the swarm on this computer."""

    OFF = "off"  # it does not run
    STARTING = "starting"  # its coordinator is being started
    SERVING = "serving"  # the daemon keeps its coordinator and its second trainer running
    SHARED = "shared"  # `idlebrush demo` in a terminal does, and the daemon takes over when that ends
    FAILED = "failed"  # it ended by an error, and is started again by `Resume` or when its run is looked at


class SwarmObstacle(StrEnum):
    """Reason why a computer cannot have a swarm of its own."""

    SYSTEM = "system"  # trainers live in a distribution of Linux, whose coordinator cannot be reached
    PACKAGES = "packages"  # what trains is not installed, or is being exchanged
    CORES = "cores"  # it has too few processor cores
    RAM = "ram"  # too little RAM is free


class LocalSwarmView(Message):
    """The swarm on this computer."""

    stage: LocalSwarmStage = LocalSwarmStage.OFF
    digest: str = ""
    """Digest of the training part of its run; empty until there is one."""
    web: str | None = None
    """Address of its website; None: it does not answer now."""
    is_kept: bool = False
    """True if its files are on the disk, which `RemoveLocalSwarm` removes."""
    obstacle: SwarmObstacle | None = None
    """Reason why this computer cannot have one; None: it can."""
    problem: ProblemView | None = None
    """Error that ended it."""


class RemoveLocalSwarm(Request):
    """Stop the swarm on this computer, leave its run if that is joined, and remove the files of both."""

    type: Literal["remove_local_swarm"] = "remove_local_swarm"


class RunFit(StrEnum):
    """Suitability of a run for this computer, the best first."""

    GPU = "gpu"  # a GPU of this computer can train it
    PROCESSOR = "processor"  # its processor can
    NONE = "none"  # it has too little memory


class FoundRunView(Message):
    """A run on a list; all of it is what the list says, and nothing of it was verified."""

    link: str
    """Join link, with the fingerprint of the organiser's key."""
    title: str
    description: str = ""
    gate: Literal["open", "anyone", "organisation", "list", "invitation"]
    """Volunteers whom the run admits."""
    fit: RunFit
    parameters: int
    """Parameters of the model."""
    bytes_per_day: int
    """Traffic of a day of training, each way."""
    download_bytes: int = 0
    """Bytes that are fetched before training begins."""
    volunteers: int | None = None
    """Volunteers on its leaderboard; None: not known."""
    is_over: bool = False
    """True if it had no epoch left."""
    picture: str = ""
    """Path of a picture by its model; empty: there is none."""
    lists: tuple[str, ...] = ()
    """Titles of the lists that have it."""


class RunListView(Message):
    """A list that was added."""

    title: str
    location: str
    """Web address, or path of a file."""
    fingerprint: str
    """Fingerprint of the key that has to sign each issue."""
    problem: str = ""
    """Error of reading it now, as a sentence; empty: it was read."""


class DirectoryView(Message):
    """The lists, and the runs on them, those that fit best first."""

    runs: tuple[FoundRunView, ...] = ()
    lists: tuple[RunListView, ...] = ()
    left_out: int = 0
    """Number of further runs on the lists, for which the answer has no room."""


class FindRuns(Request):
    """Read all lists of runs; the answer has them in ``directory``."""

    type: Literal["find_runs"] = "find_runs"


class AddRunList(Request):
    """Add the list of runs at an address, and read all lists as `FindRuns` does."""

    type: Literal["add_run_list"] = "add_run_list"
    location: Text
    """Web address, or absolute path of a file."""
    key: Annotated[str, Field(min_length=1, max_length=64)]
    """Fingerprint of the key that has to sign it."""


class RemoveRunList(Request):
    """Remove the list with that address, and read the others as `FindRuns` does."""

    type: Literal["remove_run_list"] = "remove_run_list"
    location: Text


DirectoryRequest = FindRuns | AddRunList | RemoveRunList


DEFAULT_SHARE = 100
"""Share of a run for which the volunteer has set none."""
LARGEST_SHARE = 10_000


class RunHindrance(StrEnum):
    """Reason why a joined run is skipped while others are joined."""

    FINISHED = "finished"
    UPDATE = "update"
    LEFT_OUT = "left_out"
    NO_ROOM = "no_room"
    BROKEN = "broken"
    UNREACHABLE = "unreachable"
    MISSING = "missing"

    @property
    def words(self) -> str:
        """The reason in English, as it follows "skipped: "."""
        return _HINDRANCES[self]


_HINDRANCES = {
    RunHindrance.FINISHED: "it has done all of its epochs",
    RunHindrance.UPDATE: "it needs a newer version of Idlebrush",
    RunHindrance.LEFT_OUT: "it does not admit you, or asks you to sign in",
    RunHindrance.NO_ROOM: "it needs more memory than training may use",
    RunHindrance.BROKEN: "its trainer fails again and again",
    RunHindrance.UNREACHABLE: "its other computers do not answer",
    RunHindrance.MISSING: "its files are missing",
}


class JoinedRunView(Message):
    """A joined run, with its share of the time and its state."""

    digest: str
    """Digest of the training part of its manifest."""
    title: str
    share: int
    """Weight of the run when time is divided among all; 0: it trains only when no other run can."""
    is_current: bool
    """True for the run that this computer trains now, or will train next when it may."""
    hindrance: RunHindrance | None = None
    """Reason why it is skipped; None: it is not."""
    retry_at: datetime | None = None
    """Time from which a skipped run is tried again; None: only when the volunteer asks for it."""
    trained_seconds: float = 0.0
    """Seconds for which this computer has trained it since it was joined."""
    week_seconds: float = 0.0
    """Seconds for which this computer has trained it today and on the six days before."""
    week_part: float = 0.0
    """Part of these in the time of all joined runs together, 0 to 1."""


class SetShare(Request):
    """Set the share of time of a joined run."""

    type: Literal["set_share"] = "set_share"
    run: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """Training digest of its manifest."""
    share: Annotated[int, Field(ge=0, le=LARGEST_SHARE)]
