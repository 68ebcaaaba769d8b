"""The card with the calendar of a year: a square for each day, in columns of weeks."""

from collections.abc import Callable
from datetime import date

from PySide6.QtCore import QDate, QEvent, QLocale, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from client.api.history import WEEKS, CalendarDay, ContributionHistory, YearCalendar, year_of
from gui.contribution.view import ContributionMeasure, calendar_summary, day_words, days_of, measure_name
from gui.design import fonts
from gui.design.theme import current
from gui.design.tokens import Space, Type, mix
from gui.widgets.cards import Card
from gui.widgets.plot import paint_readout
from gui.widgets.switches import SegmentedControl

_LEAST_PITCH, _MOST_PITCH = 11.0, 18.0
"""Distance of two days in pixels; where a year does not fit, its oldest weeks are left out."""
_GAP = 0.2
"""Gap between two squares, as a share of their distance."""
_CORNER = 2.5
_SHARES = (0.0, 0.28, 0.5, 0.75, 1.0)
"""Share of the accent's colour at each level."""
_KEYS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -7, Qt.Key.Key_Right: 7}
_DAYS = 7
_MEASURES = (ContributionMeasure.SAMPLES, ContributionMeasure.TIME)
_SHORT = QLocale.FormatType.ShortFormat


class CalendarGrid(QFrame):
    """Draws a calendar; arrow keys, Home and End move the readout from day to day, and Escape ends it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.read: int | None = None
        """Index of the day that is read out; None for none."""
        self.calendar = YearCalendar(())
        self._days: list[CalendarDay] = []
        self._told: Callable[[CalendarDay], str] = lambda day: ""
        self._summary = ""
        self._written, self._width = ("", ""), 0.0
        """The font and the language of the names of the days of the week, and the width that they take in these."""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        sizes = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        sizes.setHeightForWidth(True)
        self.setSizePolicy(sizes)
        self.setFont(fonts.text(Type.CAPTION))
        self.setAccessibleName(self.tr("The last 12 months"))

    def show_calendar(self, calendar: YearCalendar, summary: str, told: Callable[[CalendarDay], str]) -> None:
        """Show other days.

        Args:
            calendar: the days.
            summary: a sentence about the whole.
            told: words about the contribution of one day.
        """
        self.calendar, self._days = calendar, list(calendar.days)
        self._summary, self._told = summary, told
        if self.read is not None and self.read >= len(self._days):
            self.read = None
        self._describe()
        self.update()

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        return round(self._above + _DAYS * self._pitch(width))

    def sizeHint(self) -> QSize:  # noqa: N802
        width = round(self._beside + WEEKS * _MOST_PITCH)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        width = round(self._beside + 12 * _LEAST_PITCH)
        return QSize(width, self.heightForWidth(width))

    @property
    def _above(self) -> float:
        """Height of the names of months."""
        return QFontMetricsF(self.font()).height() + Space.XS

    @property
    def _beside(self) -> float:
        """Width of the names of the days of the week, which each square of a year asks for as it is painted."""
        written = (self.font().key(), QLocale().name())
        if written != self._written:
            metrics = QFontMetricsF(self.font())
            widest = max(metrics.horizontalAdvance(_weekday(day)) for day in range(_DAYS))
            self._written, self._width = written, widest + Space.S
        return self._width

    def _pitch(self, width: float) -> float:
        return min(max((width - self._beside) / WEEKS, _LEAST_PITCH), _MOST_PITCH)

    @property
    def _first_week(self) -> int:
        """Number of the first week that fits."""
        fitting = int((self.width() - self._beside) / self._pitch(self.width()) + 0.01)
        return max(len(self.calendar.weeks) - fitting, 0)

    def square(self, index: int) -> QRectF:
        """Return the place of a day; it is outside the widget where the day's week does not fit."""
        week, number = divmod(index, _DAYS)
        return self._at(week, number)

    def _at(self, week: int, number: int) -> QRectF:
        pitch = self._pitch(self.width())
        side = pitch * (1 - _GAP)
        x = self._beside + (week - self._first_week) * pitch
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            x = self.width() - x - side
        return QRectF(x, self._above + number * pitch, side, side)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = current().palette
        painter.setPen(QColor(palette.faint))
        self._paint_names(painter)
        colours = [QColor(mix(palette.accent, palette.line, share)) for share in _SHARES]
        for index in range(self._first_week * _DAYS, len(self._days)):
            painter.setPen(QColor(palette.ink) if index == self.read else Qt.PenStyle.NoPen)
            painter.setBrush(colours[self._days[index].level])
            painter.drawRoundedRect(self.square(index), _CORNER, _CORNER)
        if self.read is not None:
            day = self._days[self.read]
            at = self.square(self.read).center()
            paint_readout(painter, QRectF(self.rect()), at, _day(day.day), self._told(day))

    def _paint_names(self, painter: QPainter) -> None:
        """Paint the names of months above, and of every other day of the week at the side."""
        metrics = QFontMetricsF(self.font())
        is_mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        for week, first in self.calendar.months:
            square, words = self._at(week, 0), QLocale().standaloneMonthName(first.month, _SHORT)
            width = metrics.horizontalAdvance(words)
            left = square.right() - width if is_mirrored else square.left()
            if week >= self._first_week and 0 <= left <= self.width() - width:
                painter.drawText(QPointF(left, metrics.ascent()), words)
        for number in range(0, _DAYS, 2):
            square = self._at(self._first_week, number)
            words = _weekday(number)
            left = self.width() - metrics.horizontalAdvance(words) if is_mirrored else 0.0
            painter.drawText(QPointF(left, square.center().y() + metrics.capHeight() / 2), words)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        at = event.position()
        first = self._first_week * _DAYS
        near = [index for index in range(first, len(self._days)) if self.square(index).contains(at)]
        self._show(near[0] if near else None)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        self._show(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        key, first, last = Qt.Key(event.key()), self._first_week * _DAYS, len(self._days) - 1
        if last < 0:
            super().keyPressEvent(event)
        elif key in _KEYS:
            is_mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
            step = -_KEYS[key] if is_mirrored and abs(_KEYS[key]) == _DAYS else _KEYS[key]
            self._show(last if self.read is None else min(max(self.read + step, first), last))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._show(first if key == Qt.Key.Key_Home else last)
        elif key == Qt.Key.Key_Escape and self.read is not None:
            self._show(None)
        else:
            super().keyPressEvent(event)

    def _show(self, index: int | None) -> None:
        if index != self.read:
            self.read = index
            self._describe()
            self.update()

    def _describe(self) -> None:
        if self.read is None:
            keys = self.tr("Use the arrow keys to read single days.")
            self.setAccessibleDescription(f"{self._summary} {keys}".strip())
        else:
            day = self._days[self.read]
            self.setAccessibleDescription(f"{_day(day.day)}; {self._told(day)}")


class CalendarCard(Card):
    """Shows the days of the last 12 months; the measure of their intensity is chosen on the card."""

    measure_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(self.tr("The last 12 months"))
        names = [measure_name(measure) for measure in _MEASURES]
        self.measures = SegmentedControl(names, name=self.tr("Measure of the days"))
        self.measures.chosen.connect(self.measure_chosen)
        self.head.addWidget(self.measures)
        self.grid = CalendarGrid(self)
        self.body.addWidget(self.grid)

    def show_history(self, history: ContributionHistory, today: date) -> None:
        """Show a history by days."""
        measure = _MEASURES[self.measures.choice]
        calendar = year_of(days_of(history, measure), today)
        rows = {row.start.date(): row for row in history.rows}
        self.grid.show_calendar(
            calendar, calendar_summary(calendar), lambda day: day_words(rows.get(day.day))
        )


def _weekday(number: int) -> str:
    """Return the short name of a day of the week, 0 for Monday."""
    return QLocale().standaloneDayName(number + 1, _SHORT)


def _day(of: date) -> str:
    return QLocale().toString(QDate(of.year, of.month, of.day), QLocale.FormatType.LongFormat)
