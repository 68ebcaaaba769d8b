"""The editor for the hours of the week: a grid for pointer and keyboard, and a text field."""

from PySide6.QtCore import QLocale, QPoint, QRectF, QSize, Qt, QTime, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QFrame, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from client.api.choices import PreferenceView, Schedule
from gui.design import fonts
from gui.design.focus import RADIUS
from gui.design.theme import current
from gui.design.tokens import Palette, Radius, Space, Type
from gui.preferences.editors import Editor
from gui.preferences.week import DAYS, HOURS, Cell, Week
from gui.widgets.accessibility import announce
from gui.widgets.labels import caption
from gui.wording import preferences as wording

_CELL = QSize(22, 24)
_SMALLEST = 13
_GAP = 2.0
_MARKED = 6
"""Number of hours between two numbers on the axis."""
_MOVES = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Home: (0, -HOURS),
    Qt.Key.Key_End: (0, HOURS),
}


class HoursGrid(QFrame):
    """A grid of the week: days are rows, and time runs to the right in all languages.

    Dragging selects hours. Arrow keys move, Space toggles an hour, and Shift with arrow keys paints.
    """

    painted = Signal(object)
    """Emitted with the new `Week`."""

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
        """True if the current drag allows hours, False if it forbids them."""

    @property
    def week(self) -> Week:
        return self._week

    def set_week(self, week: Week) -> None:
        self._week = week
        self._describe()
        self.update()

    def area(self, cell: Cell) -> QRectF:
        """Return the area of an hour."""
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
        """Return the week that results if the pointer is released now."""
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
        """Describe the hour under the keyboard cursor to screen readers."""
        day, hour = self._cell
        allowed = self.tr("{day}, {time}: training is allowed")
        refused = self.tr("{day}, {time}: training pauses")
        text = allowed if self._week.share(self._cell) >= 0.5 else refused
        sentence = text.format(day=QLocale().standaloneDayName(day + 1), time=_clock(hour))
        self.setAccessibleDescription(sentence)
        if self.hasFocus():
            announce(self, sentence)

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


class HoursEditor(Editor):
    """Shows the same hours as grid and text; either can be edited."""

    is_wide = True

    def __init__(self, view: PreferenceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self.word = QCheckBox(wording.choice(view.name, view.otherwise), self)
        self.word.clicked.connect(self._emit_word)
        self.grid = HoursGrid(self)
        self.grid.painted.connect(self._emit_grid)
        self.field = QLineEdit(self)
        self.field.editingFinished.connect(self._emit_text)
        self.remark = caption(
            self.tr(
                "Drag to select hours, or move with the arrow keys and press Space. You can also "
                "type the hours into the field."
            ),
            self,
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        for part in (self.word, self.grid, self.field, self.remark):
            column.addWidget(part)
        self.show_view(view)

    def show_view(self, view: PreferenceView) -> None:
        self._view = view
        self.field.setText("" if view.value == view.otherwise else view.value)
        self.field.setPlaceholderText("mon-fri 18:00-08:00, sat-sun")
        self.grid.set_week(_week(view.value))
        self.word.setChecked(view.value == view.otherwise)
        self._show_parts()

    def set_name(self, name: str) -> None:
        self.grid.setAccessibleName(name)
        self.field.setAccessibleName(self.tr("{preference}, as text").format(preference=name))

    @property
    def is_in_use(self) -> bool:
        return self.field.hasFocus() and self.field.isModified()

    def _show_parts(self) -> None:
        for part in (self.grid, self.field, self.remark):
            part.setVisible(not self.word.isChecked())

    def _emit_word(self, is_chosen: bool) -> None:
        self._show_parts()
        if is_chosen:
            self.edited.emit(self._view.otherwise)

    def _emit_grid(self, week: Week) -> None:
        if week.is_empty:
            # Another preference means "never", so the last hour cannot be removed.
            self.grid.set_week(_week(self._view.value))
        else:
            self.edited.emit(str(week.schedule()))

    def _emit_text(self) -> None:
        if self.field.isModified():
            self.field.setModified(False)
            self.edited.emit(self.field.text().strip() or self._view.otherwise)


def _week(text: str) -> Week:
    """Return the week of a text; all hours if the text of another daemon version cannot be read."""
    try:
        return Week.of(Schedule.parse(text))
    except ValueError:
        return Week.of(Schedule())
