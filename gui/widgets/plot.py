"""What all charts have in common: a soft grid, one value read out at a time by pointer or keys, and words for all."""

from abc import abstractmethod

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from gui.design import fonts
from gui.design.theme import current
from gui.design.tokens import Space, Type
from gui.widgets.axes import NOTHING, Axis
from gui.widgets.grid import paint_heights, paint_labels, paint_readout, paint_ticks

_KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}
_TICK_PITCH = 84
"""Pixels between marks, at least; below that, words touch."""
_LINE_PITCH = 44


class Plot(QFrame):
    """Arrow keys, Home and End move the readout, Escape ends it; its words are the accessible description."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.read: int | None = None
        """Which of the values is read out."""
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
        """How many values can be read out."""

    @abstractmethod
    def measure(self, across: int, up: int) -> None:
        """Set the axes anew, with at most so many marks in each direction."""

    @abstractmethod
    def position(self, index: int) -> QPointF:
        """Where that value is drawn."""

    @abstractmethod
    def readout(self, index: int) -> tuple[str, str]:
        """That value in words: what it is of, and itself."""

    @abstractmethod
    def summary(self) -> str:
        """The whole in a sentence."""

    @abstractmethod
    def ticks(self, frame: QRectF) -> list[tuple[float, str]]:
        """Where words stand below the chart, and which; those without room are left out."""

    @abstractmethod
    def paint_values(self, painter: QPainter, frame: QRectF) -> None:
        """The grid lies beneath already."""

    def set_empty(self, text: str) -> None:
        """What is said while there is nothing to draw."""
        self.empty = text
        self.renew()

    def name_axes(self, x_label: str, y_label: str) -> None:
        """What the axes stand for."""
        self.x_label, self.y_label = x_label, y_label
        self.setAccessibleName(y_label)

    def renew(self) -> None:
        """Call it when the values have changed."""
        if self.read is not None and self.read >= self.count():
            self.read = None
        self._measure()
        self._tell()
        self.update()

    def frame(self) -> QRectF:
        """Where values are drawn, within what words take."""
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
        """The value drawn closest to that place, by halving: positions rise from left to right."""
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
            self._tell()
            self.update()

    def _tell(self) -> None:
        if not self.count():
            self.setAccessibleDescription(self.empty)
        elif self.read is None:
            self.setAccessibleDescription(self.summary())
        else:
            self.setAccessibleDescription("; ".join(part for part in self.readout(self.read) if part))
