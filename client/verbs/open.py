"""The verb `open`: what a click on a link or a file of a run starts."""

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
        str,
        typer.Argument(
            metavar="LINK|FILE", help="A join link, or the web address or file of a run manifest."
        ),
    ],
) -> None:
    """Show a run in the app, also in the one that is open already; nothing is joined before you agree.

    Without a display, it prints the command that joins the run in a terminal.
    """
    from client.api.offer import LONGEST, OfferedRun
    from core.errors import CoreError

    try:
        location = OfferedRun.read(run).location
    except CoreError:
        # A click shows no terminal: the app has to say what is wrong with the link.
        if (sys.stderr is not None and sys.stderr.isatty()) or not has_app():
            raise
        location = run.strip()[:LONGEST]
    if has_app():
        open_app(offer=location)
    print(
        f"No window can be opened here. To join the run in a terminal: idlebrush join {shlex.quote(location)}"
    )
    raise typer.Exit(NOT_OPENED)
