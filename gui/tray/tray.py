"""The tray: shows at a glance what the client does, and has its commands at hand."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from gui.link.link import Link
from gui.settings import Settings


@dataclass(frozen=True)
class TrayActions:
    """What the tray has the app do."""

    show_page: Callable[[str], None]
    toggle: Callable[[], None]
    """Bring the window up, or hide it where it is before the volunteer's eyes."""
    quit: Callable[[], None]


class Tray(QObject):
    """There from the start; the icon comes as soon as some host would show it."""

    availability_changed = Signal(bool)
    """False only once no host has been there for some seconds: from then on the window is the only way."""

    def __init__(
        self, link: Link, settings: Settings, actions: TrayActions, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.is_available = False
