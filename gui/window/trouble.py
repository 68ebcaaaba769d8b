"""The window's messages about a missing daemon and missing packages for training, as pure functions of the state."""

from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

from client.api.errors import ClientError
from client.api.snapshot import Snapshot
from gui.link.link import LinkState
from gui.setup.view import SetupStatus, status_of, waiting_text, waiting_title

translate = QCoreApplication.translate


class TroubleAction(Enum):
    """The action of the message's button."""

    NONE = auto()
    START = auto()
    RESTART = auto()
    SET_UP = auto()  # opens the screen that has the packages downloaded
    RESUME_SETUP = auto()


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


def setup_trouble(snapshot: Snapshot | None) -> Trouble | None:
    """Return the message about packages that training lacks; None if it lacks none, or if no run is joined."""
    environment = snapshot.environment if snapshot and snapshot.run else None
    if environment is None or environment.is_usable:
        return None
    status = status_of(environment)
    match status:
        case SetupStatus.UNKNOWN | SetupStatus.PLANNING | SetupStatus.OFFERED:
            return Trouble(
                translate("Trouble", "This computer cannot train yet"),
                translate("Trouble", "The packages for training are not installed."),
                TroubleAction.SET_UP,
            )
        case SetupStatus.FAILED:
            return Trouble(
                translate("Trouble", "The packages for training could not be installed"),
                translate("Trouble", "This computer does not train until they are installed."),
                TroubleAction.SET_UP,
            )
        case SetupStatus.PAUSED:
            return Trouble(
                translate("Trouble", "The download of the packages for training is paused"),
                translate("Trouble", "This computer does not train until it is complete."),
                TroubleAction.RESUME_SETUP,
            )
    text = translate("Trouble", "The packages for training are being installed")
    if status is SetupStatus.WORKING:
        return Trouble(text, translate("Trouble", "The page “Now” shows the progress."), is_passing=True)
    if status is SetupStatus.WAITING:
        return Trouble(waiting_title(environment), waiting_text(environment), is_passing=True)
    return Trouble(text, is_passing=True)


def action_words(help_: TroubleAction) -> str:
    """Return the text of the button; empty for no button."""
    match help_:
        case TroubleAction.NONE:
            return ""
        case TroubleAction.START:
            return translate("Trouble", "Start it")
        case TroubleAction.RESTART:
            return translate("Trouble", "Restart it")
        case TroubleAction.SET_UP:
            return translate("Trouble", "Install them")
        case TroubleAction.RESUME_SETUP:
            return translate("Trouble", "Continue the download")
