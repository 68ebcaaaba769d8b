"""The page About."""

from PySide6.QtWidgets import QWidget

from client.api.snapshot import Snapshot
from gui.link.link import Link
from gui.window.page import Page


class AboutPage(Page):
    name = "about"
    icon = "about"

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)

    def title(self) -> str:
        return self.tr("About")

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Nothing yet."""
