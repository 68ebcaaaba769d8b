"""The simple view of the page Preferences, what it hides, and how that is found again."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QRadioButton
from pytestqt.qtbot import QtBot

from client.preferences.preferences import Preferences, describe, row_named
from gui.preferences.extent import Extent
from gui.preferences.page import PreferencesPage
from gui.settings import AppSettings, PreferencesShown
from tests.gui.preferences.conftest import KeepingLink

SIMPLE = {view.name for view in describe(Preferences()) if view.is_simple}
ALL = {view.name for view in describe(Preferences())}


def shown(page: PreferencesPage) -> set[str]:
    return {name for name, row in page.rows.items() if row.isVisible()}


def choose(page: PreferencesPage, place: int) -> None:
    page.extent.findChildren(QRadioButton)[place].click()


@pytest.fixture
def simple(qtbot: QtBot, page: PreferencesPage) -> PreferencesPage:
    """The page with the simple view."""
    choose(page, 0)
    qtbot.waitUntil(lambda: shown(page) == SIMPLE)
    return page


@pytest.mark.parametrize(
    ("extent", "name", "is_included"),
    [
        (Extent("simple"), "hours", True),
        (Extent("simple"), "upload", False),
        (Extent("simple").revealing("upload"), "upload", True),
        (Extent("all"), "upload", True),
    ],
)
def test_an_extent_includes_marked_and_revealed_preferences(
    extent: Extent, name: str, is_included: bool
) -> None:
    assert extent.includes(row_named(Preferences(), name)) is is_included


@pytest.mark.parametrize(("view", "hidden"), [("simple", ("upload",)), ("all", ())])
def test_a_change_is_hidden_where_the_view_leaves_it_out(
    view: PreferencesShown, hidden: tuple[str, ...]
) -> None:
    views = describe(Preferences(upload=10**6, monthly_quota=10**9))
    assert Extent(view).hidden_changes(views) == hidden


def test_a_new_volunteer_gets_the_simple_view_and_the_choice_is_remembered(tmp_path: Path) -> None:
    settings = AppSettings(tmp_path)
    assert settings.preferences_shown == "simple"
    settings.preferences_shown = "all"
    settings.save()
    assert AppSettings(tmp_path).preferences_shown == "all"


def test_the_switch_chooses_the_view(qtbot: QtBot, simple: PreferencesPage, settings: AppSettings) -> None:
    kept = [settings.preferences_shown]
    choose(simple, 1)
    qtbot.waitUntil(lambda: shown(simple) == ALL)
    kept.append(settings.preferences_shown)
    assert kept == ["simple", "all"]


def test_hidden_changes_are_counted_and_shown_on_request(
    qtbot: QtBot, simple: PreferencesPage, link: KeepingLink
) -> None:
    assert simple.hidden_changes.isHidden()
    for name, value in (("upload", "1 MB/s"), ("video-pause", "off"), ("hours", "22-6")):
        link.change(name, value)
    simple.shown()
    assert simple.hidden_changes.isVisible()
    qtbot.mouseClick(simple.hidden_changes.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown(simple) == SIMPLE | {"upload", "video-pause"})
    qtbot.waitUntil(simple.hidden_changes.isHidden)


def test_a_search_finds_what_the_simple_view_leaves_out(qtbot: QtBot, simple: PreferencesPage) -> None:
    qtbot.keyClicks(simple.search, "listening-port")
    qtbot.waitUntil(lambda: shown(simple) == {"listening-port"})
    simple.search.clear()
    qtbot.waitUntil(lambda: shown(simple) == SIMPLE)


def test_who_is_sent_to_a_preference_sees_it_in_the_simple_view(
    qtbot: QtBot, simple: PreferencesPage
) -> None:
    simple.show_preference("listening-port")
    qtbot.waitUntil(lambda: shown(simple) == SIMPLE | {"listening-port"})


def test_the_settings_of_the_app_go_back_to_their_defaults(
    qtbot: QtBot, page: PreferencesPage, settings: AppSettings
) -> None:
    row = next(row for row in page.app.rows if row.editor is page.app.quitting)
    assert row.default.isHidden()
    page.app.quitting.findChildren(QRadioButton)[2].click()
    kept = [settings.at_quitting]
    qtbot.mouseClick(row.default, Qt.MouseButton.LeftButton)
    kept.append(settings.at_quitting)
    assert kept == ["stop", "ask"]
    assert row.default.isHidden()
