"""The verbs `login`, `logout` and `whoami`: the volunteer's account with the Hugging Face Hub."""

import contextlib
import json
import sys
import threading
from collections.abc import Iterator
from typing import Annotated

import typer
from pydantic import SecretStr

from client.api.connection import Connection
from client.api.errors import ClientError, SignInError
from client.api.launch import ensure_daemon
from client.api.requests import CancelSignIn, Done, GetStatus, SignIn, SignOut, Status
from client.api.snapshot import AccountView, SignInView
from client.credentials import Keep
from client.paths import Paths
from client.verbs.options import AsJson

_LOGIN_SECONDS = 3700.0
"""A little more than the daemon waits for a code to be entered."""
_LOGOUT_SECONDS = 200.0
"""Keyring and Hub have a minute each."""
_LOOK_SECONDS = 0.3
_LONGEST_TOKEN = 4096


def register(app: typer.Typer) -> None:
    app.command()(login)
    app.command()(logout)
    app.command()(whoami)


def login(
    token: Annotated[bool, typer.Option("--token", help="Ask for a token, which is not shown.")] = False,
    token_stdin: Annotated[
        bool, typer.Option("--token-stdin", help="Read the token from standard input.")
    ] = False,
    keep: Annotated[
        Keep,
        typer.Option(
            help="Where: the system's keyring, this session only, or a file that only you can read."
        ),
    ] = Keep.KEYRING,
) -> None:
    """Sign in with the Hugging Face Hub, by a code in the browser unless a token is given.

    Only the Hub ever sees your token: no run's organiser, and no other volunteer, does.
    """
    secret = _read_token(token, token_stdin)
    paths = Paths.of_user()
    with ensure_daemon(paths) as connection, _code_shown(paths):
        done = _until_signed_in(paths, connection, SignIn(token=secret, keep=keep.value))
    print(done.says)


def logout() -> None:
    """Forget your sign-in on this computer, and take this app's access back where the Hub offers that."""
    with ensure_daemon(Paths.of_user()) as connection:
        done = connection.ask(SignOut(), _LOGOUT_SECONDS)
    assert isinstance(done, Done)
    print(done.says)


def whoami(as_json: AsJson = False) -> None:
    """Show who is signed in; exit status 1 if nobody is."""
    with ensure_daemon(Paths.of_user()) as connection:
        status = connection.ask(GetStatus())
    assert isinstance(status, Status)
    account = status.snapshot.account
    print(_as_json(account) if as_json else _in_words(account))
    if account is None:
        raise typer.Exit(1)


def _read_token(hidden: bool, stdin: bool) -> SecretStr | None:
    """Never from an argument or the environment, where other programs could read it."""
    if hidden and stdin:
        raise SignInError("A token can come from one place only.", "Give --token or --token-stdin.")
    if hidden and not sys.stdin.isatty():
        raise SignInError(
            "There is no terminal to type a token at.", "Pipe it to `idlebrush login --token-stdin`."
        )
    if hidden:
        text = typer.prompt("Token (it will not be shown)", hide_input=True)
    elif stdin:
        text = sys.stdin.readline(_LONGEST_TOKEN + 2)
    else:
        return None
    if not (text := text.strip()):
        raise SignInError("No token was given.", "Copy one from https://huggingface.co/settings/tokens.")
    return SecretStr(text)


def _until_signed_in(paths: Paths, connection: Connection, request: SignIn) -> Done:
    try:
        done = connection.ask(request, _LOGIN_SECONDS)
    except KeyboardInterrupt:
        with contextlib.suppress(ClientError), Connection.open(paths.socket) as another:
            another.ask(CancelSignIn())
        raise
    assert isinstance(done, Done)
    return done


@contextlib.contextmanager
def _code_shown(paths: Paths) -> Iterator[None]:
    """Print, meanwhile, the code that the Hub gives: the connection that asked for it waits for its end."""
    ended = threading.Event()
    looking = threading.Thread(target=_look_for_code, args=(paths, ended))
    looking.start()
    try:
        yield
    finally:
        ended.set()
        looking.join()


def _look_for_code(paths: Paths, ended: threading.Event) -> None:
    shown: SignInView | None = None
    with contextlib.suppress(ClientError), Connection.open(paths.socket) as connection:  # `login` tells of it
        while not ended.wait(_LOOK_SECONDS):
            status = connection.ask(GetStatus())
            assert isinstance(status, Status)
            code = status.snapshot.sign_in
            if code and code != shown:
                _print_code(code)
                shown = code


def _print_code(view: SignInView) -> None:
    print(
        f"Open {view.address}\nand enter the code {view.code}, until {view.expires.astimezone():%H:%M}. "
        "Waiting for that; Ctrl-C cancels.",
        flush=True,
    )


def _as_json(account: AccountView | None) -> str:
    return json.dumps({"signed_in": account is not None} | (account.model_dump() if account else {}))


def _in_words(account: AccountView | None) -> str:
    if account is None:
        return "You are not signed in. Sign in with `idlebrush login`."
    return f"You are signed in as {account.name}, which is kept {account.kept}."
