"""The app's windows as pictures show them: real widgets, linked to a client that is made up."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from client.api.answers import Done
from client.api.commands import KeepFrames
from client.api.questions import ShowBoard, ShowContribution, ShowEpochs, ShowPreferences, ShowRanks
from client.api.snapshot import Snapshot
from client.preferences.preferences import Preferences, describe
from docs.pictures import app_state
from gui.first_run.wizard import FirstRun
from gui.gallery.page import GalleryPage
from gui.link.link import LinkState
from gui.settings import AppSettings
from gui.window.window import MainWindow
from tests.gui.stand_in_link import StandInLink

Look = Callable[[Path], Snapshot]
_SIZE = (1180, 800)
_SEEN_MILLISECONDS = 300


def linked(home: Path, look: Look) -> StandInLink:
    """Return a link to a client that answers all that the pages ask."""
    link = StandInLink()
    link.answers = {
        ShowEpochs: Done(id=0, epochs=app_state.epochs()),
        ShowContribution: Done(id=0, contribution=app_state.contribution()),
        ShowBoard: Done(id=0, board=app_state.board()),
        ShowRanks: Done(id=0, ranks=app_state.ranks()),
        ShowPreferences: Done(id=0, preferences=describe(Preferences())),
        KeepFrames: Done(id=0, about=str(home / "client" / "timelapse")),
    }
    link.show(look(home / "client"))
    return link


def window(home: Path, page: str, look: Look, *, part: str = "run") -> QWidget:
    """Make the window with that page; ``part`` of the gallery: ``run`` or ``own``."""
    link = linked(home, look)
    shown = MainWindow(link, AppSettings(home))
    link.setParent(shown)
    shown.resize(*_SIZE)
    shown.show_page(page)
    if isinstance(shown.page, GalleryPage) and part == "own":
        shown.page.choice.choose(1)
        shown.page.choice.chosen.emit(1)
    return shown


def trouble(home: Path) -> QWidget:
    """Make the window without a daemon."""
    shown = window(home, "now", app_state.training)
    link = shown.findChild(StandInLink)
    assert link is not None
    # Once the window is there and has asked for its curve.
    QTimer.singleShot(_SEEN_MILLISECONDS, shown, lambda: link.show(None, LinkState.ABSENT))
    return shown


def first_run(home: Path, screen: int, look: Look) -> QWidget:
    """Make the first run on one of its screens."""
    link = linked(home, look)
    wizard = FirstRun(link, AppSettings(home))
    link.setParent(wizard)
    for _ in range(screen):
        wizard.screen_shown.press_primary()
    return wizard
