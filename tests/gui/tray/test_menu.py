"""The menu as a person reads it and chooses from it."""

from datetime import timedelta

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from gui.tray.menu import TrayMenu
from gui.tray.view import MenuCommand, MenuState, SnoozeChoice
from tests.client.snapshots import NOW

EVERYTHING = MenuState(
    status="Training",
    rate="2.1 samples/s",
    can_command=True,
    can_snooze=True,
    can_finish=True,
    can_choose_mode=True,
    run_mode="preferences",
)


@pytest.fixture
def menu(qtbot: QtBot) -> TrayMenu:
    made = TrayMenu()
    qtbot.addWidget(made)
    made.show_state(EVERYTHING, NOW)
    return made


def texts(menu: QMenu) -> list[str]:
    """Return its visible texts, with separators as dashes."""
    return [
        "-" if action.isSeparator() else action.text().replace("&", "")
        for action in menu.actions()
        if action.isVisible()
    ]


def item(menu: QMenu, *path: str) -> QAction:
    name, *rest = path
    found = next(action for action in menu.actions() if action.text().replace("&", "") == name)
    inner = found.menu()
    return item(inner, *rest) if rest and isinstance(inner, QMenu) else found


def test_it_reads_from_state_to_commands_to_pages(menu: TrayMenu) -> None:
    assert texts(menu) == [
        *("Training", "2.1 samples/s", "-", "Open Idlebrush", "-"),
        *("Pause", "Snooze", "Finish this epoch", "Training mode", "-"),
        *("Gallery", "My contribution", "Preferences", "-", "Quit"),
    ]
    assert not item(menu, "Training").isEnabled()


def test_each_line_has_a_key_of_its_own(menu: TrayMenu) -> None:
    lines = [action.text() for action in menu.actions() if action.isEnabled() and not action.isSeparator()]
    keys = [line[line.index("&") + 1].lower() for line in lines]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    ("path", "signal", "expected"),
    [
        (("Open Idlebrush",), "page_chosen", ["now"]),
        (("Pause",), "commanded", [MenuCommand.PAUSE]),
        (("Snooze", "15 minutes"), "snoozed", [SnoozeChoice.QUARTER]),
        (("Snooze", "1 hour"), "snoozed", [SnoozeChoice.HOUR]),
        (("Snooze", "Until tomorrow"), "snoozed", [SnoozeChoice.TOMORROW]),
        (("Finish this epoch",), "finish_chosen", [True]),
        (("Training mode", "Always"), "mode_chosen", ["always"]),
        (("Training mode", "According to my preferences"), "mode_chosen", ["preferences"]),
        (("Training mode", "Never"), "mode_chosen", ["never"]),
        (("Gallery",), "page_chosen", ["gallery"]),
        (("My contribution",), "page_chosen", ["contribution"]),
        (("Preferences",), "page_chosen", ["preferences"]),
        (("Quit",), "quit_chosen", []),
    ],
)
def test_what_is_chosen_is_reported(
    menu: TrayMenu, qtbot: QtBot, path: tuple[str, ...], signal: str, expected: list[object]
) -> None:
    with qtbot.waitSignal(getattr(menu, signal)) as heard:
        item(menu, *path).trigger()
    assert heard.args == expected


def test_finishing_is_ticked_and_can_be_taken_back(menu: TrayMenu, qtbot: QtBot) -> None:
    menu.show_state(MenuState("Finishing", can_finish=True, is_finishing=True), NOW)
    assert item(menu, "Finish this epoch").isChecked()
    with qtbot.waitSignal(menu.finish_chosen) as heard:
        item(menu, "Finish this epoch").trigger()
    assert heard.args == [False]


def test_a_snooze_stands_in_its_line(menu: TrayMenu) -> None:
    menu.show_state(MenuState("Paused", can_snooze=True, snoozed_until=NOW + timedelta(hours=1)), NOW)
    assert "Snoozed until 15:30" in texts(menu)


@pytest.mark.parametrize("mode", ["always", "preferences", "never", ""])
def test_the_run_mode_that_holds_is_marked(menu: TrayMenu, mode: str) -> None:
    menu.show_state(MenuState("Training", can_choose_mode=True, run_mode=mode), NOW)
    marked = [
        name
        for name, text in (
            ("always", "Always"),
            ("preferences", "According to my preferences"),
            ("never", "Never"),
        )
        if item(menu, "Training mode", text).isChecked()
    ]
    assert marked == ([mode] if mode else [])


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (MenuCommand.PAUSE, "Pause"),
        (MenuCommand.RESUME, "Resume"),
        (MenuCommand.RETRY, "Try again"),
        (MenuCommand.START, "Start in the background"),
        (MenuCommand.RESTART, "Restart in the background"),
    ],
)
def test_the_command_says_what_it_does(menu: TrayMenu, command: MenuCommand, words: str) -> None:
    menu.show_state(MenuState("Something", command=command, can_command=True), NOW)
    assert words in texts(menu)


def test_what_the_daemon_says_is_read_letter_by_letter_and_never_too_wide(menu: TrayMenu) -> None:
    menu.show_state(MenuState("Tea & cake " * 20), NOW)
    line = menu.actions()[0].text()
    assert line.startswith("Tea && cake Tea")
    assert line.endswith("…")
    assert len(line.replace("&&", "&")) == 64
