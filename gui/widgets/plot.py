"""The base of all charts: grid, labels, and a readout of one value at a time by pointer or keys."""

from abc import abstractmethod
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from gui.design import fonts
from gui.design.theme import current
from gui.design.tokens import Radius, Space, Type
from gui.widgets.axes import NOTHING, Axis

_WIDE = 400.0
"""Room for text that is aligned to one of its edges."""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
_KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}
_TICK_PITCH = 84
"""Smallest distance of marks in pixels, so that their texts do not touch."""
_LINE_PITCH = 44


def paint_heights(painter: QPainter, frame: QRectF, axis: Axis, *, mirrored: bool) -> None:
    """Paint horizontal lines with their values."""
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
    """Paint the texts below the chart; only evenly spaced ones if not all fit."""
    metrics = QFontMetricsF(painter.font())
    painter.setPen(QColor(current().palette.faint))
    widest = max((metrics.horizontalAdvance(words) for _, words in ticks), default=0.0)
    for x, words in ticks[:: stride([x for x, _ in ticks], widest + Space.M)]:
        width = metrics.horizontalAdvance(words)
        left = min(max(x - width / 2, 0.0), room.width() - width)
        painter.drawText(QPointF(left, frame.bottom() + Space.S + metrics.ascent()), words)


def stride(places: Sequence[float], room: float) -> int:
    """Return the smallest step between evenly spaced texts at which they do not touch."""
    if len(places) < 2:
        return 1
    pitch = abs(places[1] - places[0])
    return max(1, -int(-room // pitch)) if pitch > 0 else len(places)


def paint_labels(painter: QPainter, room: QRect, frame: QRectF, x_label: str, y_label: str) -> None:
    """Paint the names of the axes: above the vertical axis, and below the chart."""
    painter.setPen(QColor(current().palette.faint))
    leading = Qt.AlignmentFlag.AlignLeading
    painter.drawText(room, leading | Qt.AlignmentFlag.AlignTop, y_label)
    below = QRectF(frame.left(), 0, frame.width(), room.height())
    painter.drawText(below, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, x_label)


def paint_readout(painter: QPainter, frame: QRectF, at: QPointF, of: str, value: str) -> None:
    """Paint the readout beside its value, on the side with more room."""
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


class Plot(QFrame):
    """Base of charts: arrow keys, Home and End move the readout, and Escape ends it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.read: int | None = None
        """Index of the value that is read out; None for none."""
        self.empty = self.tr("Nothing to show yet")
        self.x_axis: Axis = NOTHING
        self.y_axis: Axis = NOTHING
        self.x_label = self.y_label = ""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFont(fonts.figures(fonts.text(Type.CAPTION)))

    @abstractmethod
    def count(self) -> int:
        """Return the number of values that can be read out."""

    @abstractmethod
    def measure(self, across: int, up: int) -> None:
        """Set the axes, with at most that many marks in each direction."""

    @abstractmethod
    def position(self, index: int) -> QPointF:
        """Return the place of a value."""

    @abstractmethod
    def readout(self, index: int) -> tuple[str, str]:
        """Return a value in words: its label, and the value itself."""

    @abstractmethod
    def summary(self) -> str:
        """Return a sentence about the whole chart."""

    @abstractmethod
    def ticks(self, frame: QRectF) -> list[tuple[float, str]]:
        """Return places and texts below the chart; texts without room are left out."""

    @abstractmethod
    def paint_values(self, painter: QPainter, frame: QRectF) -> None:
        """Paint the values above the grid."""

    def set_empty(self, text: str) -> None:
        """Set the text for a chart without values."""
        self.empty = text
        self.renew()

    def name_axes(self, x_label: str, y_label: str) -> None:
        """Set the names of the axes."""
        self.x_label, self.y_label = x_label, y_label
        self.setAccessibleName(y_label)

    def renew(self) -> None:
        """Update the chart after its values have changed."""
        if self.read is not None and self.read >= self.count():
            self.read = None
        self._measure()
        self._describe()
        self.update()

    def frame(self) -> QRectF:
        """Return the area of the values, without the room for texts."""
        line = self.fontMetrics().height()
        widest = max(
            (self.fontMetrics().horizontalAdvance(self.y_axis.words(mark)) for mark in self.y_axis.marks),
            default=0,
        )
        above = line + Space.M if self.y_label else line / 2
        below = Space.S + line + (line + 2 if self.x_label else 0)
        before, after = widest + Space.S, Space.S
        if self._is_mirrored():
            before, after = after, before
        return QRectF(self.rect()).adjusted(before, above, -after, -below)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(480, 240)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(200, 150)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._measure()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.count():
            painter.setPen(QColor(current().palette.faint))
            words = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect().adjusted(Space.L, 0, -Space.L, 0), words, self.empty)
            return
        frame = self.frame()
        paint_labels(painter, self.rect(), frame, self.x_label, self.y_label)
        paint_heights(painter, frame, self.y_axis, mirrored=self._is_mirrored())
        paint_ticks(painter, self.rect(), frame, self.ticks(frame))
        self.paint_values(painter, frame)
        if self.read is not None:
            paint_readout(painter, frame, self.position(self.read), *self.readout(self.read))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._show(self.nearest(event.position().x()))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        self._show(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        last = self.count() - 1
        key = Qt.Key(event.key())
        if last < 0:
            super().keyPressEvent(event)
        elif key in _KEYS:
            start = self.read if self.read is not None else (-1 if _KEYS[key] > 0 else last + 1)
            self._show(min(max(start + _KEYS[key], 0), last))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._show(0 if key == Qt.Key.Key_Home else last)
        elif key == Qt.Key.Key_Escape and self.read is not None:
            self._show(None)
        else:
            super().keyPressEvent(event)

    def nearest(self, x: float) -> int | None:
        """Return the index of the value closest to that x; None if there are no values.

        The search is by bisection, because positions rise from left to right.
        """
        low, high = 0, self.count()
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.position(middle).x() < x else (low, middle)
        near = [index for index in (low - 1, low) if 0 <= index < self.count()]
        return min(near, key=lambda index: abs(self.position(index).x() - x), default=None)

    def _measure(self) -> None:
        self.measure(max(self.width() // _TICK_PITCH, 2), max(self.height() // _LINE_PITCH, 2))

    def _is_mirrored(self) -> bool:
        return self.layoutDirection() is Qt.LayoutDirection.RightToLeft

    def _show(self, index: int | None) -> None:
        if index != self.read:
            self.read = index
            self._describe()
            self.update()

    def _describe(self) -> None:
        if not self.count():
            self.setAccessibleDescription(self.empty)
        elif self.read is None:
            self.setAccessibleDescription(self.summary())
        else:
            self.setAccessibleDescription("; ".join(part for part in self.readout(self.read) if part))
