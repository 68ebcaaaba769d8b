"""The window's messages about a daemon that cannot be reached, as a pure function of the link's state."""

from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

from client.api.errors import ClientError
from gui.link.link import LinkState

translate = QCoreApplication.translate


class TroubleAction(Enum):
    """The action of the message's button."""

    NONE = auto()
    START = auto()
    RESTART = auto()


@dataclass(frozen=True)
class Trouble:
    text: str
    detail: str = ""
    help: TroubleAction = TroubleAction.NONE
    is_passing: bool = False
    """True if the state ends by itself."""


def trouble(state: LinkState, error: ClientError | None) -> Trouble | None:
    """Return the message about the daemon; None if it answers. ``error`` adds the reason if it is known."""
    match state:
        case LinkState.CONNECTED:
            return None
        case LinkState.CONNECTING | LinkState.STARTING:
            return Trouble(translate("Trouble", "Idlebrush is starting"), is_passing=True)
        case LinkState.ABSENT:
            return Trouble(
                translate("Trouble", "Idlebrush is not running in the background"),
                translate("Trouble", "This computer does not train until you start it."),
                TroubleAction.START,
            )
        case LinkState.SILENT:
            return Trouble(
                translate("Trouble", "Idlebrush does not answer"),
                translate(
                    "Trouble", "The computer may be very busy. This window shows the last known state."
                ),
                TroubleAction.RESTART,
            )
        case LinkState.OLD:
            return Trouble(
                translate("Trouble", "Another version of Idlebrush is running in the background"),
                translate(
                    "Trouble",
                    "Restart it so that both parts have the same version. Training continues afterwards.",
                ),
                TroubleAction.RESTART,
            )
        case LinkState.FOREIGN:
            return Trouble(
                translate("Trouble", "Idlebrush is running as another user"),
                error.remedy if error else "",
            )
        case LinkState.FAILED:
            return Trouble(
                translate("Trouble", "Idlebrush could not be started"),
                f"{error.what} {error.remedy}" if error else "",
                TroubleAction.START,
            )


def action_words(help_: TroubleAction) -> str:
    """Return the text of the button; empty for no button."""
    match help_:
        case TroubleAction.NONE:
            return ""
        case TroubleAction.START:
            return translate("Trouble", "Start it")
        case TroubleAction.RESTART:
            return translate("Trouble", "Restart it")
