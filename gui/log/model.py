"""The newest lines of a log as a list for views: bounded, and filtered in one pass over plain values."""

from collections import deque
from collections.abc import Iterable

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from gui.log.lines import Level, LogLine, accepts

MOST = 5_000
"""Lines that are kept; the oldest go first."""
LINE_ROLE = int(Qt.ItemDataRole.UserRole)
"""The `LogLine` of a row."""


class LogModel(QAbstractListModel):
    """Rows are the lines that the filter lets through, oldest first."""

    def __init__(self, parent: QObject | None = None, most: int = MOST) -> None:
        super().__init__(parent)
        self._lines: deque[LogLine] = deque(maxlen=most)
        self._shown: list[LogLine] = []
        self._most, self._wanted, self._least = most, "", Level.DEBUG

    @property
    def held(self) -> int:
        """Lines there are, shown or not."""
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
        """Begin anew, with these."""
        self._lines = deque(lines, self._most)
        self._filter()

    def set_filter(self, wanted: str, least: Level) -> None:
        """Show the lines that hold these words, and matter that much."""
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
        """So many lines; those of them that are shown are the first rows."""
        rows = 0
        for _ in range(oldest):
            rows += self._accepts(self._lines.popleft())
        if rows:
            self.beginRemoveRows(QModelIndex(), 0, rows - 1)
            del self._shown[:rows]
            self.endRemoveRows()
