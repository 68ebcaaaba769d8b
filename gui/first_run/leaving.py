"""The question before the first run is left midway."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

translate = QCoreApplication.translate


def ask_to_leave(window: QWidget, leave: Callable[[], None]) -> None:
    """Ask, without holding anything up; to stay is what Escape and Return mean."""
    question = QMessageBox(window)
    question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    words = translate("FirstRun", "Leave this for now?")
    question.setWindowTitle(words)
    question.setText(words)
    question.setInformativeText(
        translate(
            "FirstRun", "Nothing is trained until you join a run. You can do that later, from the window."
        )
    )
    leaving = question.addButton(translate("FirstRun", "Leave"), QMessageBox.ButtonRole.AcceptRole)
    staying = question.addButton(translate("FirstRun", "Stay"), QMessageBox.ButtonRole.RejectRole)
    question.setDefaultButton(staying)
    question.setEscapeButton(staying)
    leaving.clicked.connect(leave)
    question.open()
