"""The verb `join`: to train a run, and to sign in again to the one that is trained now."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from pydantic import SecretStr

from client.api.runs import LOCAL_SWARM
from client.joining.embedded import NAMES
from client.paths import Paths
from client.verbs.options import BrowserOption, InvitationOption, KeyOption, sign_in_options

if TYPE_CHECKING:
    from client.console.join_dialogue import JoinOptions, SignInOptions
    from client.joining.invitation import RunInvitation
    from client.unattended.joining import UnattendedOptions


def register(app: typer.Typer) -> None:
    app.command()(join)


def _names(incomplete: str) -> list[str]:
    return [name for name in (*NAMES, LOCAL_SWARM) if name.startswith(incomplete)]


def join(
    run: Annotated[
        str | None,
        typer.Argument(
            help="A join link, the web address or file of a run manifest, or: embedded, embedded-all, "
            "embedded-text, or swarm, which is the embedded run with a coordinator and a second trainer on this "
            "computer. Without it, you sign in again to the run that is trained now.",
            autocompletion=_names,
        ),
    ] = None,
    key: KeyOption = None,
    instead: Annotated[
        bool,
        typer.Option("--instead", help="Leave all other runs. Default: this run takes turns with them."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Consent without being asked, for scripts.")] = False,
    measure: Annotated[
        bool | None,
        typer.Option(
            "--measure/--no-measure",
            help="Measure how fast this computer trains the run. Default: yes, unless --unattended.",
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0, max=600, help="Duration of the speed measurement.")] = 60.0,
    invitation: InvitationOption = None,
    browser: BrowserOption = None,
    keep: Annotated[
        Literal["keyring", "session", "file"],
        typer.Option(help="Where to keep the sign-in to a run that has a gate, as for `idlebrush login`."),
    ] = "keyring",
    unattended: Annotated[
        bool,
        typer.Option(
            "--unattended",
            help="For servers and containers: consent to what is printed, be asked nothing, train always within the "
            "limits, and stay in the foreground until SIGTERM. The run may also be named by IDLEBRUSH_RUN. Exit "
            "status 4: only a person can help.",
        ),
    ] = False,
    detach: Annotated[
        bool, typer.Option("--detach", help="With --unattended: go on in the background, and return.")
    ] = False,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="With --unattended: a preference, such as ram-limit=8GiB, upload=2MB/s or hours=22:00-07:00; may be "
            "repeated. IDLEBRUSH_PREF_RAM_LIMIT=8GiB in the environment does the same.",
        ),
    ] = None,
    again: Annotated[
        bool,
        typer.Option("--again", help="With --unattended: join the run again after you have left it by hand."),
    ] = False,
    server_pass: Annotated[
        Path | None,
        typer.Option(
            "--pass",
            metavar="FILE",
            help="With --unattended: this computer's pass to a run that has a gate, made by `idlebrush server-pass` "
            "on a computer with a browser. IDLEBRUSH_PASS_FILE names it as well.",
        ),
    ] = None,
) -> None:
    """Join a run: see what it does on this computer, consent, and start training."""
    from client.console.join_dialogue import JoinOptions

    if unattended:
        from client.unattended.joining import UnattendedOptions

        _require_unasked(invitation, browser, keep)
        measured = seconds if measure else None
        given = UnattendedOptions(tuple(limit or ()), server_pass, measured, instead, again)
        _join_unattended(run, key, given, detach)
        return
    if detach or limit or server_pass or again:
        raise typer.BadParameter("--detach, --limit, --pass and --again need --unattended")
    sign_in = sign_in_options(invitation, browser, keep)
    options = JoinOptions(yes, None if measure is False else seconds, is_local=run in (*NAMES, LOCAL_SWARM))
    if run is None:
        _again(sign_in)
    elif run == LOCAL_SWARM:
        _join_local_swarm(options, instead)
    else:
        _join_invited(run, key, replace(options, sign_in=sign_in), instead)


def _require_unasked(invitation: str | None, browser: bool | None, keep: str) -> None:
    """Refuse the options of a sign-in, which needs a person."""
    given = {
        "--invitation": invitation is not None,
        "--browser": bool(browser),
        "--no-browser": browser is False,
        "--keep": keep != "keyring",
    }
    if options := [option for option, is_given in given.items() if is_given]:
        raise typer.BadParameter(
            f"{' and '.join(options)} cannot be used with --unattended, which signs in nowhere; "
            "`idlebrush server-pass` does, on a computer with a browser"
        )


def _join_unattended(run: str | None, key: str | None, options: "UnattendedOptions", detach: bool) -> None:
    from rich.console import Console

    from client.api.errors import PersonNeeded
    from client.unattended.joining import UnattendedJoin, replace_process

    paths = Paths.of_user()
    options = replace(options, note=_about_others(paths, options.instead))
    joining = UnattendedJoin(Console(highlight=False), paths, options)
    try:
        invited = _named_run(run, key)
        if not detach:
            joining.in_foreground(invited, replace_process)
        joined = joining.detached(invited)
    except PersonNeeded as error:
        print(f"idlebrush: {error.what}\n{error.remedy}", file=sys.stderr)
        raise typer.Exit(PersonNeeded.STATUS) from None
    print(f"Joined: {joined.manifest.contact.title}. `idlebrush status` shows how it goes.")


def _named_run(run: str | None, key: str | None) -> "RunInvitation":
    """Return the run that the argument or the environment names; raise PersonNeeded if none is named, or wrongly."""
    from client.api.errors import PersonNeeded
    from client.joining.invitation import read_invitation
    from client.unattended.terms import RUN_VARIABLE
    from core.errors import ManifestError

    run = run or os.environ.get(RUN_VARIABLE)
    if not run or run == LOCAL_SWARM:
        raise PersonNeeded(
            "No run of volunteers is named.", f"Name one by an argument of `join`, or by {RUN_VARIABLE}."
        )
    try:
        return read_invitation(run, key)
    except ManifestError as error:
        raise PersonNeeded(error.what, error.remedy) from error


def _join_invited(run: str, key: str | None, options: "JoinOptions", instead: bool) -> None:
    """Join the run of that name; an invitation code of its link serves where no other was given."""
    from client.joining.invitation import read_invitation

    invited, sign_in = read_invitation(run, key), options.sign_in
    if sign_in is not None and sign_in.invitation is None and invited.code:
        options = replace(options, sign_in=replace(sign_in, invitation=SecretStr(invited.code)))
    _join(invited, options, instead)


def _join(invited: "RunInvitation", options: "JoinOptions", instead: bool) -> None:
    from rich.console import Console

    from client.api.commands import Join
    from client.api.launch import ensure_daemon
    from client.console.join_dialogue import Dialogue

    paths = Paths.of_user()
    options = replace(options, note=_about_others(paths, instead))
    joined = Dialogue(Console(highlight=False), typer.confirm, paths).hold(invited, options)
    if joined is None:
        print("Nothing was joined.")
        raise typer.Exit(1)
    with ensure_daemon(paths) as daemon:
        daemon.ask(Join(folder=str(joined.folder), instead=instead))
    print(f"Joined: {joined.manifest.contact.title}. `idlebrush status --watch` shows how it goes.")


def _about_others(paths: Paths, instead: bool) -> str:
    """Return a sentence about the runs that are joined already; empty if there are none."""
    from client.service.kept.joined_runs import titles_in

    titles = ", ".join(titles_in(paths.joined))
    if not titles:
        return ""
    if instead:
        return f"This computer then no longer trains: {titles}."
    return f"You join it in addition to: {titles}. The runs take turns; `idlebrush runs share` sets their shares."


def _join_local_swarm(options: "JoinOptions", instead: bool) -> None:
    from client.console.local_swarm import local_swarm

    with local_swarm(Paths.of_user()) as invited:
        _join(invited, options, instead)


def _again(options: "SignInOptions") -> None:
    """Sign in to the joined run, whose membership has ended or is not here."""
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
