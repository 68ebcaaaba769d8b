"""The command line `idlebrush`. What a verb needs is imported when it is called: `--help` must be quick."""

import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from io import StringIO, TextIOWrapper
from typing import Annotated

import typer

from client.verbs import (
    account,
    bench,
    demo,
    doctor,
    groups,
    join,
    leaderboard,
    logs,
    plan,
    preferences,
    receipts,
    server_pass,
    setup,
    stats,
    status,
    uninstall,
    update,
)
from client.verbs import (
    app as desktop_app,
)
from client.verbs.models import checkpoint, generate, text
from client.verbs.remote import computers as remote
from core.children.logs import VERBOSE_VARIABLE
from core.errors import CoreError
from core.packages import not_installed

REFUSED = 2
"""Exit status where what was asked for cannot be done; 1 means that it was tried and did not succeed."""

app = typer.Typer(
    help="Train one model together, on the idle computers of volunteers.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
)
for verbs in (
    status,
    setup,
    join,
    server_pass,
    desktop_app,
    preferences,
    account,
    stats,
    receipts,
    leaderboard,
    doctor,
    logs,
    update,
    demo,
    generate,
    text,
    bench,
    plan,
    checkpoint,
    uninstall,
    remote,
    groups,
):
    verbs.register(app)


def main(words: Sequence[str] | None = None) -> None:
    """Run the command line; a known failure is printed in two lines."""
    _settle_streams()
    try:
        app(words)
    except (CoreError, ModuleNotFoundError) as error:
        known = not_installed(error) if isinstance(error, ModuleNotFoundError) else error
        print(f"idlebrush: {known.what}\n{known.remedy}", file=sys.stderr)
        sys.exit(REFUSED)
    except OSError as error:
        print(
            f"idlebrush: {error}\nCheck that the disk has space and that the folder can be used.",
            file=sys.stderr,
        )
        sys.exit(REFUSED)


def _settle_streams() -> None:
    """Replace a closed standard input by an empty one, and print `?` for characters that the output cannot encode."""
    sys.stdin = sys.stdin or StringIO()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"idlebrush {version('idlebrush')}")
        raise typer.Exit


def _log_more(wanted: bool) -> None:
    if wanted:
        os.environ[VERBOSE_VARIABLE] = "1"


Verbose = Annotated[
    bool,
    typer.Option(
        "--verbose", callback=_log_more, help="Log more details, in all processes that this command starts."
    ),
]


@app.callback()
def idlebrush(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    background: Annotated[
        bool,
        typer.Option("--background", help="Start without a window, with the tray icon only, as at login."),
    ] = False,
    _verbose: Verbose = False,
) -> None:
    if context.invoked_subcommand is not None:
        return
    if desktop_app.has_app():
        desktop_app.open_app(hidden=background)
    elif background:
        daemon()
    else:
        status.status()


@app.command()
def daemon(_verbose: Verbose = False) -> None:
    """Run the client that trains until it is stopped; verbs that need it start it in the background."""
    # In place of this process, so that what the command line loaded does not stay in memory.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "client.daemon"])


if __name__ == "__main__":
    main()
