"""The trainer's environment in words, as pure functions of the daemon's view of it."""

from collections import deque
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

from client.api.environment import EnvironmentView, SetupPlanView, SetupStage, WslStage
from client.api.protocol import ProblemView
from gui.setup.commands import SetupCommand
from gui.setup.windows import SetupAdvice, advice_of, blocked_title, steps_of
from gui.widgets.facts import IconFact
from gui.wording import amounts
from gui.wording.activity import clause_of

translate = QCoreApplication.translate
_PACE_SECONDS = 20.0
"""Seconds of progress from which the pace is taken."""
_LEAST_SECONDS = 3.0
"""Seconds of progress below which no time is predicted."""


class SetupStatus(Enum):
    """State of the set-up as the volunteer sees it."""

    UNKNOWN = auto()  # neither planned nor begun
    PLANNING = auto()
    OFFERED = auto()  # planned, and the volunteer has not agreed yet
    WORKING = auto()
    WAITING = auto()  # for a condition such as an unmetered connection
    PAUSED = auto()  # by the volunteer
    RETRYING = auto()  # an attempt has ended, and the next one is due
    FAILED = auto()
    READY = auto()


_ACTIONS = {
    SetupStatus.UNKNOWN: (SetupCommand.PLAN,),
    SetupStatus.PLANNING: (),
    SetupStatus.OFFERED: (SetupCommand.BEGIN,),
    SetupStatus.WORKING: (SetupCommand.PAUSE, SetupCommand.CANCEL),
    SetupStatus.WAITING: (SetupCommand.PAUSE, SetupCommand.CANCEL),
    SetupStatus.PAUSED: (SetupCommand.RESUME, SetupCommand.CANCEL),
    SetupStatus.RETRYING: (SetupCommand.RETRY, SetupCommand.CANCEL),
}
"""Actions in each state; a failed set-up, and one that is ready, have those that their view asks for."""
_REASONS = {
    "The network connection is metered.": "metered",
    "This month's traffic quota is used up.": "quota_used",
}
"""Codes of the reasons for pauses by the daemon's sentences for which the download waits too."""
BEGUN = (SetupStatus.WORKING, SetupStatus.WAITING, SetupStatus.PAUSED, SetupStatus.RETRYING)
"""States of a set-up that continues by itself, or where the volunteer has paused it."""
_UNSTOPPABLE = (SetupStage.INSTALLING, SetupStage.TESTING, SetupStage.PLACING)
"""Stages in which there is no download to pause."""


@dataclass(frozen=True)
class SetupView:
    """The set-up in words."""

    status: SetupStatus
    title: str
    text: str = ""
    """Sentences below the title; empty for none."""
    facts: tuple[IconFact, ...] = ()
    """Facts to agree to."""
    fallback: tuple[str, str] | None = None
    """Title and reason of training by the processor although there is a GPU; None: that is not so."""
    progress: str = ""
    """Progress in words; empty if none is known."""
    package: str = ""
    """File at hand; empty for none."""
    fraction: float | None = None
    """Progress of the stage, 0 to 1; None if it is not known."""
    has_bar: bool = False
    actions: tuple[SetupCommand, ...] = ()
    problem: ProblemView | None = None
    is_blocked: bool = False
    """True if the set-up has not failed, but waits for the volunteer to do what the title and the problem say."""
    advice: tuple[SetupAdvice, ...] = ()
    """Warnings that do not keep training away."""


class ProgressPace:
    """Predicts the seconds that a stage still takes, from its newest progress."""

    def __init__(self) -> None:
        self._of: object = None
        self._seen: deque[tuple[float, int]] = deque()

    def seconds_left(self, of: object, done: int, total: int, now: float) -> float | None:
        """Note progress, and return the seconds left; None if too little progress was seen.

        Args:
            of: The stage; another one begins a new prediction.
            done: Bytes or steps that are done.
            total: Bytes or steps in all.
            now: Monotonic time in seconds.
        """
        if of != self._of or (self._seen and done < self._seen[-1][1]):
            self._of, self._seen = of, deque()
        self._seen.append((now, done))
        while now - self._seen[0][0] > _PACE_SECONDS and len(self._seen) > 2:
            self._seen.popleft()
        seconds, gained = now - self._seen[0][0], done - self._seen[0][1]
        if seconds < _LEAST_SECONDS or gained <= 0 or total <= done:
            return None
        return (total - done) * seconds / gained


def status_of(view: EnvironmentView) -> SetupStatus:
    """Return the state of the set-up; a usable environment is ready unless the next one is being set up."""
    is_settled = view.is_usable and view.stage in (SetupStage.ON_TRIAL, SetupStage.READY)
    is_downloaded = is_settled or view.stage in _UNSTOPPABLE
    if view.is_paused and view.is_wanted and not is_downloaded:
        return SetupStatus.PAUSED
    if view.is_working:
        return SetupStatus.WAITING if view.waiting else SetupStatus.WORKING
    if view.retry_at is not None and view.is_wanted:
        return SetupStatus.RETRYING
    if view.is_planning and not view.is_usable:
        return SetupStatus.PLANNING
    if view.problem is not None:
        return SetupStatus.FAILED
    if view.is_usable:
        return SetupStatus.READY
    if view.is_wanted:  # its process is about to start
        return SetupStatus.WAITING if view.waiting else SetupStatus.WORKING
    return SetupStatus.OFFERED if view.plan is not None else SetupStatus.UNKNOWN


def needs_setup(view: EnvironmentView | None) -> bool:
    """Return true if this computer cannot train before an environment was set up."""
    return view is not None and not view.is_usable


def is_settled(view: EnvironmentView) -> bool:
    """Return true if all is installed, and there is nothing to tell about it."""
    return status_of(view) is SetupStatus.READY and not (view.wsl is not None and view.wsl.warnings)


def setup_view(view: EnvironmentView, now: datetime, seconds_left: float | None = None) -> SetupView:
    """Return the set-up in words.

    Args:
        view: The daemon's view.
        now: Local time with its zone.
        seconds_left: Predicted seconds of the stage; None if unknown.
    """
    status = status_of(view)
    needs_linux = view.wsl is not None and view.wsl.stage is not WslStage.READY
    has_progress = status in BEGUN
    # A stage of one step is not there, and then over: its bar moves without a length.
    has_total = has_progress and view.total > 1
    return SetupView(
        status=status,
        title=_title(status, view),
        text=_text(status, view, now),
        facts=_facts(view.plan, needs_linux) if status is SetupStatus.OFFERED and view.plan else (),
        fallback=_fallback(status, view),
        progress=_progress(view, seconds_left if status is SetupStatus.WORKING else None)
        if has_total
        else "",
        package=view.package if has_progress else "",
        fraction=min(1.0, view.done / view.total) if has_total else None,
        has_bar=has_progress or status is SetupStatus.PLANNING,
        actions=_actions(status, view),
        problem=view.problem if status is SetupStatus.FAILED else None,
        is_blocked=status is SetupStatus.FAILED and bool(blocked_title(view.wsl)),
        advice=advice_of(view.wsl, is_working=view.is_working or view.is_planning),
    )


def _title(status: SetupStatus, view: EnvironmentView) -> str:
    if status is SetupStatus.WORKING:
        return _linux_title(view) or _stage_title(view.stage)
    if status is SetupStatus.FAILED and (waits_for := blocked_title(view.wsl)):
        return waits_for
    return {
        SetupStatus.UNKNOWN: translate("Setup", "Training needs more packages"),
        SetupStatus.PLANNING: translate("Setup", "Finding the packages for this computer…"),
        SetupStatus.OFFERED: translate("Setup", "Training needs more packages"),
        SetupStatus.WAITING: waiting_title(view),
        SetupStatus.PAUSED: translate("Setup", "You have paused the download"),
        SetupStatus.RETRYING: translate("Setup", "The download was interrupted"),
        SetupStatus.FAILED: translate("Setup", "The packages for training could not be installed"),
        SetupStatus.READY: translate("Setup", "This computer is ready to train"),
    }[status]


def _linux_title(view: EnvironmentView) -> str:
    """Return what is done for the Linux in which trainers live on Windows; empty: it is there, or not needed."""
    if view.wsl is None:
        return ""
    return {
        WslStage.CHECKING: translate("Setup", "Checking this computer"),
        WslStage.TURNING_ON: translate("Setup", "Windows asks for an administrator’s consent"),
        WslStage.FETCHING: translate("Setup", "Downloading Linux for training"),
        WslStage.IMPORTING: translate("Setup", "Setting up Linux for training"),
        WslStage.UPDATING: translate("Setup", "Updating WSL"),
    }.get(view.wsl.stage, "")


def waiting_title(view: EnvironmentView) -> str:
    """Return that the download waits, with the reason if it has words in the user's language."""
    code = _REASONS.get(view.waiting)
    if code is None:
        return translate("Setup", "The download waits")
    #: {reason} is such as "the network connection is metered".
    text = translate("Setup", "The download waits: {reason}")
    return text.format(reason=clause_of(code))


def waiting_text(view: EnvironmentView) -> str:
    """Return the daemon's sentence about what the download waits for; empty if the title has the reason."""
    return "" if view.waiting in _REASONS else view.waiting


def _stage_title(stage: SetupStage) -> str:
    return {
        SetupStage.FETCHING: translate("Setup", "Downloading the packages for training"),
        SetupStage.INSTALLING: translate("Setup", "Installing the packages for training"),
        SetupStage.TESTING: translate("Setup", "Testing the packages on this computer"),
        SetupStage.PLACING: translate("Setup", "Completing the installation"),
    }.get(stage, translate("Setup", "Preparing the download"))


def _text(status: SetupStatus, view: EnvironmentView, now: datetime) -> str:
    match status:
        case SetupStatus.UNKNOWN | SetupStatus.OFFERED:
            return translate(
                "Setup",
                "PyTorch and the packages that it needs are downloaded once. Idlebrush checks each file, tests "
                "the result, and keeps it in its own folder.",
            )
        case SetupStatus.WAITING:
            return waiting_text(view)
        case SetupStatus.PAUSED:
            return translate("Setup", "What was downloaded is kept.")
        case SetupStatus.RETRYING if view.retry_at is not None:
            #: {moment} is a time such as "14:30".
            text = translate("Setup", "The next attempt begins at {moment}. What was downloaded is kept.")
            again = text.format(moment=amounts.moment(view.retry_at, now))
            return f"{view.problem.what} {again}" if view.problem else again
        case SetupStatus.WORKING:
            return translate("Setup", "It continues in the background, also when this window is closed.")
        case SetupStatus.READY:
            return translate("Setup", "All packages for training are installed and tested.")
    return ""


def _facts(plan: SetupPlanView, needs_linux: bool) -> tuple[IconFact, ...]:
    once = translate("Setup", "{size}, once").format(size=amounts.data_size(plan.download_bytes))
    room = translate("Setup", "Up to {size} while it is installed").format(
        size=amounts.data_size(plan.disk_bytes)
    )
    facts = (
        IconFact("download", translate("Setup", "Download"), once),
        IconFact("folder", translate("Setup", "Disk space"), room),
        IconFact("cpu", translate("Setup", "This computer"), plan.why),
    )
    inside = translate(
        "Setup",
        "Training runs in a small Linux of its own, within WSL, a part of Windows. It is removed with Idlebrush.",
    )
    linux = IconFact("info", translate("Setup", "Linux"), inside)
    remark = IconFact("info", translate("Setup", "Not included"), plan.remark)
    return (*facts, *((linux,) if needs_linux else ()), *((remark,) if plan.remark else ()))


def _fallback(status: SetupStatus, view: EnvironmentView) -> tuple[str, str] | None:
    """Return that the processor trains although there is a GPU; before the volunteer has agreed, by the plan."""
    if status is SetupStatus.OFFERED and view.plan is not None:
        is_fallback, why = view.plan.is_fallback, ""  # the facts have the reason
    else:
        is_fallback, why = view.is_fallback, view.why
    if not is_fallback or status in (SetupStatus.UNKNOWN, SetupStatus.PLANNING):
        return None
    return translate("Setup", "This computer trains on its processor, not on its GPU"), why


def _progress(view: EnvironmentView, seconds_left: float | None) -> str:
    if view.stage not in (SetupStage.FETCHING, SetupStage.INSTALLING):
        text = translate("Setup", "Step {done} of {total}")
        step = amounts.count(min(view.done + 1, view.total))
        return text.format(done=step, total=amounts.count(view.total))
    done, total = amounts.data_size(view.done), amounts.data_size(view.total)
    if seconds_left is None:
        #: Both are sizes, such as "1.2 GB of 2.9 GB".
        return translate("Setup", "{done} of {total}").format(done=done, total=total)
    #: {duration} is such as "3 min".
    text = translate("Setup", "{done} of {total}, about {duration} left")
    return text.format(done=done, total=total, duration=amounts.duration(max(1.0, seconds_left)))


def _actions(status: SetupStatus, view: EnvironmentView) -> tuple[SetupCommand, ...]:
    if status is SetupStatus.FAILED:
        # Trying to plan again is no consent to the download.
        again = SetupCommand.RETRY if view.is_wanted else SetupCommand.PLAN
        return steps_of(view.wsl, again) or (again,)
    if status is SetupStatus.READY:
        return (SetupCommand.CHECK,) if view.is_wanted and not is_settled(view) else ()
    if view.wsl is not None and view.wsl.stage is WslStage.UPDATING:
        return ()
    actions = _ACTIONS[status]
    if view.stage in _UNSTOPPABLE and status in (SetupStatus.WORKING, SetupStatus.WAITING):
        return tuple(action for action in actions if action is not SetupCommand.PAUSE)
    return actions
