"""The command without a verb: opens the app where there is a display, and shows the status elsewhere."""

import os
import sys
from contextlib import ExitStack, suppress
from typing import NoReturn

import typer

from client.console.desktop import check_display, check_libraries, has_display
from client.paths import Paths


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
    from gui.errors import GuiError
    from gui.single import end_first

    try:
        is_gone = not paths.runtime.exists() or end_first(paths.runtime / "app")
    except GuiError as error:
        raise ControlError(error.what, error.remedy) from error
    if not is_gone:
        raise ControlError("The app is open, and does not end.", "Quit it in its tray menu, and try again.")
