"""The rows of a leaderboard for Qt's views; further pages are asked for as one scrolls."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from gui.leaderboard.view import NAME, RowView, row_view
from gui.leaderboard.window import BoardWindow

Index = QModelIndex | QPersistentModelIndex
_TRAILING = Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter
_LEADING = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter


class BoardModel(QAbstractTableModel):
    """Of a `BoardWindow`, or of one's own row alone; under the user's role each has its `RowView`."""

    more_wanted = Signal()
    """The rows below are looked for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.window = BoardWindow()
        self._own: int | None = None

    def show_window(self, window: BoardWindow) -> None:
        self.beginResetModel()
        self.window, self._own = window, window.own_place
        self.endResetModel()

    def show_own(self, window: BoardWindow) -> None:
        """That row alone, as it is pinned."""
        self.show_window(BoardWindow(rows=(window.own,) if window.own else (), own=window.own))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if parent.isValid() else len(self.window.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if parent.isValid() else 4

    def canFetchMore(self, parent: Index) -> bool:  # noqa: N802
        return not parent.isValid() and self.window.has_below

    def fetchMore(self, parent: Index) -> None:  # noqa: N802
        self.more_wanted.emit()

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("Rank"), self.tr("Volunteer"), self.tr("Samples"), self.tr("Computing"))[section]
        return _aligned(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self._row(index.row()), index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return (row.rank, row.name, row.samples, row.time)[column]
            case Qt.ItemDataRole.TextAlignmentRole:
                return _aligned(column)
            case Qt.ItemDataRole.UserRole:
                return row
            case Qt.ItemDataRole.ToolTipRole if column == NAME:
                return row.name
        return None

    def _row(self, place: int) -> RowView:
        """Worded when it is drawn: a board may be long."""
        return row_view(self.window.rows[place], place == self._own)


def _aligned(column: int) -> Qt.AlignmentFlag:
    return _LEADING if column == NAME else _TRAILING
