"""The conversation in a terminal about the volunteer's account: a token typed unseen, or a code to enter."""

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import Literal

import typer
from pydantic import SecretStr

from client.api.connection import Connection
from client.api.errors import ClientError, SignInError
from client.api.launch import ensure_daemon
from client.api.requests import AnyRequest, CancelSignIn, Done, GetStatus, SignIn, SignOut, Status
from client.api.snapshot import AccountView, SignInView, Snapshot
from client.paths import Paths

_LOGIN_SECONDS = 3700.0
"""A little more than the daemon waits for a code to be entered."""
_LOGOUT_SECONDS = 200.0
"""Keyring and Hub have a minute each."""
_LOOK_SECONDS = 0.3
_LONGEST_TOKEN = 4096


def read_token(hidden: bool, stdin: bool) -> SecretStr | None:
    """The token, if the volunteer wants to give one; never from where other programs could read it."""
    if hidden and stdin:
        raise SignInError("A token can come from one place only.", "Give --token or --token-stdin.")
    if hidden:
        text = _typed()
    elif stdin:
        text = _piped()
    else:
        return None
    if not (text := text.strip()):
        raise SignInError("No token was given.", "Copy one from https://huggingface.co/settings/tokens.")
    if len(text) > _LONGEST_TOKEN:
        raise SignInError("That is far too long for a token.", "Copy the token alone.")
    if not (text.isascii() and text.isprintable()):
        raise _no_text()
    return SecretStr(text)


def sign_in(paths: Paths, token: SecretStr | None, keep: Literal["keyring", "session", "file"]) -> str:
    """Sign in; what came of it."""
    with ensure_daemon(paths) as daemon, _code_shown(paths):
        try:
            return _ask(daemon, SignIn(token=token, keep=keep), _LOGIN_SECONDS)
        except KeyboardInterrupt:
            with contextlib.suppress(ClientError), Connection.open(paths.socket) as another:
                another.ask(CancelSignIn())
            raise SignInError(
                "The sign-in was cancelled.", "Sign in with `idlebrush login` when you like."
            ) from None


def sign_out(paths: Paths) -> str:
    with ensure_daemon(paths) as daemon:
        return _ask(daemon, SignOut(), _LOGOUT_SECONDS)


def account(paths: Paths) -> AccountView | None:
    with ensure_daemon(paths) as daemon:
        return _look(daemon).account


def _piped() -> str:
    try:
        return sys.stdin.readline(_LONGEST_TOKEN + 2)
    except UnicodeDecodeError:
        pass  # it holds what was read, so it goes no further
    raise _no_text()


def _no_text() -> SignInError:
    return SignInError("That is no token: it has letters that tokens do not have.", "Copy the token alone.")


def _typed() -> str:
    if not sys.stdin.isatty():
        raise SignInError(
            "There is no terminal to type a token at.", "Pipe it to `idlebrush login --token-stdin`."
        )
    return str(typer.prompt("Token (it will not be shown)", hide_input=True))


def _ask(daemon: Connection, request: AnyRequest, seconds: float) -> str:
    done = daemon.ask(request, seconds)
    assert isinstance(done, Done)
    return done.says


def _look(daemon: Connection) -> Snapshot:
    status = daemon.ask(GetStatus())
    assert isinstance(status, Status)
    return status.snapshot


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
    with contextlib.suppress(ClientError), Connection.open(paths.socket) as daemon:  # `sign_in` tells of it
        while not ended.wait(_LOOK_SECONDS):
            code = _look(daemon).sign_in
            if code and code != shown:
                _print_code(code)
                shown = code


def _print_code(view: SignInView) -> None:
    print(
        f"Open {view.address}\nand enter the code {view.code}, until {view.expires.astimezone():%H:%M}. "
        "Waiting for that; Ctrl-C cancels.",
        flush=True,
    )
