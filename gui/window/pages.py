"""The pages of the window, in their order; each is loaded by itself: the window opens with one of them."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from PySide6.QtWidgets import QWidget

from gui.link.link import Link
from gui.settings import Settings
from gui.window.page import Page


@dataclass(frozen=True)
class PageEntry:
    """A page before it is there."""

    name: str
    icon: str
    """Of `gui.design.icons`."""
    make: Callable[[Link, Settings, QWidget], Page]

    def load(self) -> None:
        """Have its modules at hand: that takes as long as making it."""
        import_module(f"gui.{self.name}.page")


def _now(link: Link, _: Settings, parent: QWidget) -> Page:
    from gui.now.page import NowPage

    return NowPage(link, parent)


def _gallery(link: Link, _: Settings, parent: QWidget) -> Page:
    from gui.gallery.page import GalleryPage

    return GalleryPage(link, parent)


def _contribution(link: Link, _: Settings, parent: QWidget) -> Page:
    from gui.contribution.page import ContributionPage

    return ContributionPage(link, parent)


def _leaderboard(link: Link, _: Settings, parent: QWidget) -> Page:
    from gui.leaderboard.page import LeaderboardPage

    return LeaderboardPage(link, parent)


def _preferences(link: Link, settings: Settings, parent: QWidget) -> Page:
    from gui.preferences.page import PreferencesPage

    return PreferencesPage(link, settings, parent)


def _log(link: Link, _: Settings, parent: QWidget) -> Page:
    from gui.log.page import LogPage

    return LogPage(link, parent)


def _about(link: Link, _: Settings, parent: QWidget) -> Page:
    from gui.about.page import AboutPage

    return AboutPage(link, parent)


PAGES: tuple[PageEntry, ...] = (
    PageEntry("now", "now", _now),
    PageEntry("gallery", "gallery", _gallery),
    PageEntry("contribution", "contribution", _contribution),
    PageEntry("leaderboard", "leaderboard", _leaderboard),
    PageEntry("preferences", "preferences", _preferences),
    PageEntry("log", "log", _log),
    PageEntry("about", "about", _about),
)
