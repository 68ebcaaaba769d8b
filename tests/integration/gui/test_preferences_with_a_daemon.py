"""The page Preferences and a real daemon: what is chosen there is what the command line shows, and the reverse."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QCheckBox, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from client.api.launch import DaemonProgram
from gui.link.daemon_access import DaemonAccess
from gui.link.daemon_link import DaemonLink
from gui.preferences.editors import ChoiceEditor, SwitchEditor
from gui.preferences.hours import HoursEditor
from gui.preferences.list_editor import NamesEditor, NumbersEditor
from gui.preferences.number_editor import NumberEditor
from gui.preferences.page import PreferencesPage
from gui.settings import AppSettings
from tests.integration.front_end import said
from tests.volunteer import VolunteerMachine, volunteer_at

PATIENCE = 20_000
"""Time limit in milliseconds."""


@pytest.fixture
def volunteer(tmp_path: Path) -> Iterator[VolunteerMachine]:
    with volunteer_at(tmp_path / "home") as person:
        person.start()
        yield person


@pytest.fixture
def page(qtbot: QtBot, volunteer: VolunteerMachine, tmp_path: Path) -> Iterator[PreferencesPage]:
    link = DaemonLink(DaemonAccess.of(volunteer.paths, DaemonProgram()))
    page = PreferencesPage(link, AppSettings(tmp_path))
    qtbot.addWidget(page)
    page.resize(900, 700)
    page.show()
    link.snapshot_changed.connect(page.show_snapshot)
    link.start()
    page.shown()
    qtbot.waitUntil(lambda: "start-at-login" in page.rows, timeout=PATIENCE)
    yield page
    link.stop()


def shown(person: VolunteerMachine) -> dict[str, str]:
    """Return the preferences' values as the command line shows them."""
    preferences = json.loads(said(person, "prefs", "show", "--json").stdout)
    return {name: preference["value"] for name, preference in preferences.items()}


def part(page: PreferencesPage, name: str) -> QWidget:
    return page.rows[name].editor


def tick(qtbot: QtBot, box: QCheckBox) -> None:
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))


def test_what_is_chosen_on_the_page_is_what_the_command_line_shows(
    qtbot: QtBot, volunteer: VolunteerMachine, page: PreferencesPage
) -> None:
    switch, choice, hours = part(page, "video-pause"), part(page, "on-battery"), part(page, "hours")
    number, size = part(page, "cpu-temperature"), part(page, "disk-free")
    names, percent = part(page, "exclusive-applications"), part(page, "while-in-use-cpu")
    assert isinstance(switch, SwitchEditor)
    qtbot.mouseClick(switch.switch, Qt.MouseButton.LeftButton)
    assert isinstance(choice, ChoiceEditor)
    qtbot.mouseClick(choice.segments.findChildren(QRadioButton)[1], Qt.MouseButton.LeftButton)
    assert isinstance(hours, HoursEditor)
    tick(qtbot, hours.word)
    hours.grid.setFocus()
    qtbot.keyClick(hours.grid, Qt.Key.Key_Space)
    for editor, typed in ((number, "77"), (size, "3.5")):
        assert isinstance(editor, NumberEditor)
        editor.number.setFocus()
        editor.number.selectAll()
        qtbot.keyClicks(editor.number, typed)
        qtbot.keyClick(editor.number, Qt.Key.Key_Return)
    assert isinstance(percent, NumberEditor)
    tick(qtbot, percent.word)
    assert isinstance(names, NamesEditor)
    qtbot.keyClicks(names.field, "blender")
    qtbot.mouseClick(names.adds, Qt.MouseButton.LeftButton)
    chosen = {
        "video-pause": "off",
        "on-battery": "allow",
        "hours": "mon 01:00-24:00, tue-sun",
        "cpu-temperature": "77 °C",
        "disk-free": "3500 MB",
        "while-in-use-cpu": "50%",
        "exclusive-applications": "blender",
    }
    qtbot.waitUntil(lambda: all(page.rows[name].is_saved for name in chosen), timeout=PATIENCE)
    now = shown(volunteer)
    assert {name: now[name] for name in chosen} == chosen


def test_what_the_daemon_refuses_is_reported_there_and_changes_nothing(
    qtbot: QtBot, volunteer: VolunteerMachine, page: PreferencesPage
) -> None:
    gpus = part(page, "gpus")
    assert isinstance(gpus, NumbersEditor)
    tick(qtbot, gpus.word)
    qtbot.keyClicks(gpus.field, "the big one")
    qtbot.keyClick(gpus.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "numbers from 0" in page.rows["gpus"].error, timeout=PATIENCE)
    assert gpus.word.isChecked()
    assert shown(volunteer)["gpus"] == "all"


def test_what_the_command_line_changes_is_shown_on_the_page(
    qtbot: QtBot, volunteer: VolunteerMachine, page: PreferencesPage
) -> None:
    assert said(volunteer, "prefs", "set", "gpu-temperature", "70").returncode == 0
    heat = part(page, "gpu-temperature")
    assert isinstance(heat, NumberEditor)
    page.shown()
    qtbot.waitUntil(lambda: heat.number.value() == 70, timeout=PATIENCE)
