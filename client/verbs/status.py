"""The verbs that show and steer the daemon: `status`, `pause`, `resume`, `finish`, `leave`, `quit`."""

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from client.paths import Paths
from client.verbs.app import end_app
from client.verbs.options import AsJson

if TYPE_CHECKING:
    from client.api.connection import Connection
    from client.api.requests import AnyRequest
    from client.api.snapshot import Snapshot

NOT_RUNNING = 1
"""Exit status of `status` where there is no daemon."""
_POLL = 0.05
_SECONDS_TO_END = 60.0
"""Seconds to wait for the daemon's end: more than it takes to leave a swarm and to end what it started."""


def register(app: typer.Typer) -> None:
    for verb in (status, pause, resume, finish, leave):
        app.command()(verb)
    app.command("quit")(end)


def status(
    watch: Annotated[bool, typer.Option("--watch", help="Keep showing the status until Ctrl-C.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what Idlebrush does on this computer, and why; exit status 1 if it is not running."""
    from client.api.connection import Connection
    from client.api.errors import NoDaemon

    try:
        with Connection.open(Paths.of_user().socket) as daemon:
            _follow(daemon, as_json) if watch else _show(_snapshot(daemon), as_json)
    except NoDaemon:
        _show(None, as_json)
        raise typer.Exit(NOT_RUNNING) from None
    except KeyboardInterrupt:
        pass  # how watching ends


def pause(
    duration: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="TIME",
            help="Length of the pause, such as 15m, 1h or tomorrow. Default: until resumed.",
        ),
    ] = None,
) -> None:
    """Stop training now."""
    from client.api.commands import Pause
    from client.preferences.snooze import snooze_seconds

    seconds = None if duration is None else snooze_seconds(duration, datetime.now(UTC))
    _order(Pause(seconds=seconds), "Paused." if seconds is None else f"Paused for {_span(seconds)}.")


def resume() -> None:
    """Let the preferences decide again when to train."""
    from client.api.commands import Resume

    _order(Resume(), "Resumed: your preferences decide again.")


def finish() -> None:
    """Complete the current epoch, then stop until resumed."""
    from client.api.commands import Finish

    _order(Finish(), "Finishing the current epoch; then training stops until `idlebrush resume`.")


def leave(
    run: Annotated[
        str | None,
        typer.Argument(help="Title, part of the title or digest of the run, if several are joined."),
    ] = None,
    membership: Annotated[
        bool, typer.Option("--membership", help="End your membership at the run's gate as well.")
    ] = False,
    swarm: Annotated[
        bool,
        typer.Option(
            "--swarm", help="Stop the swarm on this computer, leave its run, and remove the files of both."
        ),
    ] = False,
) -> None:
    """Leave a run. Its files and your contribution are kept."""
    from client.api.commands import Leave
    from client.verbs.runs.joined import run_to_leave

    if swarm:
        _remove_local_swarm()
        return
    with daemon_with_run(Paths.of_user()) as daemon:
        snapshot = _snapshot(daemon)
        digest = run_to_leave(snapshot.runs if snapshot else (), run)
        done = _answer(daemon, Leave(membership=membership, run=digest))
        print(done or "This computer no longer trains the run.")


def _remove_local_swarm() -> None:
    from client.api.launch import ensure_daemon
    from client.api.runs import RemoveLocalSwarm

    with ensure_daemon(Paths.of_user()) as daemon:
        print(_answer(daemon, RemoveLocalSwarm()))


def end(
    app: Annotated[
        bool, typer.Option("--app", help="End the app as well, as an installer needs it.")
    ] = False,
) -> None:
    """Leave the swarm, and stop Idlebrush on this computer."""
    from client.api.commands import Quit
    from client.api.connection import Connection
    from client.api.errors import ControlError, NoDaemon

    paths = Paths.of_user()
    if app:
        end_app(paths)
    try:
        with Connection.open(paths.socket) as daemon:
            print(_answer(daemon, Quit()) or "Idlebrush leaves the swarm and ends.", flush=True)
            if not _is_gone(daemon, paths):
                what = f"Idlebrush has not ended after {_SECONDS_TO_END:.0f} seconds."
                raise ControlError(what, "Run `idlebrush status` in a minute to see whether it has.")
    except NoDaemon:
        print("Idlebrush is not running.")


def _is_gone(daemon: "Connection", paths: Paths) -> bool:
    """Return true if another daemon can start: this one ended its connections and released its lock in time."""
    deadline = time.monotonic() + _SECONDS_TO_END
    gone = daemon.ends(_SECONDS_TO_END)
    while gone and not _is_free(paths):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL)
    return gone


def _is_free(paths: Paths) -> bool:
    from client.api.errors import AlreadyRunning
    from client.service.channel.lock import DaemonLock

    try:
        with DaemonLock(paths.lock, paths.socket):
            return True
    except AlreadyRunning:
        return False


def _order(request: "AnyRequest", done: str) -> None:
    """Send the daemon a request, and print its answer, or ``done``; raises NoRun if no run is joined."""
    with daemon_with_run(Paths.of_user()) as daemon:
        print(_answer(daemon, request) or done)


def daemon_with_run(paths: Paths) -> "Connection":
    """Return the daemon that runs, or start one for the joined run.

    Raise NoRun if there is neither: a daemon without a run would have nothing to do.
    """
    from client.api.connection import Connection
    from client.api.errors import NoDaemon, NoRun
    from client.api.launch import ensure_daemon
    from client.service.kept.choices import has_run

    try:
        Connection.open(paths.socket).close()
    except NoDaemon:
        if not has_run(paths.state):
            raise NoRun from None
    return ensure_daemon(paths)


def _answer(daemon: "Connection", request: "AnyRequest") -> str:
    from client.api.answers import Done

    answer = daemon.ask(request)
    return answer.text if isinstance(answer, Done) else ""


def _snapshot(daemon: "Connection") -> "Snapshot | None":
    from client.api.answers import Status
    from client.api.questions import GetStatus

    answer = daemon.ask(GetStatus())
    return answer.snapshot if isinstance(answer, Status) else None


def _show(snapshot: "Snapshot | None", as_json: bool) -> None:
    if as_json:
        print(snapshot.model_dump_json() if snapshot else "null", flush=True)
        return
    from rich.console import Console

    from client.console.status_view import no_daemon, view

    now = datetime.now().astimezone()
    Console(highlight=False).print(view(snapshot, now) if snapshot else no_daemon())


def _follow(daemon: "Connection", as_json: bool) -> None:
    """Show each change until the daemon ends, which raises NoDaemon."""
    from rich.console import Console
    from rich.live import Live

    from client.console.status_view import view

    console = Console(highlight=False)
    if as_json or not console.is_terminal:
        for snapshot in daemon.watch():
            _show(snapshot, as_json)
        return
    with Live(console=console, auto_refresh=False, screen=True) as live:
        for snapshot in daemon.watch():
            live.update(view(snapshot, datetime.now().astimezone()), refresh=True)


def _span(seconds: float) -> str:
    from client.console.amounts import in_time

    return in_time(seconds)
