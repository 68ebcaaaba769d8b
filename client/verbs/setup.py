"""The verb `setup`: what training needs beside the app is downloaded and installed."""

from typing import TYPE_CHECKING, Annotated

import typer

from client.paths import Paths
from client.verbs.options import INTERRUPTED, AsJson

if TYPE_CHECKING:
    from client.api.requests import AnyRequest

_ONE = "Give one of --plan, --pause, --resume and --cancel."


def register(app: typer.Typer) -> None:
    app.command()(setup)


def setup(
    yes: Annotated[bool, typer.Option("--yes", help="Consent without being asked, for scripts.")] = False,
    plan: Annotated[bool, typer.Option("--plan", help="Show what would be installed, and end.")] = False,
    pause: Annotated[bool, typer.Option("--pause", help="Pause the download.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the download.")] = False,
    cancel: Annotated[
        bool, typer.Option("--cancel", help="Give it up, and remove what was downloaded.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Download and install what training needs beside the app: PyTorch, hivemind and their packages.

    Idlebrush chooses them for this computer. It continues in the background after Ctrl-C, and after a restart.
    """
    from client.api.environment import CancelSetup, PauseSetup, ResumeSetup

    orders: tuple[tuple[bool, AnyRequest], ...] = (
        (pause, PauseSetup()),
        (resume, ResumeSetup()),
        (cancel, CancelSetup()),
    )
    chosen = [request for given, request in orders if given]
    if len(chosen) + plan > 1:
        raise typer.BadParameter(_ONE)
    if chosen:
        _order(chosen[0])
    elif plan:
        _show_plan(as_json)
    else:
        _set_up(yes, as_json)


def _order(request: "AnyRequest") -> None:
    from client.api.launch import ensure_daemon
    from client.console.sign_in import ask

    with ensure_daemon(Paths.of_user()) as daemon:
        print(ask(daemon, request, _SECONDS))


_SECONDS = 120.0
"""Time limit for an order: gigabytes may have to be removed."""


def _show_plan(as_json: bool) -> None:
    from rich.console import Console

    from client.api.launch import ensure_daemon
    from client.console.setup_dialogue import SetupDialogue, plan_of

    paths = Paths.of_user()
    with ensure_daemon(paths) as daemon:
        found = plan_of(daemon)
    if as_json:
        print(found.model_dump_json())
    else:
        SetupDialogue(Console(highlight=False), typer.confirm, paths).show(found)


def _set_up(yes: bool, as_json: bool) -> None:
    from rich.console import Console

    from client.api.launch import ensure_daemon
    from client.console.setup_dialogue import SetupDialogue
    from client.console.sign_in import look

    paths = Paths.of_user()
    console = Console(highlight=False, stderr=as_json)
    try:
        is_there = SetupDialogue(console, typer.confirm, paths).hold(consented=yes)
    except KeyboardInterrupt:
        console.print(
            "The set-up continues in the background. `idlebrush setup` shows it; with --pause or --cancel it stops."
        )
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        with ensure_daemon(paths) as daemon:
            view = look(daemon).environment
        print(view.model_dump_json() if view else "null")
    raise typer.Exit(0 if is_there else 1)
