"""Shows the trainer's environment as front ends draw it, and says why no trainer runs without it."""

from dataclasses import dataclass
from datetime import datetime

from client.api.environment import EnvironmentView, SetupPlanView, WslView
from client.api.errors import SetupError
from client.api.protocol import ProblemView
from client.environment.progress import SetupProgress
from client.environment.stages import RUNNING, SetupStage, SetupState
from core.errors import CoreError


@dataclass(frozen=True)
class SetupSituation:
    """All that the view shows."""

    state: SetupState
    is_usable: bool
    is_wanted: bool
    is_paused: bool
    hold: str
    """Sentence that says why a download would wait; empty: it would not."""
    is_working: bool
    is_planning: bool
    progress: SetupProgress | None
    retry_at: datetime | None
    problem: CoreError | None
    """Error for which no plan could be made; None: there is none."""
    plan: SetupPlanView | None
    wsl: WslView | None = None
    """The distribution in which the environment is; None: it is on this system."""


def view_of(now: SetupSituation) -> EnvironmentView:
    """Return the view of a situation."""
    state, progress = now.state, now.progress or SetupProgress(stage=now.state.stage)
    waits = now.hold if now.is_wanted and state.stage not in (SetupStage.READY, SetupStage.ON_TRIAL) else ""
    return EnvironmentView(
        stage=progress.stage,
        is_usable=now.is_usable,
        is_wanted=now.is_wanted,
        is_working=now.is_working,
        is_planning=now.is_planning,
        is_paused=now.is_paused,
        variant=state.variant,
        why=state.why,
        is_fallback=state.is_fallback,
        package=progress.name,
        done=progress.done,
        total=progress.total,
        waiting=progress.waiting or ("" if now.is_working else waits),
        retry_at=None if now.is_working or now.is_planning else now.retry_at,
        problem=None if now.is_working or now.is_planning else _problem(now),
        plan=now.plan,
        wsl=now.wsl,
    )


def headline_without(view: EnvironmentView) -> tuple[bool, str]:
    """Return true if the volunteer has to act, and a sentence about a run that lacks the environment."""
    if view.problem is not None and view.retry_at is None:
        return True, f"Attention: {view.problem.what}"
    if not view.is_wanted:
        return True, "Attention: what training needs is not installed."
    if view.is_paused:
        return False, "Waiting: you paused the installation of what training needs."
    return False, "Waiting: what training needs is being installed."


def _problem(now: SetupSituation) -> ProblemView | None:
    if now.problem is not None:
        return ProblemView(code=now.problem.code, what=now.problem.what, remedy=now.problem.remedy)
    if now.wsl is not None and now.wsl.what:
        return ProblemView(code=SetupError.code, what=now.wsl.what, remedy=now.wsl.remedy)
    failure = now.state.failure
    if failure is None or now.state.stage in RUNNING:
        return None
    return ProblemView(code=failure.code, what=failure.what, remedy=failure.remedy)
