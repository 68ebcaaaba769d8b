"""The verbs `login`, `logout` and `whoami`: the volunteer's account with the Hugging Face Hub."""

import json
from typing import Annotated, Literal

import typer

from client.paths import Paths
from client.verbs.options import AsJson

NOT_SIGNED_IN = 1
"""Exit status of `whoami` if no account is signed in."""


def register(app: typer.Typer) -> None:
    for verb in (login, logout, whoami):
        app.command()(verb)


def login(
    token: Annotated[bool, typer.Option("--token", help="Ask for a token, which is not shown.")] = False,
    token_stdin: Annotated[
        bool, typer.Option("--token-stdin", help="Read the token from standard input.")
    ] = False,
    keep: Annotated[
        Literal["keyring", "session", "file"],
        typer.Option(
            help="Where to keep the sign-in: in the system's keyring, for this session only, or in a file of yours."
        ),
    ] = "keyring",
) -> None:
    """Sign in with the Hugging Face Hub, by a code in the browser unless a token is given.

    Only the Hub sees your token. No organiser and no other volunteer does.
    """
    from client import core_dumps
    from client.console.account_dialogue import read_token, sign_in

    core_dumps.forbid()  # the token is in this process for a moment
    print(sign_in(Paths.of_user(), read_token(token, token_stdin), keep))


def logout() -> None:
    """Delete your sign-in from this computer, and revoke this app's access if the Hub offers that."""
    from client.console.account_dialogue import sign_out

    print(sign_out(Paths.of_user()))


def whoami(as_json: AsJson = False) -> None:
    """Show who is signed in; the exit status is 1 if no account is."""
    from client.console.account_dialogue import account

    view = account(Paths.of_user())
    if as_json:
        print(json.dumps({"signed_in": view is not None} | (view.model_dump() if view else {})))
    elif view:
        print(f"You are signed in as {view.name}. The sign-in is kept {view.kept}.")
    else:
        print("You are not signed in. Sign in with `idlebrush login`.")
    if view is None:
        raise typer.Exit(NOT_SIGNED_IN)
