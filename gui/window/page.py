"""One page of the window, as the window treats it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from client.api.snapshot import Snapshot
from gui.link.link import Link


class Page(QWidget):
    """Base of all pages; each draws the latest snapshot, and asks the daemon for what that does not hold."""

    name = ""
    """Stable, for settings and for whoever asks for a page, such as ``now``."""
    run_wanted = Signal()
    """A run is to be chosen."""
    sign_in_wanted = Signal()
    admission_wanted = Signal()
    """The joined run's gate wants the volunteer to sign in, perhaps anew."""
    page_wanted = Signal(str)
    """The page of that name is to be shown."""
    preference_wanted = Signal(str)
    """The preference of that name is to be shown."""

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.link = link

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Draw it, cheaply: it comes about once a second; None: no daemon is connected."""

    def shown(self) -> None:
        """Called when the page becomes the visible one: the time to ask for history."""
