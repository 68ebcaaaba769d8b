"""The page Gallery."""

from PySide6.QtWidgets import QWidget

from client.api.snapshot import Snapshot
from gui.link.link import Link
from gui.window.page import Page


class GalleryPage(Page):
    name = "gallery"
    icon = "gallery"

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)

    def title(self) -> str:
        return self.tr("Gallery")

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Nothing yet."""
