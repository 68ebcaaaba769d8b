"""The installation of the packages for training as pictures of the app show it: made up."""

from pathlib import Path
from typing import Any

from client.api.candidate import CandidateStage
from client.api.environment import EnvironmentView, SetupPlanView, SetupStage
from client.api.protocol import ProblemView
from client.api.snapshot import Activity, Snapshot
from docs.pictures import app_state

_PACKAGE = "torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl"
_PLAN = SetupPlanView(
    is_needed=True,
    variant="cpu",
    title="The processor",
    why="The processor trains. There are no packages for AMD Radeon RX 6600 on this system yet.",
    is_fallback=True,
    download_bytes=431_000_000,
    disk_bytes=2_100_000_000,
)


def offered(folder: Path) -> Snapshot:
    """Return a state with a run that was joined, and packages that training lacks."""
    return _lacking(folder, stage=SetupStage.ABSENT)


def under_way(folder: Path) -> Snapshot:
    """Return the same while the packages are downloaded."""
    return _lacking(
        folder,
        stage=SetupStage.FETCHING,
        is_wanted=True,
        is_working=True,
        variant="cpu",
        why=_PLAN.why,
        package=_PACKAGE,
        done=212_000_000,
        total=_PLAN.download_bytes,
    )


def failed(folder: Path) -> Snapshot:
    """Return the same after an attempt that a full disk has ended."""
    problem = ProblemView(
        code="setup",
        what="The training environment needs 2.6 GB of free disk space, but 1.1 GB is free.",
        remedy="Free some space on that disk, and try again.",
    )
    return _lacking(folder, stage=SetupStage.FAILED, is_wanted=True, problem=problem)


def _lacking(folder: Path, *, stage: SetupStage, is_wanted: bool = False, **changes: Any) -> Snapshot:
    environment = EnvironmentView(
        stage=stage, is_usable=False, is_wanted=is_wanted, is_fallback=is_wanted, plan=_PLAN
    ).model_copy(update=changes)
    joined = app_state.candidate(folder).candidate
    assert joined is not None
    return app_state.candidate(folder).model_copy(
        update={
            "run": app_state.training(folder).run,
            "activity": Activity.WAITING if is_wanted else Activity.ATTENTION,
            "candidate": joined.model_copy(update={"stage": CandidateStage.JOINED}),
            "environment": environment,
        }
    )
