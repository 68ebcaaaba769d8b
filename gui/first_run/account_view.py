"""What the screen of the sign-in says: a token judged before it is sent, where a sign-in is kept, a code's time."""

from datetime import datetime
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

from client.api.snapshot import AccountView, Snapshot
from gui.wording import amounts

translate = QCoreApplication.translate

TOKENS = "https://huggingface.co/settings/tokens"
LONGEST_TOKEN = 4096


class Stage(Enum):
    """How far the sign-in is."""

    OUT = auto()
    ASKED = auto()  # a code, which is not there yet
    CODE = auto()  # it waits to be entered
    CHECKING = auto()  # a token
    IN = auto()


class Attempt(Enum):
    """What this screen has asked the daemon for, and not been answered yet."""

    NONE = auto()
    CODE = auto()
    TOKEN = auto()


def stage_of(snapshot: Snapshot | None, attempt: Attempt) -> Stage:
    """An attempt goes before the account that it may replace."""
    match attempt:
        case Attempt.TOKEN:
            return Stage.CHECKING
        case Attempt.CODE:
            return Stage.CODE if snapshot and snapshot.sign_in and snapshot.sign_in.code else Stage.ASKED
    return Stage.IN if snapshot and snapshot.account else Stage.OUT


def fault_of_token(text: str) -> str:
    """What is wrong with what was entered; empty: nothing that could be seen here."""
    if not text.strip():
        return translate("FirstRun", "Paste a token first.")
    if len(text.strip()) > LONGEST_TOKEN:
        return translate("FirstRun", "That is far too long for a token. Copy only the token.")
    if not (text.strip().isascii() and text.strip().isprintable()):
        return translate("FirstRun", "That contains characters that no token has. Copy only the token.")
    return ""


def kept(account: AccountView) -> str:
    """Where the sign-in is, in a sentence."""
    return {
        "in this computer's keyring": translate(
            "FirstRun", "Your sign-in is kept in this computer's keyring."
        ),
        "until the client ends": translate("FirstRun", "Your sign-in is kept until Idlebrush ends."),
        "in a file that only you can read": translate(
            "FirstRun", "Your sign-in is kept in a file that only you can read."
        ),
    }.get(account.kept, account.kept)


def time_left(expires: datetime, now: datetime) -> str:
    """Of a code or a page."""
    seconds = (expires - now).total_seconds()
    if seconds <= 0:
        return translate("FirstRun", "This has expired.")
    #: {time} is such as "9 min 30 s".
    return translate("FirstRun", "Good for another {time}.").format(time=amounts.duration(seconds))
