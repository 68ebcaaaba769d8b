"""The conversation in a terminal about the volunteer's account: a token typed unseen, or a code to enter."""

import sys
from typing import Literal

import typer
from pydantic import SecretStr

from client.api.commands import SignIn, SignOut
from client.api.errors import SignInError
from client.api.launch import ensure_daemon
from client.api.snapshot import AccountView
from client.console.sign_in import ask, converse, look, print_code
from client.paths import Paths

_LOGOUT_SECONDS = 200.0
"""Keyring and Hub have a minute each."""
_LONGEST_TOKEN = 4096


def read_token(hidden: bool, stdin: bool) -> SecretStr | None:
    """Return the token if the volunteer wants to give one, or None.

    It is never read from where other programs could see it. Raise SignInError if the text cannot be a token.
    """
    if hidden and stdin:
        raise SignInError("A token can come from one source only.", "Give either --token or --token-stdin.")
    if hidden:
        text = _typed()
    elif stdin:
        text = _piped()
    else:
        return None
    if not (text := text.strip()):
        raise SignInError("No token was given.", "Copy one from https://huggingface.co/settings/tokens.")
    if len(text) > _LONGEST_TOKEN:
        raise SignInError("The text is too long for a token.", "Copy the token alone.")
    if not (text.isascii() and text.isprintable()):
        raise _no_text()
    return SecretStr(text)


def sign_in(paths: Paths, token: SecretStr | None, keep: Literal["keyring", "session", "file"]) -> str:
    """Sign in; what came of it."""
    return converse(paths, SignIn(token=token, keep=keep), "idlebrush login", print_code)


def sign_out(paths: Paths) -> str:
    with ensure_daemon(paths) as daemon:
        return ask(daemon, SignOut(), _LOGOUT_SECONDS)


def account(paths: Paths) -> AccountView | None:
    with ensure_daemon(paths) as daemon:
        return look(daemon).account


def _piped() -> str:
    try:
        return sys.stdin.readline(_LONGEST_TOKEN + 2)
    except UnicodeDecodeError:
        pass  # it holds what was read, so it goes no further
    raise _no_text()


def _no_text() -> SignInError:
    return SignInError("The text contains characters that tokens do not have.", "Copy the token alone.")


def _typed() -> str:
    if not sys.stdin.isatty():
        raise SignInError(
            "There is no terminal for entering a token.", "Pipe it to `idlebrush login --token-stdin`."
        )
    return str(typer.prompt("Token (it will not be shown)", hide_input=True))
