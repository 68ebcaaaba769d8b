"""The verb `logs`: shows what the processes of this machine, or of a coordinator, have logged."""

import time
from pathlib import Path
from typing import Annotated

import typer

from client.paths import Paths

_LOOK_SECONDS = 0.3


def register(app: typer.Typer) -> None:
    app.command()(logs)


def logs(
    trainer: Annotated[bool, typer.Option("--trainer", help="Only the trainer's log.")] = False,
    daemon: Annotated[bool, typer.Option("--daemon", help="Only the daemon's log.")] = False,
    window: Annotated[bool, typer.Option("--app", help="Only the app's log.")] = False,
    coordinator: Annotated[
        Path | None,
        typer.Option(
            "--coordinator", metavar="DIR", help="The logs of the coordinator in this folder instead."
        ),
    ] = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Wait for more until Ctrl-C.")] = False,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="Last lines of each file to show.")] = 40,
) -> None:
    """Show the last lines of the logs, which explain failures.

    For more details start the daemon, the demo or the coordinator with --verbose, such as: idlebrush --verbose
    coordinator serve DIR.
    """
    from client.log_files import LogFollower, NoLogs, found

    folder = coordinator / "logs" if coordinator is not None else Paths.of_user().logs
    names = [name for name, wanted in (("trainer", trainer), ("daemon", daemon), ("app", window)) if wanted]
    files = found(folder, names)
    if not files and not follow:
        raise NoLogs(folder, names)
    followers = {path: LogFollower(path) for path in files}
    shown = _Shown(several=len(names) != 1 and (follow or len(files) > 1))
    for path, follower in followers.items():
        shown.show(path, follower.skip(lines))
    while follow:
        time.sleep(_LOOK_SECONDS)
        for path in found(folder, names):  # a process that starts now may begin its log
            shown.show(path, list(followers.setdefault(path, LogFollower(path)).new_lines()))


class _Shown:
    """Prints lines under the name of their file, as `tail` does."""

    def __init__(self, *, several: bool) -> None:
        self._several, self._last = several, Path()

    def show(self, path: Path, lines: list[str]) -> None:
        if not lines:
            return
        if self._several and path != self._last:
            print(f"==> {path.name} <==")
            self._last = path
        print("\n".join(lines), flush=True)
