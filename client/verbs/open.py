"""The verb `open`: what a desktop starts for a click on a link or on a file of a run."""

import shlex
import sys
from typing import Annotated

import typer

from client.verbs.app import has_app, open_app

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
