"""Asks before actions in a set-up that end something; no question blocks, and Escape and Return change nothing."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from gui.setup.commands import SetupCommand

translate = QCoreApplication.translate
AskBefore = Callable[[QWidget, Callable[[], None]], None]
"""Function that asks in front of a widget, and calls what is given if the answer is yes."""


def _to_cancel(parent: QWidget, cancel: Callable[[], None]) -> None:
    question = _question(
        parent,
        translate("Setup", "Cancel the installation?"),
        translate(
            "Setup", "What was downloaded is removed. This computer does not train until it is installed."
        ),
    )
    ending = question.addButton(translate("Setup", "Cancel it"), QMessageBox.ButtonRole.DestructiveRole)
    ending.clicked.connect(cancel)
    _open(question, translate("Setup", "Continue"))


def _to_restart(parent: QWidget, restart: Callable[[], None]) -> None:
    question = _question(
        parent,
        translate("Setup", "Restart the computer now?"),
        translate("Setup", "Save your work first. Idlebrush continues by itself after the restart."),
    )
    _offer(question, translate("Setup", "Restart now"), restart)


def _to_enter_firmware(parent: QWidget, restart: Callable[[], None]) -> None:
    question = _question(
        parent,
        translate("Setup", "Restart into the firmware’s settings now?"),
        translate(
            "Setup",
            "Windows asks an administrator to agree, and restarts at once: save your work first. Turn on Intel "
            "VT-x or AMD SVM there, often below “Advanced” or “CPU”, and save. Idlebrush continues by itself "
            "after the restart.",
        ),
    )
    _offer(question, translate("Setup", "Restart now"), restart)


def _to_update_wsl(parent: QWidget, update: Callable[[], None]) -> None:
    question = _question(
        parent,
        translate("Setup", "Update WSL now?"),
        translate(
            "Setup",
            "All Linux systems in WSL are ended for that, also those of other programs: save your work in them "
            "first. Windows may ask an administrator to agree. Training continues afterwards.",
        ),
    )
    _offer(question, translate("Setup", "Update now"), update)


QUESTIONS: Mapping[SetupCommand, AskBefore] = {
    SetupCommand.CANCEL: _to_cancel,
    SetupCommand.RESTART_WINDOWS: _to_restart,
    SetupCommand.RESTART_INTO_FIRMWARE: _to_enter_firmware,
    SetupCommand.UPDATE_WSL: _to_update_wsl,
}
"""Questions by the actions before which they are asked."""


def _question(parent: QWidget, words: str, details: str) -> QMessageBox:
    question = QMessageBox(parent.window())
    question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    question.setWindowTitle(words)
    question.setText(words)
    question.setInformativeText(details)
    return question


def _offer(question: QMessageBox, words: str, do: Callable[[], None]) -> None:
    """Open the question with a button that does what it asks about, and one for another time."""
    question.addButton(words, QMessageBox.ButtonRole.AcceptRole).clicked.connect(do)
    _open(question, translate("Setup", "Not now"))


def _open(question: QMessageBox, staying_words: str) -> None:
    """Open the question with the button that changes nothing, which Escape and Return press."""
    staying = question.addButton(staying_words, QMessageBox.ButtonRole.RejectRole)
    question.setDefaultButton(staying)
    question.setEscapeButton(staying)
    question.open()
