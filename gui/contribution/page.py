"""The page My contribution: what this volunteer gave over time, with streaks, badges and receipts."""

from PySide6.QtCore import QCoreApplication

from gui.window.page import Page


class ContributionPage(Page):
    """Asks for the history whenever it is shown."""

    name = "contribution"
    icon = "contribution"

    def title(self) -> str:
        return QCoreApplication.translate("ContributionPage", "My contribution")
