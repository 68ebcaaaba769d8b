"""The calendar of a year: which days it shows, and how it is read with the pointer, keys and a screen reader."""

from datetime import date, datetime, timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from client.api.history import ContributionHistory, ContributionRow, Period
from gui.contribution.calendar import CalendarCard, CalendarGrid
from gui.design.theme import Theme

TODAY = date(2026, 3, 4)
"""A Wednesday."""


def given(day: date, samples: int, seconds: float) -> ContributionRow:
    return ContributionRow(
        start=datetime(day.year, day.month, day.day),
        samples=samples,
        epochs=1,
        compute_seconds=seconds,
        joules=0,
        bytes_sent=0,
        bytes_received=0,
    )


ROWS = (
    given(TODAY - timedelta(days=7), 9_000, 60),
    given(TODAY - timedelta(days=1), 40, 7_200),
    given(TODAY, 5, 30),
)
HISTORY = ContributionHistory(by=Period.DAY, rows=ROWS, total=ROWS[0], streak_days=2, longest_streak_days=2)


@pytest.fixture
def card(qtbot: QtBot) -> CalendarCard:
    shown = CalendarCard()
    qtbot.addWidget(shown)
    shown.show_history(HISTORY, TODAY)
    shown.resize(860, 200)
    shown.show()
    return shown


def press(qtbot: QtBot, grid: CalendarGrid, *keys: Qt.Key) -> str:
    for key in keys:
        qtbot.keyClick(grid, key)
    return grid.accessibleDescription()


def test_days_are_read_with_the_keys(card: CalendarCard, qtbot: QtBot) -> None:
    grid = card.grid
    assert "3 day" in grid.accessibleDescription()
    assert press(qtbot, grid, Qt.Key.Key_Left).startswith("Wednesday, 4 March 2026; 5 sample")
    assert press(qtbot, grid, Qt.Key.Key_Up).endswith("40 sample(s), 2 h")
    assert press(qtbot, grid, Qt.Key.Key_Up) == "Monday, 2 March 2026; Nothing"
    assert "9,000" in press(qtbot, grid, Qt.Key.Key_End, Qt.Key.Key_Left)
    assert press(qtbot, grid, Qt.Key.Key_Right, Qt.Key.Key_Right).startswith("Wednesday, 4 March")
    assert press(qtbot, grid, Qt.Key.Key_Home).startswith("Monday, 3 March 2025")
    assert "3 day" in press(qtbot, grid, Qt.Key.Key_Escape)


def test_the_pointer_reads_a_day_and_leaves_it(card: CalendarCard, qtbot: QtBot) -> None:
    grid = card.grid
    index = 52 * 7 + 1
    qtbot.mouseMove(grid, grid.square(index).center().toPoint())
    qtbot.waitUntil(lambda: grid.read == index)
    assert "40 sample" in grid.accessibleDescription()
    qtbot.mouseMove(grid, QPoint(2, 2))
    qtbot.waitUntil(lambda: grid.read is None)


def test_the_oldest_weeks_are_left_out_where_a_year_does_not_fit(card: CalendarCard, qtbot: QtBot) -> None:
    assert press(qtbot, card.grid, Qt.Key.Key_Home).startswith("Monday, 3 March 2025")
    card.resize(420, 200)
    qtbot.waitUntil(lambda: card.grid.width() < 400)
    first = press(qtbot, card.grid, Qt.Key.Key_Home)
    assert first.startswith("Monday")
    assert "March 2025" not in first
    last = card.grid.square(52 * 7 + 2)
    assert card.grid.rect().contains(last.toRect())


def test_the_measure_decides_which_day_is_the_most_intense(card: CalendarCard) -> None:
    def levels() -> list[int]:
        return [day.level for day in card.grid.calendar.days if day.level]

    card.measure_chosen.connect(lambda: card.show_history(HISTORY, TODAY))
    assert levels() == [4, 3, 2]
    card.measures.choose(1)
    card.measure_chosen.emit()
    assert levels() == [3, 4, 2]


def test_from_right_to_left_the_weeks_run_the_other_way(card: CalendarCard, qtbot: QtBot) -> None:
    grid = card.grid
    grid.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert grid.square(0).left() > grid.square(52 * 7).left()
    press(qtbot, grid, Qt.Key.Key_End)
    assert "9,000" in press(qtbot, grid, Qt.Key.Key_Right)


def test_levels_differ_in_both_appearances(card: CalendarCard, theme: Theme, qapp: QApplication) -> None:
    for appearance in ("light", "dark"):
        theme.set_appearance(appearance)
        picture = card.grid.grab().toImage()
        scale = picture.devicePixelRatio()
        centres = [card.grid.square(52 * 7 + day).center() * scale for day in range(3)]
        colours = {picture.pixelColor(at.toPoint()).name() for at in centres}
        assert len(colours) == 3
