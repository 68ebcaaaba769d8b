"""Asks before an action that ends something; the question does not block, and Escape and Return change nothing."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget


def ask(
    parent: QWidget,
    words: str,
    details: str,
    answers: tuple[str, str],
    do: Callable[[], None],
    *,
    is_destructive: bool = False,
) -> None:
    """Open a question in front of a window.

    Args:
        parent: Widget of the window.
        words: The question.
        details: What follows from the action.
        answers: Words of the button for the action, and of the one that changes nothing.
        do: The action.
        is_destructive: True if the action deletes or ends something that cannot be had again.
    """
    question = QMessageBox(parent.window())
    question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    question.setTextFormat(Qt.TextFormat.PlainText)  # names and titles come from others
    question.setWindowTitle(words)
    question.setText(words)
    question.setInformativeText(details)
    roles = QMessageBox.ButtonRole
    acting = question.addButton(answers[0], roles.DestructiveRole if is_destructive else roles.AcceptRole)
    acting.clicked.connect(do)
    staying = question.addButton(answers[1], roles.RejectRole)
    question.setDefaultButton(staying)
    question.setEscapeButton(staying)
    question.open()
