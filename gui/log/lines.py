"""Lines of log files: how they are parsed, and a bounded, filtered model of them."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

LONGEST = 4_000
"""Number of characters of a line that are shown."""
MOST = 5_000
"""Number of lines that are kept; the oldest are dropped first."""
LINE_ROLE = int(Qt.ItemDataRole.UserRole)
"""Role under which the model returns the `LogLine` of a row."""


class Level(IntEnum):
    """Severity of a line, with the numbers of `logging`."""

    DEBUG = 10
    INFO = 20
    WARNING = 30
    ERROR = 40


@dataclass(frozen=True)
class LogLine:
    """One parsed line."""

    raw: str
    """The line as it stands in the file, for copying."""
    level: Level
    text: str
    """The message without time, level and source."""
    time: datetime | None = None
    source: str = ""
    """Name of the logger, such as ``client.daemon``."""


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
"""A line as hivemind writes it; its time has neither year nor zone."""
_FAULT = re.compile(r"Traceback \(most recent call last\)|Fatal Python error")
_WARNING = re.compile(r"\b\w*Warning: ")
_STEERING = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
"""Terminal colours and control characters."""


def parse_all(lines: Iterable[str], before: Level = Level.INFO) -> Iterator[LogLine]:
    """Parse lines; a line without a level has the level of the line before it."""
    for raw in lines:
        line = parse(raw, before)
        before = line.level
        yield line


def parse(raw: str, before: Level = Level.INFO) -> LogLine:
    """Parse one line; ``before`` is the level of the line before it."""
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
    except ValueError:  # for example 31 February
        return None


def accepts(line: LogLine, wanted: str, least: Level) -> bool:
    """Return true if the line has at least that level and contains every searched word."""
    if line.level < least:
        return False
    held = line.raw.casefold()
    return all(word in held for word in wanted.casefold().split())


class LogModel(QAbstractListModel):
    """A list model of the lines that pass the filter, oldest first."""

    def __init__(self, parent: QObject | None = None, most: int = MOST) -> None:
        super().__init__(parent)
        self._lines: deque[LogLine] = deque(maxlen=most)
        self._shown: list[LogLine] = []
        self._most, self._wanted, self._least = most, "", Level.DEBUG

    @property
    def held(self) -> int:
        """Number of lines, shown or not."""
        return len(self._lines)

    def append(self, lines: Iterable[LogLine]) -> None:
        """Add newer lines."""
        newest = tuple(lines)[-self._most :]
        self._forget(len(self._lines) + len(newest) - self._most)
        self._lines.extend(newest)
        if accepted := [line for line in newest if self._accepts(line)]:
            first = len(self._shown)
            self.beginInsertRows(QModelIndex(), first, first + len(accepted) - 1)
            self._shown += accepted
            self.endInsertRows()

    def show_only(self, lines: Iterable[LogLine] = ()) -> None:
        """Replace all lines."""
        self._lines = deque(lines, self._most)
        self._filter()

    def set_filter(self, wanted: str, least: Level) -> None:
        """Show only lines with these words and at least that level."""
        if (wanted, least) != (self._wanted, self._least):
            self._wanted, self._least = wanted, least
            self._filter()

    def line(self, row: int) -> LogLine:
        return self._shown[row]

    def rowCount(  # noqa: N802
        self,
        parent: QModelIndex | QPersistentModelIndex = QModelIndex(),  # noqa: B008
    ) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if not index.isValid():
            return None
        line = self._shown[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return line.raw
        return line if role == LINE_ROLE else None

    def _accepts(self, line: LogLine) -> bool:
        return accepts(line, self._wanted, self._least)

    def _filter(self) -> None:
        self.beginResetModel()
        self._shown = [line for line in self._lines if self._accepts(line)]
        self.endResetModel()

    def _forget(self, oldest: int) -> None:
        """Drop that many lines; the shown ones among them are the first rows."""
        rows = 0
        for _ in range(oldest):
            rows += self._accepts(self._lines.popleft())
        if rows:
            self.beginRemoveRows(QModelIndex(), 0, rows - 1)
            del self._shown[:rows]
            self.endRemoveRows()
