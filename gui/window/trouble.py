"""What the window says where the daemon cannot be reached: a pure function of how it stands."""

from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

from client.api.errors import ClientError
from gui.link.state import LinkState

translate = QCoreApplication.translate


class Help(Enum):
    """What a button can do about it."""

    NONE = auto()
    START = auto()
    RESTART = auto()


@dataclass(frozen=True)
class Trouble:
    text: str
    detail: str = ""
    help: Help = Help.NONE
    is_passing: bool = False
    """Whether it is about to pass, and nothing has to be done."""


def trouble(state: LinkState, error: ClientError | None) -> Trouble | None:
    """Nothing where the daemon answers; ``error`` says why it does not, where more is known of that."""
    match state:
        case LinkState.CONNECTED:
            return None
        case LinkState.CONNECTING | LinkState.STARTING:
            return Trouble(translate("Trouble", "Idlebrush is starting"), is_passing=True)
        case LinkState.ABSENT:
            return Trouble(
                translate("Trouble", "Idlebrush does not run in the background"),
                translate("Trouble", "Nothing is trained until you start it."),
                Help.START,
            )
        case LinkState.SILENT:
            return Trouble(
                translate("Trouble", "Idlebrush does not answer"),
                translate("Trouble", "The computer may be very busy. What you see is what it last said."),
                Help.RESTART,
            )
        case LinkState.OLD:
            return Trouble(
                translate("Trouble", "Another version of Idlebrush runs in the background"),
                translate(
                    "Trouble",
                    "Restart it so that both are the same version. Training goes on after that.",
                ),
                Help.RESTART,
            )
        case LinkState.FOREIGN:
            return Trouble(
                translate("Trouble", "Idlebrush runs as another user"),
                error.remedy if error else "",
            )
        case LinkState.FAILED:
            return Trouble(
                translate("Trouble", "Idlebrush could not be started"),
                f"{error.what} {error.remedy}" if error else "",
                Help.START,
            )


def help_words(help_: Help) -> str:
    """What the button says; empty where there is none."""
    match help_:
        case Help.NONE:
            return ""
        case Help.START:
            return translate("Trouble", "Start it")
        case Help.RESTART:
            return translate("Trouble", "Restart it")
