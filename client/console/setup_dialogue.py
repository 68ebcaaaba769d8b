"""The conversation in a terminal about the trainer's environment: the plan, consent, then the progress."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from client.api.answers import Done
from client.api.connection import Connection
from client.api.environment import (
    BeginSetup,
    EnvironmentView,
    PlanSetup,
    SetupPlanView,
    SetupStage,
    TurnOnWsl,
    WslAction,
    WslStage,
    WslView,
)
from client.api.errors import SetupError
from client.api.launch import ensure_daemon
from client.api.snapshot import Snapshot
from client.console.amounts import in_bytes
from client.console.sign_in import look
from client.console.terminal import say
from client.paths import Paths

Ask = Callable[[str], bool]
"""A question that is answered by yes or no; no is what an empty answer means."""
_PLAN_SECONDS = 200.0
"""A little more than the daemon waits for the list of packages."""
_SETTLED = (SetupStage.READY, SetupStage.ON_TRIAL)
_STAGES = {
    SetupStage.FETCHING: "Downloading",
    SetupStage.INSTALLING: "Installing",
    SetupStage.TESTING: "Testing the packages on this computer",
    SetupStage.PLACING: "Putting the packages in place",
}
_WSL_STAGES = {
    WslStage.CHECKING: "Checking Windows",
    WslStage.TURNING_ON: "Windows asks an administrator to agree",
    WslStage.IMPORTING: "Importing Linux for training into WSL",
    WslStage.UPDATING: "Updating WSL",
}


class SetupDialogue:
    """Holds the conversation on a console; the daemon does the work, and goes on if the console is closed."""

    def __init__(self, console: Console, ask: Ask, paths: Paths) -> None:
        """Prepare to talk on ``console``; ``ask`` asks the volunteer, ``paths`` lead to the daemon."""
        self._console, self._ask, self._paths = console, ask, paths

    def hold(self, *, consented: bool) -> bool:
        """Lead to an environment that is in place; return false if the volunteer declines.

        Args:
            consented: True if the volunteer has agreed already, and is not asked.

        Raises:
            ClientError: It cannot be set up.
            KeyboardInterrupt: The volunteer waits no longer; the daemon goes on.
        """
        with ensure_daemon(self._paths) as daemon:
            before = look(daemon).environment
            if before is None:
                self._console.print("Nothing has to be installed: what training needs is here.")
                return True
            if not (before.is_wanted and (before.is_working or before.is_planning)):
                plan = plan_of(daemon)
                if not plan.is_needed:
                    self._console.print(f"What training needs is installed already. {plan.why}", markup=False)
                    return True
                self.show(plan)
                if not consented and not self._agrees("Download and install this now?"):
                    return False
                daemon.ask(BeginSetup())
            return self._follow(daemon)

    def show(self, plan: SetupPlanView) -> None:
        """Print a plan."""
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold", no_wrap=True)
        for label, text in plan_rows(plan):
            table.add_row(Text(label), Text(text))
        self._console.print(table)

    def _agrees(self, question: str) -> bool:
        try:
            return self._ask(question)
        except typer.Abort:
            raise SetupError(
                "There was no answer. Nothing was installed.", "Answer y, or give --yes."
            ) from None

    def _follow(self, daemon: Connection) -> bool:
        """Show the progress until the environment is in place; return false if the set-up was cancelled."""
        while (view := self._watch(daemon.watch())) is not None and (off := _turned_off(view)):
            say(self._console, f"{off.what} {off.remedy}")
            if not self._agrees("Turn it on now?"):
                return False
            daemon.ask(TurnOnWsl())
        return view is not None

    def _watch(self, snapshots: Iterator[Snapshot]) -> EnvironmentView | None:
        """Show the progress until it is over, or WSL has to be turned on; None: the set-up was cancelled."""
        with _shown(self._console) as show:
            for view in (snapshot.environment for snapshot in snapshots):
                if view is None or not view.is_wanted:
                    say(self._console, "The set-up was cancelled.")
                    return None
                if _is_complete(view):
                    say(self._console, f"What training needs is installed. {view.why}")
                    for warning in view.wsl.warnings if view.wsl is not None else ():
                        say(self._console, f"{warning.what} {warning.remedy}")
                    return view
                show(view)
                is_at_rest = not (view.is_working or view.is_planning)
                if is_at_rest and _turned_off(view):
                    return view
                if is_at_rest and view.problem is not None and view.retry_at is None:
                    raise SetupError(view.problem.what, view.problem.remedy)
        return None


def plan_of(daemon: Connection) -> SetupPlanView:
    """Return the daemon's plan by the newest list of packages; raise ClientError if there is none."""
    answer = daemon.ask(PlanSetup(), _PLAN_SECONDS)
    assert isinstance(answer, Done)
    assert answer.setup_plan is not None
    return answer.setup_plan


def plan_rows(plan: SetupPlanView) -> Iterator[tuple[str, str]]:
    """Yield the lines of a plan, each with a label."""
    yield "Packages", plan.title
    yield "Reason", plan.why
    yield "Download", in_bytes(plan.download_bytes)
    yield "On the disk", in_bytes(plan.disk_bytes)
    if plan.remark:
        yield "Note", plan.remark


def progress_sentence(view: EnvironmentView) -> str:
    """Return a sentence about a set-up: what it does, or what it waits for."""
    if view.waiting:
        return f"The set-up waits. {view.waiting}"
    if view.problem is not None:
        when = f" The next attempt is at {view.retry_at.astimezone():%H:%M}." if view.retry_at else ""
        return f"{view.problem.what}{when}"
    if view.is_planning:
        return "Fetching the list of packages."
    if view.wsl is not None and view.wsl.stage in _WSL_STAGES:
        return f"{_WSL_STAGES[view.wsl.stage]}."
    words = _STAGES.get(view.stage, "Beginning")
    amount = f": {in_bytes(view.done)} of {in_bytes(view.total)}" if _has_bytes(view) else ""
    return f"{words}{amount}."


def _turned_off(view: EnvironmentView) -> WslView | None:
    """Return what is told of Windows' Subsystem for Linux if it has to be turned on now, or else None."""
    return view.wsl if view.wsl is not None and view.wsl.action is WslAction.TURN_ON_WSL else None


def _is_complete(view: EnvironmentView) -> bool:
    """Return true if the newest packages are in place; older ones may have been there before."""
    is_at_rest = view.stage in _SETTLED and not (view.is_working or view.is_planning)
    return is_at_rest and view.plan is not None and not view.plan.is_needed


def _has_bytes(view: EnvironmentView) -> bool:
    return view.total > 0 and view.stage in (SetupStage.FETCHING, SetupStage.INSTALLING)


@contextmanager
def _shown(console: Console) -> Iterator[Callable[[EnvironmentView], None]]:
    """Give a function that shows a view: by a bar on a terminal, else by a line for each change of its sentence."""
    if not console.is_terminal:
        yield _ChangedLines(console).show
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("Beginning", total=None)

        def show(view: EnvironmentView) -> None:
            words = _STAGES.get(view.stage, "Beginning")
            named = f"{words} {view.package}" if view.package else words
            text = progress_sentence(view) if view.waiting or view.problem else named
            total = view.total if _has_bytes(view) else None
            bar.update(task, description=text, completed=view.done if total else 0, total=total)

        yield show


class _ChangedLines:
    """Prints a line for each stage, and for each reason to wait: for logs and pipes."""

    def __init__(self, console: Console) -> None:
        self._console, self._last = console, ("", "")

    def show(self, view: EnvironmentView) -> None:
        about = (view.stage.value, view.waiting or (view.problem.what if view.problem else ""))
        if about != self._last:
            self._last = about
            say(self._console, progress_sentence(view))
