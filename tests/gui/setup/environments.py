"""The trainer's environment in each state that the app tells apart, as a daemon reports it."""

from datetime import timedelta
from typing import Any

from client.api.environment import (
    EnvironmentView,
    SetupPlanView,
    SetupStage,
    WslAction,
    WslStage,
    WslView,
    WslWarning,
)
from client.api.protocol import ProblemView
from tests.client.snapshots import NOW

PLAN = SetupPlanView(
    is_needed=True,
    variant="cpu",
    title="The processor",
    why="No GPU of NVIDIA or AMD was found, so the processor trains.",
    is_fallback=False,
    download_bytes=700_000_000,
    disk_bytes=2_400_000_000,
)
GPU = "The NVIDIA driver 470.82 is too old for GeForce GTX 1060: update it to 525.60 or newer."
UNKNOWN = EnvironmentView(stage=SetupStage.ABSENT, is_usable=False, is_wanted=False)


def changed(view: EnvironmentView, **changes: Any) -> EnvironmentView:
    return view.model_copy(update=changes)


PLANNING = changed(UNKNOWN, is_planning=True)
OFFERED = changed(UNKNOWN, plan=PLAN)
FETCHING = changed(
    OFFERED,
    stage=SetupStage.FETCHING,
    is_wanted=True,
    is_working=True,
    why=PLAN.why,
    package="torch-2.13.0-cp311-cp311-manylinux_2_28_x86_64.whl",
    done=210_000_000,
    total=700_000_000,
)
INSTALLING = changed(FETCHING, stage=SetupStage.INSTALLING, package="numpy", done=1, total=1_700_000_000)
TESTING = changed(FETCHING, stage=SetupStage.TESTING, package="", done=0, total=1)
WAITING = changed(FETCHING, waiting="The network connection is metered.")
PAUSED = changed(FETCHING, is_working=False, is_paused=True)
PROBLEM = ProblemView(code="setup", what="The disk is full.", remedy="Free some space.")
RETRYING = changed(
    FETCHING,
    is_working=False,
    problem=PROBLEM.model_copy(update={"what": "The server does not answer."}),
    retry_at=NOW + timedelta(minutes=10),
)
FAILED = changed(
    FETCHING, stage=SetupStage.FAILED, is_working=False, problem=PROBLEM, package="", done=0, total=0
)
READY = changed(
    FETCHING, stage=SetupStage.ON_TRIAL, is_usable=True, is_working=False, package="", done=0, total=0
)
TURNED_OFF = changed(
    FAILED,
    stage=SetupStage.ABSENT,
    wsl=WslView(
        stage=WslStage.BLOCKED, action=WslAction.TURN_ON_WSL, what="WSL is off.", remedy="Turn it on."
    ),
    problem=ProblemView(code="setup", what="WSL is off.", remedy="Turn it on."),
)
RESTART = changed(
    TURNED_OFF,
    wsl=WslView(stage=WslStage.RESTART_NEEDED, action=WslAction.RESTART, what="Windows has to restart."),
    problem=ProblemView(code="setup", what="Windows has to restart.", remedy="Restart the computer."),
)
FIRMWARE = changed(
    TURNED_OFF,
    wsl=WslView(stage=WslStage.BLOCKED, action=WslAction.CHANGE_FIRMWARE, what="It is off."),
    problem=ProblemView(
        code="setup",
        what="This computer's virtualisation is turned off, and training needs it.",
        remedy="Turn on virtualisation (Intel VT-x, or AMD SVM) in the computer's firmware. Then restart.",
    ),
)
OLD_WINDOWS = changed(
    TURNED_OFF,
    wsl=WslView(stage=WslStage.BLOCKED, action=WslAction.UPDATE_WINDOWS, what="It is too old."),
    problem=ProblemView(
        code="setup",
        what="Windows' build 18363 is too old for training, which needs Windows 10, version 2004, or newer.",
        remedy="Install Windows' updates.",
    ),
)
LITTLE_DISK = changed(
    TURNED_OFF,
    wsl=WslView(stage=WslStage.BLOCKED, action=WslAction.FREE_DISK, what="It is too small."),
    problem=ProblemView(
        code="setup",
        what="Training needs 12 GiB of disk, and 3 GiB are free.",
        remedy="Free 9 GiB.",
    ),
)
WARNINGS = tuple(
    WslWarning(action=action, what=f"It needs to {action}.", remedy="Do so.")
    for action in (
        WslAction.CHANGE_FIRMWARE,
        WslAction.ASK_ADMINISTRATOR,
        WslAction.UPDATE_WSL,
        WslAction.INSTALL_DRIVER,
    )
)


def warned(view: EnvironmentView, *warnings: WslWarning) -> EnvironmentView:
    """The same on a Windows of which the daemon warns; where the view has no distribution, it is there."""
    wsl = view.wsl or WslView(stage=WslStage.READY)
    return changed(view, wsl=wsl.model_copy(update={"warnings": warnings}))


IMPORTING = changed(
    FETCHING, stage=SetupStage.ABSENT, wsl=WslView(stage=WslStage.IMPORTING), package="", done=0, total=0
)
FALLBACK = changed(READY, is_fallback=True, why=f"The processor trains. {GPU}")
OLD_WSL = warned(READY, WARNINGS[2], WARNINGS[3])
UPDATING = changed(READY, is_working=True, wsl=WslView(stage=WslStage.UPDATING, warnings=WARNINGS[2:3]))
