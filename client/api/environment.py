"""The trainer's environment as front ends draw it, and the requests by which they have it set up.

The environment holds what training needs beside the app: PyTorch, hivemind and their packages, for this machine.
"""

from datetime import datetime
from typing import Literal

from client.api.protocol import ProblemView, Request
from client.environment.stages import SetupStage as SetupStage
from client.hosts.wsl.stages import WslAction as WslAction
from client.hosts.wsl.stages import WslStage as WslStage
from core.messages.lines import Message


class SetupPlanView(Message):
    """Plan of a set-up on this machine, by the newest list of packages."""

    is_needed: bool
    """False if these very packages are in use already."""
    variant: str
    """Name of the chosen packages, such as cpu or cu13."""
    title: str
    """The chosen packages in words, such as "NVIDIA GPUs by CUDA 13"."""
    why: str
    """Sentences that say why these packages were chosen."""
    is_fallback: bool
    """True if the processor would train although there is a GPU."""
    download_bytes: int
    """Bytes to fetch, less what earlier attempts have left."""
    disk_bytes: int
    """Bytes that the set-up needs on the disk, the download included."""
    remark: str = ""
    """Sentence about packages that the list lacks; empty: it lacks none."""


class WslWarning(Message):
    """A finding on Windows that does not keep training away, and the step by which the volunteer deals with it."""

    action: WslAction
    what: str
    remedy: str


class WslView(Message):
    """The distribution in which trainers live on Windows, and what the volunteer has to do for it."""

    stage: WslStage
    action: WslAction | None = None
    """Step that the volunteer has to take; None: none."""
    what: str = ""
    """Sentence about it; empty: there is none."""
    remedy: str = ""
    warnings: tuple[WslWarning, ...] = ()
    """Findings that do not block the set-up; none before this daemon has checked the computer."""


class EnvironmentView(Message):
    """The environment, and the set-up that is planned or under way."""

    stage: SetupStage
    """Stage of the set-up; `FETCHING` to `PLACING` are under way, or wait for another attempt (`retry_at`)."""
    is_usable: bool
    """True if there is an environment to train in, also while the next one is set up."""
    is_wanted: bool
    """True if the volunteer has agreed to the set-up; it then begins, resumes and is retried by itself."""
    is_working: bool = False
    """True while a process sets the environment up, also if it waits (`waiting`)."""
    is_planning: bool = False
    """True while the list of packages is fetched."""
    is_paused: bool = False
    """True if the volunteer has paused the set-up; `ResumeSetup` ends that."""
    variant: str = ""
    """Name of the packages that are in use or set up; empty: none were chosen yet."""
    why: str = ""
    """Sentences that say why these packages were chosen; empty: none were chosen yet."""
    is_fallback: bool = False
    """True if the processor trains although there is a GPU."""
    package: str = ""
    """Package at hand; empty: the stage has none."""
    done: int = 0
    """Completed part of the stage, in the unit of `total`."""
    total: int = 0
    """Size of the stage: bytes of the wheels while they are fetched, bytes of the unpacked packages while they are
    installed, and the number of steps in the last stages; 0: it is not known yet.
    """
    waiting: str = ""
    """Sentence that says why nothing happens at present, such as a metered connection; empty: something does."""
    retry_at: datetime | None = None
    """Time of the next attempt after one that the network ended; None: none is due."""
    problem: ProblemView | None = None
    """Error that ended the last attempt or plan; `BeginSetup` tries again."""
    plan: SetupPlanView | None = None
    """The newest plan; None until one was made."""
    wsl: WslView | None = None
    """The distribution that the environment is in; None: it is on this system."""


class PlanSetup(Request):
    """Request the plan of a set-up.

    The answer comes once the list of packages was fetched, and has the plan in ``setup_plan``; snapshots show it as
    well.
    """

    type: Literal["plan_setup"] = "plan_setup"


class BeginSetup(Request):
    """Set the environment up, or try again; consent was asked for by the front end. Snapshots show the progress."""

    type: Literal["begin_setup"] = "begin_setup"


class PauseSetup(Request):
    """Pause the set-up's download until it is resumed; later daemons keep to that."""

    type: Literal["pause_setup"] = "pause_setup"


class ResumeSetup(Request):
    """Resume the set-up's download where it was paused."""

    type: Literal["resume_setup"] = "resume_setup"


class CancelSetup(Request):
    """Give the set-up up, and remove what it has fetched; an environment in use stays."""

    type: Literal["cancel_setup"] = "cancel_setup"


class TurnOnWsl(Request):
    """Turn Windows' Subsystem for Linux on; Windows asks an administrator for consent, and then has to restart."""

    type: Literal["turn_on_wsl"] = "turn_on_wsl"


class RestartWindows(Request):
    """Restart Windows, as the set-up needs it; the front end has asked. The set-up continues by itself then."""

    type: Literal["restart_windows"] = "restart_windows"


class RestartIntoFirmware(Request):
    """Restart into the firmware's settings, where virtualisation is turned on; the front end has asked.

    The answer comes once an administrator has agreed. The set-up continues by itself after the restart.
    """

    type: Literal["restart_into_firmware"] = "restart_into_firmware"


class UpdateWsl(Request):
    """Update Windows' Subsystem for Linux, which ends all distributions; the front end has asked.

    The trainer is ended in order first. The answer comes once WSL is updated.
    """

    type: Literal["update_wsl"] = "update_wsl"


SetupRequest = (
    PlanSetup
    | BeginSetup
    | PauseSetup
    | ResumeSetup
    | CancelSetup
    | TurnOnWsl
    | RestartWindows
    | RestartIntoFirmware
    | UpdateWsl
)
