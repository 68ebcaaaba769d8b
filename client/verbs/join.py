"""The verb `join`."""

from typing import Annotated

import typer

from client.joining.embedded import NAMES
from client.paths import Paths


def register(app: typer.Typer) -> None:
    app.command()(join)


def _names(incomplete: str) -> list[str]:
    return [name for name in NAMES if name.startswith(incomplete)]


def join(
    run: Annotated[
        str,
        typer.Argument(
            help="A join link, the web address or file of a run manifest, or: embedded, embedded-all.",
            autocompletion=_names,
        ),
    ],
    key: Annotated[
        str | None, typer.Option(metavar="FINGERPRINT", help="Of the organiser's key, if no link carries it.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Consent without being asked, for scripts.")] = False,
    measure: Annotated[bool, typer.Option(help="Try out how fast this computer trains the run.")] = True,
    seconds: Annotated[float, typer.Option(min=0, max=600, help="To try it out for.")] = 60.0,
) -> None:
    """Train a run: see what it does to this computer, consent, and let it begin."""
    from importlib.metadata import version

    from rich.console import Console

    from client.api.launch import ensure_daemon
    from client.api.requests import Join
    from client.console.join_dialogue import Dialogue, JoinOptions
    from client.joining.download import Web
    from client.joining.invitation import read_invitation

    paths = Paths.of_user()
    options = JoinOptions(consented=yes, trial_seconds=seconds if measure else None)
    with Web(f"idlebrush/{version('idlebrush')}") as web:
        joined = Dialogue(Console(highlight=False), typer.confirm, paths, web).hold(
            read_invitation(run, key), options
        )
    if joined is None:
        print("Nothing was joined.")
        raise typer.Exit(1)
    with ensure_daemon(paths) as daemon:
        daemon.ask(Join(folder=str(joined.folder)))
    print(f"Joined: {joined.manifest.contact.title}. `idlebrush status --watch` shows how it goes.")
