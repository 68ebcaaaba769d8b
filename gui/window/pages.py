"""The window's pages: their base class, their titles and their order."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from client.api.snapshot import Snapshot
from gui.link.link import AppLink
from gui.settings import AppSettings

translate = QCoreApplication.translate


class AppPage(QWidget):
    """Base of all pages; each draws the latest snapshot, and queries the daemon for more."""

    name = ""
    """Permanent name of the page, such as ``now``."""
    run_wanted = Signal()
    """Emitted when the volunteer wants to choose a run."""
    sign_in_wanted = Signal()
    admission_wanted = Signal()
    """Emitted when the volunteer wants to sign in to the joined run."""
    page_wanted = Signal(str)
    """Emitted with the name of a page to show."""
    preference_wanted = Signal(str)
    """Emitted with the name of a preference to show."""

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.link = link

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Draw a snapshot, in little time, because one arrives about every second; None if no daemon is connected."""

    def shown(self) -> None:
        """Do nothing when the page becomes visible; a page may override this to query history."""


def page_title(name: str) -> str:
    """Return the title of a page in the user's language."""
    return {
        "now": translate("Window", "Now"),
        "gallery": translate("Window", "Gallery"),
        "contribution": translate("Window", "My contribution"),
        "leaderboard": translate("Window", "Leaderboard"),
        "computers": translate("Window", "My computers"),
        "preferences": translate("Window", "Preferences"),
        "log": translate("Window", "Log"),
        "about": translate("Window", "About"),
    }[name]


@dataclass(frozen=True)
class PageEntry:
    """A page that is not created yet."""

    name: str
    icon: str
    """Name of an icon of `gui.design.icons`."""
    make: Callable[[AppLink, AppSettings, QWidget], AppPage]

    def load(self) -> None:
        """Import the page's modules, which takes as long as creating the page."""
        import_module(f"gui.{self.name}.page")


def _now(link: AppLink, _: AppSettings, parent: QWidget) -> AppPage:
    from gui.now.page import NowPage

    return NowPage(link, parent)


def _gallery(link: AppLink, _: AppSettings, parent: QWidget) -> AppPage:
    from gui.gallery.page import GalleryPage

    return GalleryPage(link, parent)


def _contribution(link: AppLink, _: AppSettings, parent: QWidget) -> AppPage:
    from gui.contribution.page import ContributionPage

    return ContributionPage(link, parent)


def _leaderboard(link: AppLink, _: AppSettings, parent: QWidget) -> AppPage:
    from gui.leaderboard.page import LeaderboardPage

    return LeaderboardPage(link, parent)


def _computers(link: AppLink, _: AppSettings, parent: QWidget) -> AppPage:
    from gui.computers.page import ComputersPage

    return ComputersPage(link, parent)


def _preferences(link: AppLink, settings: AppSettings, parent: QWidget) -> AppPage:
    from gui.preferences.page import PreferencesPage

    return PreferencesPage(link, settings, parent)


def _log(link: AppLink, _: AppSettings, parent: QWidget) -> AppPage:
    from gui.log.page import LogPage

    return LogPage(link, parent)


def _about(link: AppLink, _: AppSettings, parent: QWidget) -> AppPage:
    from gui.about.page import AboutPage

    return AboutPage(link, parent)


PAGES: tuple[PageEntry, ...] = (
    PageEntry("now", "now", _now),
    PageEntry("gallery", "gallery", _gallery),
    PageEntry("contribution", "contribution", _contribution),
    PageEntry("leaderboard", "leaderboard", _leaderboard),
    PageEntry("computers", "computers", _computers),
    PageEntry("preferences", "preferences", _preferences),
    PageEntry("log", "log", _log),
    PageEntry("about", "about", _about),
)
