"""Sees that a user has one app: another start brings up the first one's window."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gui.errors import GuiError


class SingleApp(QObject):
    """Holds a lock for as long as it lives, and listens beside it."""

    wanted = Signal(str)
    """Another start wants that page."""

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.trouble: GuiError | None = None
        """Why the first one could not be told, where it could not."""

    def claim(self, page: str) -> bool:
        """Whether this is the first; else the first was asked for that page, or `trouble` says why not."""
        return True
