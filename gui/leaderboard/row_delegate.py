"""Draws the rows of a leaderboard: one's own on a tint, the first three in the brush's colour, hidden names faint."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gui.design import fonts
from gui.design.theme import current
from gui.design.tokens import Palette, Space, Type
from gui.leaderboard.view import NAME, RANK, SAMPLES, RowView

Index = QModelIndex | QPersistentModelIndex
_MEDALS = 3


class RowDelegate(QStyledItemDelegate):
    """Cells without gaps, so that a row is one band."""

    def __init__(self, parent: QObject | None = None, *, has_edge: bool = False) -> None:
        """``has_edge``: whether a line above sets the row apart from what it lies on."""
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
        """Of a cell with that number, be it one's own."""
        font = fonts.figures(fonts.text(Type.BODY, QFont.Weight.DemiBold))
        return QFontMetrics(font).horizontalAdvance(text) + 2 * Space.M + 1

    def _write(self, painter: QPainter, area: QRect, row: RowView, index: Index) -> None:
        font = _font(row, index.column())
        painter.setFont(font)
        text = QFontMetrics(font).elidedText(index.data(), Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, index.data(Qt.ItemDataRole.TextAlignmentRole), text)


def _ground(row: RowView, state: QStyle.StateFlag, palette: Palette) -> str:
    """Empty: that of the table."""
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
