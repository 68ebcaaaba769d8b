"""Asks before actions in a set-up that end something."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from gui.setup.commands import SetupCommand
from gui.widgets.question import ask

translate = QCoreApplication.translate
AskBefore = Callable[[QWidget, Callable[[], None]], None]
"""Function that asks in front of a widget, and calls what is given if the answer is yes."""


def _to_cancel(parent: QWidget, cancel: Callable[[], None]) -> None:
    ask(
        parent,
        translate("Setup", "Cancel the installation?"),
        translate(
            "Setup", "What was downloaded is removed. This computer does not train until it is installed."
        ),
        (translate("Setup", "Cancel it"), translate("Setup", "Continue")),
        cancel,
        is_destructive=True,
    )


def _to_restart(parent: QWidget, restart: Callable[[], None]) -> None:
    ask(
        parent,
        translate("Setup", "Restart the computer now?"),
        translate("Setup", "Save your work first. Idlebrush continues by itself after the restart."),
        (translate("Setup", "Restart now"), translate("Setup", "Not now")),
        restart,
    )


def _to_enter_firmware(parent: QWidget, restart: Callable[[], None]) -> None:
    ask(
        parent,
        translate("Setup", "Restart into the firmware’s settings now?"),
        translate(
            "Setup",
            "Windows asks an administrator to agree, and restarts at once: save your work first. Turn on Intel "
            "VT-x or AMD SVM there, often below “Advanced” or “CPU”, and save. Idlebrush continues by itself "
            "after the restart.",
        ),
        (translate("Setup", "Restart now"), translate("Setup", "Not now")),
        restart,
    )


def _to_update_wsl(parent: QWidget, update: Callable[[], None]) -> None:
    ask(
        parent,
        translate("Setup", "Update WSL now?"),
        translate(
            "Setup",
            "All Linux systems in WSL are ended for that, also those of other programs: save your work in them "
            "first. Windows may ask an administrator to agree. Training continues afterwards.",
        ),
        (translate("Setup", "Update now"), translate("Setup", "Not now")),
        update,
    )


QUESTIONS: Mapping[SetupCommand, AskBefore] = {
    SetupCommand.CANCEL: _to_cancel,
    SetupCommand.RESTART_WINDOWS: _to_restart,
    SetupCommand.RESTART_INTO_FIRMWARE: _to_enter_firmware,
    SetupCommand.UPDATE_WSL: _to_update_wsl,
}
"""Questions by the actions before which they are asked."""
