"""The window: its pages, its keys, and what it says of errors and of a daemon that is gone."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

from client.api.answers import Done
from client.api.errors import RequestRefused
from client.api.questions import ShowPreferences
from client.api.snapshot import Snapshot
from client.preferences.preferences import Preferences, describe
from gui.contribution.page import ContributionPage
from gui.design.theme import Theme
from gui.link.link import LinkState
from gui.preferences.page import PreferencesPage
from gui.settings import AppSettings
from gui.window.navigation import NARROW, Navigation
from gui.window.pages import PAGES, AppPage, page_title
from gui.window.status import LinkBanner, StatusChip
from gui.window.window import MainWindow
from tests.client.snapshots import FULL
from tests.gui.first_run.hands import focused
from tests.gui.stand_in_link import StandInLink


@pytest.fixture
def window(qtbot: QtBot, link: StandInLink, tmp_path: Path) -> MainWindow:
    link.show(FULL)
    window = MainWindow(link, AppSettings(tmp_path))
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def entries(window: MainWindow) -> list[QToolButton]:
    navigation = window.findChild(Navigation)
    assert navigation is not None
    return navigation.findChildren(QToolButton)


def texts(window: MainWindow) -> set[str]:
    """All that labels say before the volunteer's eyes."""
    return {label.text() for label in window.findChildren(QLabel) if label.isVisible()}


def test_a_page_is_made_once(window: MainWindow) -> None:
    first = window.page
    assert first.name == "now"
    for entry in PAGES:
        window.show_page(entry.name)
        assert window.page.name == entry.name
    window.show_page("now")
    assert window.page is first


def test_the_pages_that_nobody_has_looked_at_are_made_meanwhile(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: len(window.findChildren(AppPage)) == len(PAGES))
    assert window.page.name == "now"


def test_a_page_that_only_another_version_has_leads_to_the_first(window: MainWindow) -> None:
    window.show_page("log")
    window.show_page("weather")
    assert window.page.name == "now"


def test_a_window_that_comes_up_shows_what_happened_while_it_was_hidden(
    window: MainWindow, link: StandInLink
) -> None:
    window.show_page("contribution")
    page = window.page
    assert isinstance(page, ContributionPage)
    assert page.runs.isVisible()
    window.hide()
    link.show(FULL.model_copy(update={"run": None}))
    window.show_in_front()
    assert page.runs.isHidden()


def test_the_pages_are_reached_by_keys_alone(qtbot: QtBot, window: MainWindow) -> None:
    last = Qt.Key(Qt.Key.Key_0 + len(PAGES))
    qtbot.keyClick(window, last, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.page.name == "about")
    button = next(button for button in entries(window) if button.isChecked())
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Up)
    assert window.page.name == "log"
    assert [button.text() for button in entries(window) if button.hasFocus()] == ["Log"]
    tabs = [button for button in entries(window) if button.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert len(tabs) == 1, "Tab enters the list once, and leaves it"


def test_the_arrow_keys_go_round_the_list(qtbot: QtBot, window: MainWindow) -> None:
    first, last = entries(window)[0], entries(window)[-1]
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Up)
    assert (window.page.name, last.hasFocus()) == (PAGES[-1].name, True)
    qtbot.keyClick(last, Qt.Key.Key_Down)
    assert (window.page.name, first.hasFocus()) == (PAGES[0].name, True)


def test_the_logo_suits_a_dark_desktop_as_soon_as_it_is_dark(qtbot: QtBot, theme: Theme) -> None:
    navigation = Navigation(PAGES)
    qtbot.addWidget(navigation)
    mark = next(label for label in navigation.findChildren(QLabel) if not label.text())
    before = mark.pixmap().toImage()
    theme.set_appearance("dark")
    assert mark.pixmap().toImage() != before


def test_a_remedy_leads_to_its_preference(qtbot: QtBot, window: MainWindow, link: StandInLink) -> None:
    link.answers[ShowPreferences] = Done(id=0, preferences=describe(Preferences()))
    window.page.preference_wanted.emit("listening-port")
    page = window.page
    assert isinstance(page, PreferencesPage)
    qtbot.waitUntil(lambda: "listening-port" in page.rows)
    row = page.rows["listening-port"]
    qtbot.waitUntil(lambda: row.editor.isAncestorOf(focused()) or row.editor.hasFocus())


def test_the_status_at_the_foot_leads_to_the_page_now(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page("log")
    chip = window.findChild(StatusChip)
    assert chip is not None
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert window.page.name == "now"


def test_every_way_to_a_page_has_a_name_for_screen_readers(window: MainWindow) -> None:
    assert [button.accessibleName() for button in entries(window)] == [
        page_title(entry.name) for entry in PAGES
    ]


def test_a_small_window_shows_icons_alone(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(760, 520)
    qtbot.waitUntil(lambda: entries(window)[0].toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonIconOnly)
    navigation = window.findChild(Navigation)
    assert navigation is not None
    assert navigation.width() == NARROW
    assert entries(window)[1].accessibleName() == "Gallery"


def test_a_refused_request_that_nobody_else_minds_is_reported_above_the_page(
    window: MainWindow, link: StandInLink
) -> None:
    link.refused.emit(RequestRefused("novelty", "There is no run in that folder.", "Join it first."))
    assert "There is no run in that folder." in texts(window)
    assert "Join it first." in texts(window)


def test_a_daemon_that_is_gone_is_reported_and_started_by_the_button(
    window: MainWindow, link: StandInLink
) -> None:
    banner = window.findChild(LinkBanner)
    assert banner is not None
    assert not banner.isVisible()
    link.show(None, LinkState.ABSENT)
    assert banner.isVisible()
    banner.button.click()
    assert link.state is LinkState.CONNECTED
    assert not banner.isVisible()
    link.show(FULL, LinkState.SILENT)
    banner.button.click()
    assert link.restarts == 1


@pytest.mark.parametrize(
    ("snapshot", "state", "words"),
    [
        (FULL, LinkState.CONNECTED, "Slowed down 2.1 samples/s"),
        (FULL, LinkState.SILENT, "Needs attention"),
        (None, LinkState.STARTING, "Starting"),
        (None, LinkState.ABSENT, "Not running"),
        (None, LinkState.FAILED, "Needs attention"),
    ],
)
def test_the_foot_says_nothing_of_a_daemon_that_it_does_not_know(
    window: MainWindow, link: StandInLink, snapshot: Snapshot | None, state: LinkState, words: str
) -> None:
    link.show(snapshot, state)
    chip = window.findChild(StatusChip)
    assert chip is not None
    assert chip.accessibleName() == words


def test_closing_is_decided_elsewhere_and_the_window_opens_where_it_was(
    qtbot: QtBot, window: MainWindow, link: StandInLink, tmp_path: Path
) -> None:
    window.resize(780, 600)
    with qtbot.waitSignal(window.closing):
        window.close()
    assert window.isVisible()
    again = MainWindow(link, AppSettings(tmp_path))
    qtbot.addWidget(again)
    assert (again.width(), again.height()) == (780, 600)
