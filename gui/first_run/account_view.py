"""Sentences for the sign-in: checks of a token, the storage of a sign-in, and the time left for a code."""

from datetime import datetime
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

from client.api.snapshot import AccountView, Snapshot
from gui.wording import amounts

translate = QCoreApplication.translate

TOKENS = "https://huggingface.co/settings/tokens"
LONGEST_TOKEN = 4096


class SignInStage(Enum):
    """Progress of the sign-in."""

    OUT = auto()
    ASKED = auto()  # a code was requested
    CODE = auto()  # the code waits to be entered
    CHECKING = auto()  # a token is being checked
    IN = auto()


class SignInAttempt(Enum):
    """A sign-in that was requested from the daemon and is not answered yet."""

    NONE = auto()
    CODE = auto()
    TOKEN = auto()


def stage_of(snapshot: Snapshot | None, attempt: SignInAttempt) -> SignInStage:
    """Return the stage of the sign-in; an attempt takes precedence over the account that it may replace."""
    match attempt:
        case SignInAttempt.TOKEN:
            return SignInStage.CHECKING
        case SignInAttempt.CODE:
            return (
                SignInStage.CODE
                if snapshot and snapshot.sign_in and snapshot.sign_in.code
                else SignInStage.ASKED
            )
    return SignInStage.IN if snapshot and snapshot.account else SignInStage.OUT


def fault_of_token(text: str) -> str:
    """Return the reason why a text cannot be a token; empty if none is found here."""
    if not text.strip():
        return translate("FirstRun", "Paste a token first.")
    if len(text.strip()) > LONGEST_TOKEN:
        return translate("FirstRun", "This text is too long for a token. Copy only the token.")
    if not (text.strip().isascii() and text.strip().isprintable()):
        return translate(
            "FirstRun", "This text contains characters that a token cannot contain. Copy only the token."
        )
    return ""


def kept(account: AccountView) -> str:
    """Return a sentence that says where a sign-in is stored."""
    return {
        "in this computer's keyring": translate(
            "FirstRun", "Your sign-in is stored in this computer's keyring."
        ),
        "until the client ends": translate("FirstRun", "Your sign-in is stored until Idlebrush quits."),
        "in a file that only you can read": translate(
            "FirstRun", "Your sign-in is stored in a file that only you can read."
        ),
    }.get(account.kept, account.kept)


def time_left(expires: datetime, now: datetime) -> str:
    """Return a sentence that says how much time is left until a code or a page expires."""
    seconds = (expires - now).total_seconds()
    if seconds <= 0:
        return translate("FirstRun", "This sign-in has expired.")
    #: {time} is such as "9 min 30 s".
    return translate("FirstRun", "Valid for another {time}.").format(time=amounts.duration(seconds))
