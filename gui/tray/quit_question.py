"""Quitting: asks once whether training goes on without the app, and sees the daemon out if it does not."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gui.link.link import Link
from gui.settings import Settings


class QuitQuestion(QObject):
    """Asks only where there is something to decide."""

    decided = Signal()
    """The app may end: the daemon was left alone, or has ended. Nothing is emitted where the volunteer cancels."""

    def __init__(self, link: Link, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)

    def ask(self) -> None:
        """Begin; safe to repeat while it is under way."""
        self.decided.emit()
