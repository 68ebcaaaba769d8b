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
IMPORTING = changed(
    FETCHING, stage=SetupStage.ABSENT, wsl=WslView(stage=WslStage.IMPORTING), package="", done=0, total=0
)
FALLBACK = changed(READY, is_fallback=True, why=f"The processor trains. {GPU}")
