"""The pages of the window, in their order; each is loaded when it is first shown: the window opens at once."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from gui.link.link import Link
from gui.settings import Settings
from gui.window.page import Page

translate = QCoreApplication.translate


@dataclass(frozen=True)
class PageEntry:
    """A page before it is there."""

    name: str
    icon: str
    """Of `gui.design.icons`."""
    title: Callable[[], str]
    make: Callable[[Link, Settings, QWidget], Page]


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
    PageEntry("now", "now", lambda: translate("Window", "Now"), _now),
    PageEntry("gallery", "gallery", lambda: translate("Window", "Gallery"), _gallery),
    PageEntry("contribution", "contribution", lambda: translate("Window", "My contribution"), _contribution),
    PageEntry("leaderboard", "leaderboard", lambda: translate("Window", "Leaderboard"), _leaderboard),
    PageEntry("preferences", "preferences", lambda: translate("Window", "Preferences"), _preferences),
    PageEntry("log", "log", lambda: translate("Window", "Log"), _log),
    PageEntry("about", "about", lambda: translate("Window", "About"), _about),
)
