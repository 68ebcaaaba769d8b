"""The list behind the log's view: bounded, filtered, and telling views of every change as Qt asks for it."""

import pytest
from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from gui.log.lines import Level, LogLine, parse_all
from gui.log.model import LogModel

LEVELS = ("INFO", "WARNING", "ERROR")


def lines(first: int, last: int) -> list[LogLine]:
    """Every third is a warning, and every third an error."""
    texts = (f"2026-03-01T14:30:00.250Z {LEVELS[n % 3]} core: Line {n}." for n in range(first, last))
    return list(parse_all(texts))


@pytest.fixture
def model(qtbot: QtBot) -> LogModel:
    model = LogModel(most=30)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    return model


def shown(model: LogModel) -> list[int]:
    return [int(model.line(row).text.strip("Line.")) for row in range(model.rowCount(QModelIndex()))]


def test_the_newest_lines_are_kept(model: LogModel) -> None:
    for first in range(0, 100, 7):
        model.append(lines(first, first + 7))
    assert shown(model) == list(range(75, 105))
    model.append(lines(200, 300))
    assert shown(model) == list(range(270, 300))
    assert model.held == 30


def test_the_filter_holds_for_what_is_there_and_for_what_comes(model: LogModel) -> None:
    model.append(lines(0, 30))
    model.set_filter("", Level.WARNING)
    assert shown(model) == [n for n in range(30) if n % 3]
    model.append(lines(30, 36))
    assert shown(model) == [n for n in range(6, 36) if n % 3]
    model.set_filter("LINE 32.", Level.ERROR)
    assert shown(model) == [32]
    model.set_filter("", Level.DEBUG)
    assert shown(model) == list(range(6, 36))


def test_lines_that_nobody_sees_go_without_a_word_to_views(model: LogModel) -> None:
    model.set_filter("", Level.ERROR)
    model.append(lines(0, 30))
    removed: list[object] = []
    model.rowsRemoved.connect(lambda *rows: removed.append(rows))
    model.append(lines(30, 32))
    assert shown(model) == [n for n in range(2, 32) if n % 3 == 2]
    assert not removed


def test_another_file_takes_the_place_of_all(model: LogModel) -> None:
    model.append(lines(0, 30))
    model.show_only(lines(50, 53))
    assert shown(model) == [50, 51, 52]
