"""The fields of log lines are parsed, filtered and kept within bounds."""

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from gui.log.lines import LONGEST, Level, LogLine, LogModel, accepts, parse, parse_all

OWN = "2026-03-01T14:30:00.250Z WARNING client.daemon: The disk: nearly full."


def test_a_line_of_our_own_is_taken_apart() -> None:
    time = datetime(2026, 3, 1, 14, 30, 0, 250_000, UTC)
    assert parse(f"{OWN}\r\n") == LogLine(OWN, Level.WARNING, "The disk: nearly full.", time, "client.daemon")


@pytest.mark.parametrize(
    ("line", "before", "level", "text"),
    [
        ("Mar 01 14:30:00.250 [INFO] New peer.", Level.ERROR, Level.INFO, "Mar 01 14:30:00.250 New peer."),
        ("2026-03-01T14:30:00.250Z CRITICAL core.children.child: Over.", Level.INFO, Level.ERROR, "Over."),
        ("Traceback (most recent call last):", Level.INFO, Level.ERROR, "Traceback (most recent call last):"),
        ("ValueError: 3", Level.ERROR, Level.ERROR, "ValueError: 3"),
        ("x.py:3: FutureWarning: soon", Level.INFO, Level.WARNING, "x.py:3: FutureWarning: soon"),
        ("words of nobody", Level.DEBUG, Level.DEBUG, "words of nobody"),
        ("\x1b[31mred\x1b[0m\x07 alert", Level.INFO, Level.INFO, "red alert"),
        ("", Level.INFO, Level.INFO, ""),
        ("x" * 10_000, Level.INFO, Level.INFO, "x" * LONGEST),
    ],
)  # fmt: skip
def test_other_lines_tell_what_they_can(line: str, before: Level, level: Level, text: str) -> None:
    found = parse(line, before)
    assert (found.level, found.text) == (level, text)


def test_a_day_that_there_is_none_of_is_no_reason_to_lose_a_line() -> None:
    line = parse("2026-02-31T14:30:00.250Z INFO core: Text.")
    assert (line.time, line.text) == (None, "Text.")


def test_what_follows_a_fault_belongs_to_it() -> None:
    lines = ["Traceback (most recent call last):", '  File "x.py"', "KeyError: 1", OWN, "and more"]
    assert [line.level for line in parse_all(lines)] == [Level.ERROR] * 3 + [Level.WARNING] * 2


@pytest.mark.parametrize(
    ("wanted", "least", "is_shown"),
    [
        ("", Level.DEBUG, True),
        ("", Level.ERROR, False),
        ("DISK full", Level.WARNING, True),
        ("client.daemon", Level.INFO, True),
        ("disk empty", Level.INFO, False),
    ],
)
def test_lines_are_found_by_all_words_and_by_level(wanted: str, least: Level, is_shown: bool) -> None:
    assert accepts(parse(OWN), wanted, least) is is_shown


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
