"""What is read out of the lines of log files."""

from datetime import UTC, datetime

import pytest

from gui.log.lines import LONGEST, Level, LogLine, accepts, parse, parse_all

OWN = "2026-03-01T14:30:00.250Z WARNING client.daemon: The disk: nearly full."


def test_a_line_of_our_own_is_taken_apart() -> None:
    time = datetime(2026, 3, 1, 14, 30, 0, 250_000, UTC)
    assert parse(f"{OWN}\r\n") == LogLine(OWN, Level.WARNING, "The disk: nearly full.", time, "client.daemon")


@pytest.mark.parametrize(
    ("line", "before", "level", "text"),
    [
        ("Mar 01 14:30:00.250 [INFO] New peer.", Level.ERROR, Level.INFO, "Mar 01 14:30:00.250 New peer."),
        ("2026-03-01T14:30:00.250Z CRITICAL core.child: Over.", Level.INFO, Level.ERROR, "Over."),
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
