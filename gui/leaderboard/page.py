"""The page Leaderboard: everybody's ranks with one's own in view, and how the own rank went over time."""

from PySide6.QtCore import QCoreApplication, Signal

from gui.window.page import Page


class LeaderboardPage(Page):
    """Asks for the board whenever it is shown, and then now and then."""

    name = "leaderboard"
    icon = "leaderboard"
    run_wanted = Signal()
    """A run is to be chosen."""
    sign_in_wanted = Signal()

    def title(self) -> str:
        return QCoreApplication.translate("LeaderboardPage", "Leaderboard")
