"""The verb `open` and the command without a verb: they open the app, on a run that a click or a file names."""

import os
import shlex
import sys
from contextlib import ExitStack, suppress
from typing import Annotated, NoReturn

import typer

from client.console.desktop import check_display, check_libraries, has_display
from client.paths import Paths

NOT_OPENED = 1
"""Exit status where there is no display to open the app on."""


def register(app: typer.Typer) -> None:
    app.command("open")(open_run)


def open_run(
    run: Annotated[
        str | None,
        typer.Argument(
            metavar="LINK|FILE",
            help="A join link, or the web address or file of a run manifest. Without it, the app opens.",
        ),
    ] = None,
) -> None:
    """Show a run in the app, also in the one that is open already; nothing is joined before you agree.

    Without a display, it prints the command that joins the run in a terminal.
    """
    location = None if run is None else _location(run)
    if has_app():
        open_app(offer=location)
    way = "status" if location is None else f"join {shlex.quote(location)}"
    print(f"No window can be opened here. In a terminal: idlebrush {way}")
    raise typer.Exit(NOT_OPENED)


def has_app() -> bool:
    """Return true if the app can open here; a missing library or a display that is gone is reported."""
    from client.api.errors import DisplayError

    if not has_display(os.environ):
        return False
    try:
        check_libraries(os.environ)
        check_display(os.environ)
    except DisplayError as error:
        print(f"{error.what}\n{error.remedy}", file=sys.stderr)
        return False
    return True


def open_app(*, offer: str | None = None, hidden: bool = False, page: str = "now") -> NoReturn:
    """Be the app until it ends; ``offer``: a run to propose, such as ``embedded``."""
    from client.api.launch import DaemonProgram
    from core.children.logs import kept_in
    from gui.app import Opening, run

    paths = Paths.of_user()
    paths.prepare()
    with ExitStack() as kept:
        with suppress(OSError):  # the app opens on a full or read-only disk too
            kept.enter_context(kept_in(paths.log("app"), "gui", "client"))
        status = run(paths, DaemonProgram(), Opening(offer, hidden, page))
    raise typer.Exit(status)


def end_app(paths: Paths) -> None:
    """End the app that is open, if there is one; training goes on.

    Raises:
        ControlError: It is open and does not end.
    """
    from client.api.errors import ControlError

    try:
        from gui.errors import GuiError
        from gui.single import end_first
    except ImportError:  # of Qt, or of a library that Qt needs: a computer without a desktop has no app open
        return
    try:
        is_gone = not paths.runtime.exists() or end_first(paths.runtime / "app")
    except GuiError as error:
        raise ControlError(error.what, error.remedy) from error
    if not is_gone:
        raise ControlError("The app is open, and does not end.", "Quit it in its tray menu, and try again.")


def _location(run: str) -> str:
    """Return the name of the run as the app takes it.

    Raise ClientError if it names none, where a terminal can show that.
    """
    from client.api.errors import ClientError
    from client.api.offer import LONGEST, OfferedRun

    try:
        return OfferedRun.read(run).location
    except ClientError:
        # A click shows no terminal: the app has to say what is wrong with the link.
        if (sys.stderr is not None and sys.stderr.isatty()) or not has_app():
            raise
        return run.strip()[:LONGEST]
