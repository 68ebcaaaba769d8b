"""The volunteer's actions in a set-up: the words of their buttons, and the pages that some of them open."""

from collections.abc import Mapping
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


class SetupCommand(Enum):
    """Actions of the volunteer."""

    PLAN = auto()
    BEGIN = auto()
    RETRY = auto()
    PAUSE = auto()
    RESUME = auto()
    CANCEL = auto()
    CHECK = auto()  # again, although nothing has failed
    TURN_ON_WSL = auto()
    UPDATE_WSL = auto()
    RESTART_WINDOWS = auto()
    RESTART_INTO_FIRMWARE = auto()
    EXPLAIN_VIRTUALISATION = auto()
    UPDATE_WINDOWS = auto()
    FREE_DISK = auto()
    INSTALL_DRIVER = auto()


SETTINGS: Mapping[SetupCommand, str] = {
    SetupCommand.UPDATE_WINDOWS: "ms-settings:windowsupdate",
    SetupCommand.FREE_DISK: "ms-settings:storagesense",
}
"""Pages of Windows' settings that actions open, by Microsoft's list of such addresses."""
PAGES: Mapping[SetupCommand, str] = {
    SetupCommand.EXPLAIN_VIRTUALISATION: "https://aka.ms/enablevirtualization",
    SetupCommand.INSTALL_DRIVER: "https://www.nvidia.com/drivers",
}
"""Web pages that actions open; the first one is that which wsl.exe itself names where virtualisation is off."""


def action_words(action: SetupCommand) -> str:
    """Return the text of an action's button."""
    return {
        SetupCommand.PLAN: translate("Setup", "Find the packages"),
        SetupCommand.BEGIN: translate("Setup", "Download and install"),
        SetupCommand.RETRY: translate("Setup", "Try again"),
        SetupCommand.PAUSE: translate("Setup", "Pause the download"),
        SetupCommand.RESUME: translate("Setup", "Continue the download"),
        SetupCommand.CANCEL: translate("Setup", "Cancel"),
        SetupCommand.CHECK: translate("Setup", "Check again"),
        SetupCommand.TURN_ON_WSL: translate("Setup", "Turn on WSL"),
        SetupCommand.UPDATE_WSL: translate("Setup", "Update WSL"),
        SetupCommand.RESTART_WINDOWS: translate("Setup", "Restart the computer"),
        SetupCommand.RESTART_INTO_FIRMWARE: translate("Setup", "Restart into the firmware’s settings"),
        SetupCommand.EXPLAIN_VIRTUALISATION: translate("Setup", "How to turn it on"),
        SetupCommand.UPDATE_WINDOWS: translate("Setup", "Open Windows Update"),
        SetupCommand.FREE_DISK: translate("Setup", "Open the storage settings"),
        SetupCommand.INSTALL_DRIVER: translate("Setup", "Open NVIDIA’s driver page"),
    }[action]


def refusal_title(action: SetupCommand) -> str:
    """Return the title of a refusal of that action; empty if the error has a fitting one of its own."""
    if action in PAGES or action in SETTINGS:
        return translate("Setup", "The page could not be opened")
    return {
        SetupCommand.UPDATE_WSL: translate("Setup", "WSL was not updated"),
        SetupCommand.RESTART_WINDOWS: translate("Setup", "The computer does not restart"),
        SetupCommand.RESTART_INTO_FIRMWARE: translate("Setup", "The computer does not restart"),
    }.get(action, "")
