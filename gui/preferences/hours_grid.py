"""The hours of the week to paint on, by pointer or by keyboard."""

from PySide6.QtCore import QLocale, QPoint, QRectF, QSize, Qt, QTime, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from gui.design import fonts
from gui.design.focus import RADIUS
from gui.design.theme import current
from gui.design.tokens import Palette, Radius, Space, Type
from gui.preferences.week import DAYS, HOURS, Cell, Week
from gui.widgets.announcement import announce

_CELL = QSize(22, 24)
_SMALLEST = 13
_GAP = 2.0
_MARKED = 6
"""Every so many hours the axis has a number."""
_MOVES = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Home: (0, -HOURS),
    Qt.Key.Key_End: (0, HOURS),
}


class HoursGrid(QFrame):
    """Days are rows, and time runs to the right in all languages.

    Drag to paint; on the keyboard arrows move, Space changes an hour, and with Shift held arrows paint.
    """

    painted = Signal(object)
    """The `Week` that a person has made."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(fonts.text(Type.CAPTION))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setProperty(RADIUS, Radius.SMALL)
        self.setMouseTracking(False)
        self._week = Week(b"")
        self._cell: Cell = (0, 0)
        self._pressed: Cell | None = None
        self._allows = False
        """What the pointer paints."""

    @property
    def week(self) -> Week:
        return self._week

    def set_week(self, week: Week) -> None:
        self._week = week
        self._describe()
        self.update()

    def area(self, cell: Cell) -> QRectF:
        """Where an hour is drawn."""
        day, hour = cell
        width = (self.width() - self._margin()) / HOURS
        return QRectF(self._margin() + hour * width, day * _CELL.height(), width, _CELL.height())

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._margin() + HOURS * _CELL.width(), self._height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._margin() + HOURS * _SMALLEST, self._height())

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        cell = self._cell_at(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and cell is not None:
            self._pressed = self._cell = cell
            self._allows = self._week.share(cell) < 0.5
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        cell = self._cell_at(event.position().toPoint())
        if self._pressed is not None and cell is not None and cell != self._cell:
            self._cell = cell
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self._pressed is not None and event.button() is Qt.MouseButton.LeftButton:
            week = self._drawn()
            self._pressed = None
            self._change(week)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        key = Qt.Key(event.key())
        if key in _MOVES:
            allows = self._week.share(self._cell) >= 0.5
            self._move(*_MOVES[key])
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._change(self._week.painted([self._cell], allows))
        elif key is Qt.Key.Key_Space:
            self._change(self._week.painted([self._cell], self._week.share(self._cell) < 0.5))
        elif key is Qt.Key.Key_Escape and self._pressed is not None:
            self._pressed = None
            self.update()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusInEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette, week = current().palette, self._drawn()
        self._paint_axes(painter, palette)
        painter.setPen(Qt.PenStyle.NoPen)
        for day in range(DAYS):
            for hour in range(HOURS):
                self._paint_cell(painter, palette, self.area((day, hour)), week.share((day, hour)))
        if self.hasFocus():
            painter.setPen(QPen(QColor(palette.ink), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.area(self._cell).adjusted(1, 1, -1, -1), 4, 4)

    def _paint_axes(self, painter: QPainter, palette: Palette) -> None:
        locale = QLocale()
        painter.setPen(QColor(palette.soft))
        for day in range(DAYS):
            line = QRectF(0, self.area((day, 0)).top(), self._margin() - Space.S, _CELL.height())
            name = locale.standaloneDayName(day + 1, QLocale.FormatType.ShortFormat)
            painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, name)
        painter.setPen(QColor(palette.faint))
        top, width = DAYS * _CELL.height() + Space.XS, 60.0
        for hour in range(0, HOURS + 1, _MARKED):
            x = self._margin() + hour * (self.width() - self._margin()) / HOURS
            left = min(max(x - width / 2, self._margin() - width / 2), self.width() - width)
            align = Qt.AlignmentFlag.AlignRight if hour == HOURS else Qt.AlignmentFlag.AlignHCenter
            painter.drawText(QRectF(left, top, width, self.fontMetrics().height()), align, _clock(hour))

    def _paint_cell(self, painter: QPainter, palette: Palette, area: QRectF, share: float) -> None:
        half = _GAP / 2
        area = area.adjusted(half, half, -half, -half)
        painter.setBrush(QColor(palette.line if current().is_dark else palette.sunken))
        painter.drawRoundedRect(area, 3, 3)
        if share > 0:
            painter.setBrush(QColor(palette.accent))
            filled = area.adjusted(0, area.height() * (1 - share), 0, 0)
            painter.drawRoundedRect(filled, 3, 3)

    def _drawn(self) -> Week:
        """The week as it becomes if the pointer is released now."""
        if self._pressed is None:
            return self._week
        (day, hour), (to_day, to_hour) = self._pressed, self._cell
        days = range(min(day, to_day), max(day, to_day) + 1)
        hours = range(min(hour, to_hour), max(hour, to_hour) + 1)
        return self._week.painted([(d, h) for d in days for h in hours], self._allows)

    def _change(self, week: Week) -> None:
        if week != self._week:
            self.set_week(week)
            self.painted.emit(week)

    def _move(self, days: int, hours: int) -> None:
        day, hour = self._cell
        self._cell = (min(max(day + days, 0), DAYS - 1), min(max(hour + hours, 0), HOURS - 1))
        self._describe()
        self.update()

    def _describe(self) -> None:
        """The hour where the keyboard is, for those who do not see it."""
        day, hour = self._cell
        allowed = self.tr("{day}, {time}: training is allowed")
        refused = self.tr("{day}, {time}: training pauses")
        text = allowed if self._week.share(self._cell) >= 0.5 else refused
        said = text.format(day=QLocale().standaloneDayName(day + 1), time=_clock(hour))
        self.setAccessibleDescription(said)
        if self.hasFocus():
            announce(self, said)

    def _cell_at(self, point: QPoint) -> Cell | None:
        day = point.y() // _CELL.height()
        hour = int((point.x() - self._margin()) // ((self.width() - self._margin()) / HOURS))
        return (day, hour) if 0 <= day < DAYS and 0 <= hour < HOURS else None

    def _margin(self) -> int:
        names = (
            QLocale().standaloneDayName(day, QLocale.FormatType.ShortFormat) for day in range(1, DAYS + 1)
        )
        return max(map(self.fontMetrics().horizontalAdvance, names)) + Space.S

    def _height(self) -> int:
        return DAYS * _CELL.height() + Space.XS + self.fontMetrics().height()


def _clock(hour: int) -> str:
    return QLocale().toString(QTime(hour % HOURS, 0), QLocale.FormatType.ShortFormat)
