"""Draws what lies around and above the values of a chart: lines, words, and the readout."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from gui.design.theme import current
from gui.design.tokens import Radius, Space
from gui.widgets.axes import Axis

_WIDE = 400.0
"""Room for words that are aligned to one of its edges."""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter


def paint_heights(painter: QPainter, frame: QRectF, axis: Axis, *, mirrored: bool) -> None:
    """Lines across the chart, with the height that each stands for."""
    palette = current().palette
    line = QFontMetricsF(painter.font()).height()
    for mark in axis.marks:
        y = round(frame.bottom() - axis.share(mark) * frame.height()) + 0.5
        painter.setPen(QColor(palette.line))
        painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
        painter.setPen(QColor(palette.faint))
        left = frame.right() + Space.S if mirrored else frame.left() - Space.S - _WIDE
        painter.drawText(
            QRectF(left, y - line / 2, _WIDE, line), _LEFT if mirrored else _RIGHT, axis.words(mark)
        )


def paint_ticks(painter: QPainter, room: QRect, frame: QRectF, ticks: Sequence[tuple[float, str]]) -> None:
    """Words below the chart; evenly spaced ones where there is no room for all."""
    metrics = QFontMetricsF(painter.font())
    painter.setPen(QColor(current().palette.faint))
    widest = max((metrics.horizontalAdvance(words) for _, words in ticks), default=0.0)
    for x, words in ticks[:: stride([x for x, _ in ticks], widest + Space.M)]:
        width = metrics.horizontalAdvance(words)
        left = min(max(x - width / 2, 0.0), room.width() - width)
        painter.drawText(QPointF(left, frame.bottom() + Space.S + metrics.ascent()), words)


def stride(places: Sequence[float], room: float) -> int:
    """Every how many-th of evenly spaced words can stand without touching the next."""
    if len(places) < 2:
        return 1
    pitch = abs(places[1] - places[0])
    return max(1, -int(-room // pitch)) if pitch > 0 else len(places)


def paint_labels(painter: QPainter, room: QRect, frame: QRectF, x_label: str, y_label: str) -> None:
    """What the axes stand for: above the heights, and in the middle below all."""
    painter.setPen(QColor(current().palette.faint))
    leading = Qt.AlignmentFlag.AlignLeading
    painter.drawText(room, leading | Qt.AlignmentFlag.AlignTop, y_label)
    below = QRectF(frame.left(), 0, frame.width(), room.height())
    painter.drawText(below, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, x_label)


def paint_readout(painter: QPainter, frame: QRectF, at: QPointF, of: str, value: str) -> None:
    """A small sheet beside the value, on the side that has room."""
    palette = current().palette
    small = painter.font()
    bold = QFont(small)
    bold.setWeight(QFont.Weight.DemiBold)
    sheet = _beside(at, frame, _size(of, QFontMetricsF(small)), _size(value, QFontMetricsF(bold)))
    painter.setPen(QColor(palette.line_strong))
    painter.setBrush(QColor(palette.raised))
    painter.drawRoundedRect(sheet, Radius.SMALL + 2, Radius.SMALL + 2)
    words = sheet.adjusted(Space.S + 2, Space.S, -Space.S - 2, -Space.S)
    painter.setPen(QColor(palette.soft))
    painter.drawText(words, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeading, of)
    painter.setPen(QColor(palette.ink))
    painter.setFont(bold)
    painter.drawText(words, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading, value)
    painter.setFont(small)


def _size(text: str, metrics: QFontMetricsF) -> tuple[float, float]:
    lines = text.split("\n")
    return max(metrics.horizontalAdvance(line) for line in lines), metrics.height() * len(lines)


def _beside(at: QPointF, frame: QRectF, of: tuple[float, float], value: tuple[float, float]) -> QRectF:
    width = max(of[0], value[0]) + 2 * (Space.S + 2)
    height = of[1] + value[1] + 2 * Space.S
    left = at.x() + Space.M
    if left + width > frame.right():
        left = max(at.x() - Space.M - width, 0)
    top = min(max(at.y() - height - Space.S, frame.top()), frame.bottom() - height)
    return QRectF(round(left) + 0.5, round(top) + 0.5, width, height)
