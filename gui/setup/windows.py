"""Puts into words the steps that Windows needs before training, and warnings: pure functions of the daemon's view."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from client.api.environment import WslAction, WslStage, WslView, WslWarning
from gui.setup.commands import SetupCommand

translate = QCoreApplication.translate
_REMEDIES: Mapping[WslAction, tuple[SetupCommand, ...]] = {
    WslAction.UPDATE_WINDOWS: (SetupCommand.UPDATE_WINDOWS,),
    WslAction.CHANGE_FIRMWARE: (SetupCommand.RESTART_INTO_FIRMWARE, SetupCommand.EXPLAIN_VIRTUALISATION),
    WslAction.TURN_ON_WSL: (SetupCommand.TURN_ON_WSL,),
    WslAction.UPDATE_WSL: (SetupCommand.UPDATE_WSL,),
    WslAction.RESTART: (SetupCommand.RESTART_WINDOWS,),
    WslAction.FREE_DISK: (SetupCommand.FREE_DISK,),
    WslAction.INSTALL_DRIVER: (SetupCommand.INSTALL_DRIVER,),
}
"""Actions of the volunteer that take each step; other steps are for other people, or are to try again."""
_AT_REST_ONLY = (SetupCommand.UPDATE_WSL, SetupCommand.RESTART_INTO_FIRMWARE)
"""Actions that the daemon refuses while it works on the set-up."""
_BLOCKED: Mapping[WslAction, Callable[[], str]] = {
    WslAction.UPDATE_WINDOWS: lambda: translate("Setup", "This Windows is too old for training"),
    WslAction.CHANGE_FIRMWARE: lambda: translate("Setup", "This computer’s virtualisation is turned off"),
    WslAction.TURN_ON_WSL: lambda: translate("Setup", "Training needs a part of Windows that is turned off"),
    WslAction.RESTART: lambda: translate("Setup", "The computer has to restart"),
    WslAction.FREE_DISK: lambda: translate("Setup", "Training needs more free disk space"),
}
"""Titles of a set-up that waits for the volunteer to do that; others have failed."""
_ENDS_THE_WAIT = (WslAction.TURN_ON_WSL, WslAction.RESTART)
"""Steps after which the set-up continues by itself: nothing has to be tried again."""


@dataclass(frozen=True)
class SetupAdvice:
    """A warning of the daemon in words, with the actions that deal with it."""

    title: str
    text: str
    actions: tuple[SetupCommand, ...]


def blocked_title(wsl: WslView | None) -> str:
    """Return the title of a set-up that waits for a step of the volunteer; empty: it waits for none."""
    title = _BLOCKED.get(wsl.action) if wsl is not None and wsl.action is not None else None
    return title() if title is not None else ""


def steps_of(wsl: WslView | None, again: SetupCommand) -> tuple[SetupCommand, ...]:
    """Return the actions by which the volunteer ends that wait, ``again`` included where it follows; empty: none."""
    if wsl is None or wsl.action is None:
        return ()
    steps = _REMEDIES.get(wsl.action, ())
    return steps if not steps or wsl.action in _ENDS_THE_WAIT else (*steps, again)


def advice_of(wsl: WslView | None, *, is_working: bool) -> tuple[SetupAdvice, ...]:
    """Return what the daemon warns of; ``is_working``: it works on the set-up, and refuses some actions."""
    if wsl is None or wsl.stage is WslStage.UPDATING:
        return ()
    return tuple(_advice(warning, is_working=is_working) for warning in wsl.warnings)


def _advice(warning: WslWarning, *, is_working: bool) -> SetupAdvice:
    title, text = _words().get(warning.action, (warning.what, warning.remedy))
    actions = _REMEDIES.get(warning.action, ())
    return SetupAdvice(
        title, text, tuple(each for each in actions if not (is_working and each in _AT_REST_ONLY))
    )


def _words() -> Mapping[WslAction, tuple[str, str]]:
    return {
        WslAction.CHANGE_FIRMWARE: (
            translate("Setup", "Virtualisation seems to be turned off"),
            translate(
                "Setup",
                "Training needs it. If turning on WSL does not help, turn on Intel VT-x or AMD SVM in the "
                "settings of the computer’s firmware.",
            ),
        ),
        WslAction.UPDATE_WSL: (
            translate("Setup", "The WSL that came with Windows is in use"),
            translate("Setup", "It gets no corrections any more. Idlebrush can have it updated."),
        ),
        WslAction.INSTALL_DRIVER: (
            translate("Setup", "NVIDIA’s driver is too old to train on the GPU"),
            translate(
                "Setup",
                "This computer would train on its processor. Install NVIDIA’s current driver for Windows.",
            ),
        ),
        WslAction.ASK_ADMINISTRATOR: (
            translate("Setup", "Another person has to agree"),
            translate(
                "Setup",
                "You do not administer this computer. Have someone who does enter a password when Windows "
                "asks for one.",
            ),
        ),
    }
