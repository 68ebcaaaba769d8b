"""Lines of log files, taken apart: those of `core.logs`, those of libraries, and what follows on either."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

LONGEST = 4_000
"""Characters of a line that are shown."""


class Level(IntEnum):
    """How much a line matters; as in `logging`, where others lie between."""

    DEBUG = 10
    INFO = 20
    WARNING = 30
    ERROR = 40


@dataclass(frozen=True)
class LogLine:
    """One line, and what is known of it."""

    raw: str
    """As it stands in the file, for copying."""
    level: Level
    text: str
    """Without what the other fields tell."""
    time: datetime | None = None
    source: str = ""
    """Who wrote it, such as ``client.daemon``."""


_LEVELS = {
    "DEBUG": Level.DEBUG,
    "INFO": Level.INFO,
    "WARNING": Level.WARNING,
    "WARN": Level.WARNING,
    "ERROR": Level.ERROR,
    "CRITICAL": Level.ERROR,
    "FATAL": Level.ERROR,
}
_NAMES = "|".join(_LEVELS)
_OWN = re.compile(
    rf"(?P<time>\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{{3}}Z) (?P<level>{_NAMES}) (?P<source>\S+): (?P<text>.*)"
)
_LIBRARY = re.compile(rf"(?P<when>\w{{3}} \d\d \d\d:\d\d:\d\d\.\d{{3}}) \[(?P<level>{_NAMES})\] (?P<text>.*)")
"""As hivemind writes it; without the year and the zone its time cannot be told apart from others'."""
_FAULT = re.compile(r"Traceback \(most recent call last\)|Fatal Python error")
_WARNING = re.compile(r"\b\w*Warning: ")
_STEERING = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
"""Colours for terminals, and control characters."""


def parse_all(lines: Iterable[str], before: Level = Level.INFO) -> Iterator[LogLine]:
    """What can be read out of each; a line that tells no level has that of the one before it."""
    for raw in lines:
        line = parse(raw, before)
        before = line.level
        yield line


def parse(raw: str, before: Level = Level.INFO) -> LogLine:
    """One line, after one of that level."""
    line = _STEERING.sub("", raw.rstrip("\r\n"))[:LONGEST]
    if found := _OWN.fullmatch(line):
        return LogLine(line, _LEVELS[found["level"]], found["text"], _time(found["time"]), found["source"])
    if found := _LIBRARY.fullmatch(line):
        return LogLine(line, _LEVELS[found["level"]], f"{found['when']} {found['text']}")
    return LogLine(line, _level_of(line, before), line)


def _level_of(line: str, before: Level) -> Level:
    if _FAULT.search(line):
        return Level.ERROR
    return Level.WARNING if _WARNING.search(line) else before


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:  # such as a 31st of February
        return None


def accepts(line: LogLine, wanted: str, least: Level) -> bool:
    """Whether it matters that much, and holds every word that is looked for."""
    if line.level < least:
        return False
    held = line.raw.casefold()
    return all(word in held for word in wanted.casefold().split())
