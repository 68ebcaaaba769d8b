"""The app opens with the page that is due, and handles further starts of itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from client.api.commands import LookAtRun
from client.api.snapshot import Snapshot
from gui.app import DesktopApp, Opening
from gui.link.link import LinkState
from gui.settings import AppSettings
from gui.single import SingleApp
from tests.client.snapshots import FULL, IDLE
from tests.gui.stand_in_link import StandInLink


class OpenedApp:
    """An app that was opened, and what is seen of it."""

    def __init__(self, app: DesktopApp, single: SingleApp) -> None:
        self.app, self.single = app, single

    @property
    def seen(self) -> str:
        """The name of the page, or that of the first run; empty: nothing."""
        if self.app.first_run is not None and self.app.first_run.isVisible():
            return "first run"
        return (
            self.app.window.page.name if self.app.window is not None and self.app.window.isVisible() else ""
        )


class Starter:
    """Opens apps, which are gone at the end."""

    def __init__(self, qapp: QApplication, link: StandInLink, folder: Path) -> None:
        self._qapp, self.link, self.folder, self.settings = qapp, link, folder, AppSettings(folder)
        self._single = SingleApp(folder / "app")
        self.made: list[DesktopApp] = []

    def __call__(self, opening: Opening, snapshot: Snapshot = IDLE, *, done: bool = True) -> OpenedApp:
        self.settings.first_run_done = done
        app = DesktopApp(self._qapp, self.link, self.settings, self._single, opening)
        self.made.append(app)
        app.open()
        self.link.show(snapshot)
        return OpenedApp(app, self._single)


@pytest.fixture
def start(qapp: QApplication, link: StandInLink, tmp_path: Path) -> Iterator[Starter]:
    starter = Starter(qapp, link, tmp_path)
    yield starter
    for app in starter.made:
        for widget in (app.window, app.first_run, app.tray.menu):
            if widget is not None:
                widget.deleteLater()
        app.deleteLater()


@pytest.mark.parametrize(
    ("opening", "snapshot", "done", "seen"),
    [
        (Opening(), FULL, True, "now"),
        (Opening(page="log"), FULL, True, "log"),
        (Opening(), IDLE, True, "now"),
        (Opening(), IDLE, False, "first run"),
        (Opening(), FULL, False, "now"),
        (Opening(offer="embedded"), IDLE, True, "first run"),
        (Opening(offer="embedded"), FULL, True, "now"),
        (Opening(hidden=True), FULL, True, ""),
        (Opening(hidden=True), IDLE, False, ""),
    ],
)
def test_it_opens_with_what_is_due(
    start: Starter, opening: Opening, snapshot: Snapshot, done: bool, seen: str
) -> None:
    assert start(opening, snapshot, done=done).seen == seen


def test_a_run_that_another_start_offers_is_looked_at(start: Starter, qtbot: QtBot) -> None:
    opened = start(Opening())
    assert opened.seen == "now"
    opened.single.wanted.emit("now", "embedded")
    assert opened.seen == "first run"
    assert any(isinstance(request, LookAtRun) for request in start.link.asked)


def test_another_start_brings_up_its_page(start: Starter) -> None:
    opened = start(Opening(hidden=True), FULL)
    opened.single.wanted.emit("gallery", "")
    assert opened.seen == "gallery"


def test_who_starts_it_after_login_is_greeted_where_that_is_due(start: Starter) -> None:
    opened = start(Opening(hidden=True), done=False)
    opened.single.wanted.emit("now", "")
    assert opened.seen == "first run"


def test_a_click_on_the_icon_brings_the_window_up_and_another_hides_it(start: Starter, qtbot: QtBot) -> None:
    opened = start(Opening(hidden=True), FULL)
    opened.app.toggle()
    window = opened.app.window
    assert window is not None
    qtbot.waitUntil(window.isActiveWindow)
    opened.app.toggle()
    assert opened.seen == ""


def test_however_it_ends_the_window_is_found_where_it_was(start: Starter, qapp: QApplication) -> None:
    opened = start(Opening(), FULL)
    assert opened.app.window is not None
    opened.app.window.resize(820, 610)
    qapp.aboutToQuit.emit()
    again = AppSettings(start.folder)
    assert again.geometry == opened.app.window.saveGeometry()
    assert start.link.state is LinkState.ABSENT, "the app lets go of the daemon"
