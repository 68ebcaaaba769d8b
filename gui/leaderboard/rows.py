"""The rows of a leaderboard: a model that asks for further pages, and a delegate that draws them."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gui.design import fonts
from gui.design.theme import current
from gui.design.tokens import Palette, Space, Type
from gui.leaderboard.view import NAME, RANK, SAMPLES, BoardWindow, RowView, row_view

Index = QModelIndex | QPersistentModelIndex
_TRAILING = Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter
_LEADING = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
_MEDALS = 3


class BoardModel(QAbstractTableModel):
    """The rows of a `BoardWindow`, or the volunteer's own row alone; the user role returns the `RowView`."""

    more_wanted = Signal()
    """Emitted when the rows below are needed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.window = BoardWindow()
        self._own: int | None = None

    def show_window(self, window: BoardWindow) -> None:
        self.beginResetModel()
        self.window, self._own = window, window.own_place
        self.endResetModel()

    def show_own(self, window: BoardWindow) -> None:
        """Show the own row alone, for the pinned table."""
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
            return (self.tr("Rank"), self.tr("Volunteer"), self.tr("Samples"), self.tr("Computing time"))[
                section
            ]
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
        """Return the words of a row, which are made when it is drawn, because a board may be long."""
        return row_view(self.window.rows[place], place == self._own)


def _aligned(column: int) -> Qt.AlignmentFlag:
    return _LEADING if column == NAME else _TRAILING


class RowDelegate(QStyledItemDelegate):
    """Paints cells without gaps, so that each row is one band."""

    def __init__(self, parent: QObject | None = None, *, has_edge: bool = False) -> None:
        """Paint a line above each row if ``has_edge``, to set it apart from the rows beneath."""
        super().__init__(parent)
        self._has_edge = has_edge

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: RowView = index.data(Qt.ItemDataRole.UserRole)
        palette, area = current().palette, option.rect
        if ground := _ground(row, option.state, palette):
            painter.fillRect(area, QColor(ground))
        painter.setPen(QColor(palette.line_strong if self._has_edge else palette.line))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        if self._has_edge:
            painter.drawLine(area.topLeft(), area.topRight())
        painter.setPen(QColor(_colour(row, index.column(), palette)))
        self._write(painter, area.adjusted(Space.M, 0, -Space.M, 0), row, index)

    @staticmethod
    def width(text: str) -> int:
        """Return the width of a cell with that number in bold."""
        font = fonts.figures(fonts.text(Type.BODY, QFont.Weight.DemiBold))
        return QFontMetrics(font).horizontalAdvance(text) + 2 * Space.M + 1

    def _write(self, painter: QPainter, area: QRect, row: RowView, index: Index) -> None:
        font = _font(row, index.column())
        painter.setFont(font)
        text = QFontMetrics(font).elidedText(index.data(), Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, index.data(Qt.ItemDataRole.TextAlignmentRole), text)


def _ground(row: RowView, state: QStyle.StateFlag, palette: Palette) -> str:
    """Return the background of a row; empty for the background of the table."""
    if state & QStyle.StateFlag.State_Selected:
        return palette.selection
    if row.is_own:
        return palette.tint
    return palette.sunken if state & QStyle.StateFlag.State_MouseOver else ""


def _font(row: RowView, column: int) -> QFont:
    font = fonts.text(Type.BODY, QFont.Weight.DemiBold if row.is_own else QFont.Weight.Normal)
    font.setItalic(row.is_hidden and not row.is_own and column == NAME)
    return font if column == NAME else fonts.figures(font)


def _colour(row: RowView, column: int, palette: Palette) -> str:
    if column == RANK:
        return palette.vermilion if row.place <= _MEDALS else palette.faint
    if column == NAME:
        return palette.faint if row.is_hidden and not row.is_own else palette.ink
    return palette.ink if column == SAMPLES else palette.soft
