"""The verb `update`: looks for a newer version through the daemon, and follows its installation to the new daemon."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from client.paths import Paths

if TYPE_CHECKING:
    from client.api.connection import Connection
    from client.api.requests import AnyRequest
    from client.api.snapshot import Snapshot
    from client.api.updates import UpdateStage, UpdateView

FAILED = 1
"""Exit status where the newer version was not installed."""
_POLL = 0.5
_CHECK_SECONDS = 240.0
_SECONDS_TO_CHANGE = 300.0
"""Seconds without a change after which the installation is no longer followed."""


def register(app: typer.Typer) -> None:
    app.command()(update)


def update(
    check: Annotated[
        bool, typer.Option("--check", help="Only tell whether there is a newer version.")
    ] = False,
) -> None:
    """Look for a newer version of Idlebrush, and install it now; exit status 1 if it was not installed."""
    from client.api.errors import NoDaemon
    from client.api.launch import ensure_daemon
    from client.api.updates import CheckForUpdate, InstallUpdate, UpdateStage

    paths = Paths.of_user()
    with ensure_daemon(paths) as daemon:
        before = _snapshot(daemon).version
        print(_answer(daemon, CheckForUpdate(), _CHECK_SECONDS), flush=True)
        if check:
            return
        try:
            stage = _stage(daemon)
            if stage is UpdateStage.REJECTED:
                raise typer.Exit(FAILED)
            if stage in (None, UpdateStage.CURRENT, UpdateStage.ON_TRIAL):
                return
            # It may be fetched already, and would be installed at the next pause.
            if stage in (UpdateStage.OFFERED, UpdateStage.FETCHING, UpdateStage.FETCHED):
                print(_answer(daemon, InstallUpdate()), flush=True)
        except NoDaemon:
            pass  # it has installed the version by itself, as nothing stood against it, and ended for it
    if not _follow(paths, before):
        raise typer.Exit(FAILED)


def _stage(daemon: "Connection") -> "UpdateStage | None":
    view = _snapshot(daemon).update
    return view.stage if view is not None else None


def _follow(paths: Paths, before: str) -> bool:
    """Show what happens until another version answers; return false if none does."""
    from client.api.connection import Connection
    from client.api.errors import ControlError, DaemonOld

    shown, until = "", time.monotonic() + _SECONDS_TO_CHANGE
    while time.monotonic() < until:
        time.sleep(_POLL)
        try:
            with Connection.open(paths.socket) as daemon:
                snapshot = _snapshot(daemon)
        except DaemonOld:  # a newer one, whose messages differ
            print("The new version of Idlebrush runs.")
            return True
        except ControlError:
            continue  # the daemon ends for the new one
        if (is_installed := _is_installed(snapshot, before)) is not None:
            return is_installed
        if snapshot.update is not None and (line := _line(snapshot.update)) != shown:
            print(line, flush=True)
            shown, until = line, time.monotonic() + _SECONDS_TO_CHANGE
    print("The new version is not there yet. `idlebrush update --check` tells how far it is.")
    return False


def _is_installed(snapshot: "Snapshot", before: str) -> bool | None:
    """Print the outcome, and return true if a new version runs, false if it was not installed; None: not yet."""
    if snapshot.version != before:
        print(f"Idlebrush {snapshot.version} runs.")
        return True
    if snapshot.update is None or snapshot.update.problem is None:
        return None
    print(f"{snapshot.update.problem.what}\n{snapshot.update.problem.remedy}")
    return False


def _line(view: "UpdateView") -> str:
    from client.console.amounts import in_bytes

    if view.total:
        tenth = max(1, view.total // 10)
        return f"{in_bytes(view.done // tenth * tenth)} of {in_bytes(view.total)} are here."
    return f"The update of Idlebrush is {view.stage}."


def _answer(daemon: "Connection", request: "AnyRequest", seconds: float = 30.0) -> str:
    from client.api.answers import Done

    answer = daemon.ask(request, seconds)
    return answer.text if isinstance(answer, Done) else ""


def _snapshot(daemon: "Connection") -> "Snapshot":
    from client.api.answers import Status
    from client.api.questions import GetStatus

    answer = daemon.ask(GetStatus())
    assert isinstance(answer, Status), "that is the answer to this question"
    return answer.snapshot
