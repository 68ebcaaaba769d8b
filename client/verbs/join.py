"""The verb `join`: to train a run, and to sign in again to the one that is joined."""

import os
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from pydantic import SecretStr

from client.joining.embedded import NAMES
from client.paths import Paths

if TYPE_CHECKING:
    from client.console.join_dialogue import JoinOptions, SignInOptions
    from client.joining.invitation import RunInvitation


def register(app: typer.Typer) -> None:
    app.command()(join)


def _names(incomplete: str) -> list[str]:
    return [name for name in NAMES if name.startswith(incomplete)]


def join(
    run: Annotated[
        str | None,
        typer.Argument(
            help="A join link, the web address or file of a run manifest, or: embedded, embedded-all. "
            "Without it, you sign in again to the run that you have joined.",
            autocompletion=_names,
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            metavar="FINGERPRINT", help="Fingerprint of the organiser's key, if the link does not contain it."
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Consent without being asked, for scripts.")] = False,
    measure: Annotated[bool, typer.Option(help="Measure how fast this computer trains the run.")] = True,
    seconds: Annotated[float, typer.Option(min=0, max=600, help="Duration of the speed measurement.")] = 60.0,
    invitation: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="Invitation code for the run's gate, if the link has none."),
    ] = None,
    browser: Annotated[
        bool | None,
        typer.Option(
            "--browser/--no-browser",
            help="Sign in through a browser on this computer, or by a code that you enter in a browser elsewhere.",
        ),
    ] = None,
    keep: Annotated[
        Literal["keyring", "session", "file"],
        typer.Option(help="Where to keep the sign-in to a run that has a gate, as for `idlebrush login`."),
    ] = "keyring",
) -> None:
    """Join a run: see what it does on this computer, consent, and start training."""
    from client.console.sign_in import has_browser

    if browser is None:
        browser = has_browser(os.environ)
    if run is None:
        _again(_sign_in_options(invitation, browser, keep))
        return
    from client.console.join_dialogue import JoinOptions
    from client.joining.invitation import read_invitation

    invited = read_invitation(run, key)
    sign_in = _sign_in_options(invitation or invited.code, browser, keep)
    options = JoinOptions(consented=yes, benchmark_seconds=seconds if measure else None, sign_in=sign_in)
    _join(invited, options)


def _join(invited: "RunInvitation", options: "JoinOptions") -> None:
    from rich.console import Console

    from client.api.commands import Join
    from client.api.launch import ensure_daemon
    from client.console.join_dialogue import Dialogue

    paths = Paths.of_user()
    joined = Dialogue(Console(highlight=False), typer.confirm, paths).hold(invited, options)
    if joined is None:
        print("Nothing was joined.")
        raise typer.Exit(1)
    with ensure_daemon(paths) as daemon:
        daemon.ask(Join(folder=str(joined.folder)))
    print(f"Joined: {joined.manifest.contact.title}. `idlebrush status --watch` shows how it goes.")


def _sign_in_options(
    invitation: str | None, browser: bool, keep: Literal["keyring", "session", "file"]
) -> "SignInOptions":
    from client.account.tasks import HubSettings
    from client.console.join_dialogue import SignInOptions

    hub = HubSettings.of_environment(os.environ).endpoint
    return SignInOptions(hub, browser, SecretStr(invitation) if invitation else None, keep)


def _again(options: "SignInOptions") -> None:
    """Sign in to the joined run, whose membership has ended or is not here."""
    from pathlib import Path

    from client.api.errors import JoinError
    from client.api.launch import ensure_daemon
    from client.console.join_dialogue import sign_in_at_gate
    from client.console.sign_in import look
    from client.joining.run_card import MANIFEST
    from core.run.manifest import RunManifest

    paths = Paths.of_user()
    with ensure_daemon(paths) as daemon:
        joined = look(daemon).run
    if joined is None:
        raise JoinError("No run was joined.", "Give a join link: `idlebrush join LINK`.")
    if not joined.has_gate:
        raise JoinError(f"{joined.title} needs no sign-in.", "See `idlebrush status` for what it does.")
    manifest = RunManifest.load(Path(joined.folder) / MANIFEST)
    print(f"You sign in to {manifest.contact.title} at {manifest.contact.coordinator}.")
    print(sign_in_at_gate(paths, manifest, options))
