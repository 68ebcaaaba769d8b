"""The page Now: what this computer does for its run at this moment, and why it does not if it does not."""

from PySide6.QtCore import QCoreApplication, Signal

from gui.window.page import Page


class NowPage(Page):
    """Draws `gui.now.view`; where to go from here is the window's business, by these signals."""

    name = "now"
    icon = "now"
    run_wanted = Signal()
    """A run is to be chosen."""
    preference_wanted = Signal(str)
    """The preference of that name is to be shown."""
    page_wanted = Signal(str)
    """The page of that name is to be shown."""
    sign_in_wanted = Signal()

    def title(self) -> str:
        return QCoreApplication.translate("NowPage", "Now")
