"""The frame around the screens of the first run: a picture, the current step, and the buttons below."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gui.design import fonts, theme
from gui.design.tokens import Space, Type
from gui.first_run.mosaic import Mosaic
from gui.first_run.screen import Screen
from gui.link.link import AppLink
from gui.widgets.accessibility import announce
from gui.widgets.buttons import PrimaryButton, QuietButton
from gui.widgets.labels import Label, Tone, caption
from gui.widgets.layouts import VerticalScroll
from gui.window.status import LinkBanner

_STROKE, _GAP = 40, 6
_THICK, _THIN = 6.0, 3.0
_PICTURE_WIDTH = 264
_PICTURE_FROM = 900
"""Smallest window width in logical pixels at which the picture is shown."""
_WIDEST = 760
"""Largest width of a screen's content in logical pixels, because longer lines are hard to read."""


class Foot(QWidget):
    back_pressed = Signal()
    primary_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._back = QuietButton(self.tr("Back"), self)
        self._back.clicked.connect(self.back_pressed)
        self._hint = _Hint("", fonts.text(Type.CAPTION), Tone.FAINT, self)
        self.primary = PrimaryButton("", self)
        self.primary.clicked.connect(self.primary_pressed)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.XXL, Space.L, Space.XXL, Space.L)
        row.setSpacing(Space.L)
        row.addWidget(self._back)
        row.addWidget(self._hint, 1)
        row.addWidget(self.primary)

    def show_primary(self, text: str, is_ready: bool, hint: str) -> None:
        self.primary.setText(text)
        self.primary.setEnabled(is_ready)
        self.primary.setAccessibleDescription(hint)
        self._hint.setText(hint)

    def show_back(self, is_there: bool, is_ready: bool) -> None:
        self._back.setVisible(is_there)
        self._back.setEnabled(is_ready)


class _Hint(Label):
    """A hint, aligned to the button on its right."""

    def _align(self) -> None:
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        side = Qt.AlignmentFlag.AlignLeft if mirrored else Qt.AlignmentFlag.AlignRight
        self.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)


class StepIndicator(QFrame):
    """Shows the current step: one stroke for each screen, and a line of text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._strokes = _Strokes(self)
        self._words = caption("", self)
        self._words.setWordWrap(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.M)
        row.addWidget(self._strokes)
        row.addWidget(self._words, 1)

    def show_step(self, number: int, of: int, title: str) -> None:
        """Show step ``number`` of ``of``, counted from 1."""
        self._strokes.show_step(number, of)
        #: Where one is in the first run, such as "Step 2 of 5: Sign in".
        words = self.tr("Step {number} of {of}: {title}").format(number=number, of=of, title=title)
        if words == self.accessibleName():
            return
        self._words.setText(words)
        self.setAccessibleName(words)
        announce(self, words)


class _Strokes(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._number, self._of = 1, 1
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_step(self, number: int, of: int) -> None:
        self._number, self._of = number, of
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._of * (_STROKE + _GAP) - _GAP, round(_THICK) + 2)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        colours = theme.current().palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for number in range(1, self._of + 1):
            is_current = number == self._number
            colour = (
                colours.vermilion
                if is_current
                else colours.accent
                if number < self._number
                else colours.line_strong
            )
            painter.setBrush(QColor(colour))
            painter.drawRoundedRect(self._stroke(number, _THICK if is_current else _THIN), 3, 3)

    def _stroke(self, number: int, thickness: float) -> QRectF:
        place = number - 1 if self.layoutDirection() is Qt.LayoutDirection.LeftToRight else self._of - number
        return QRectF(place * (_STROKE + _GAP), (self.height() - thickness) / 2, _STROKE, thickness)


class FirstRunFrame(QWidget):
    """The frame; its widgets are created from top to bottom, which is the order of Tab."""

    def __init__(self, link: AppLink, make_screens: Callable[[], Sequence[Screen]], parent: QWidget) -> None:
        super().__init__(parent)
        self.picture = Mosaic(self)
        self.picture.setFixedWidth(_PICTURE_WIDTH)
        self._indicator = StepIndicator(self)
        self._banner = LinkBanner(link, self)
        self._stack = QStackedWidget(self)
        self.screens = make_screens()
        for screen in self.screens:
            self._stack.addWidget(VerticalScroll(_Centred(screen), self._stack))
        # Wait until new widgets are laid out.
        self._revealing = QTimer(self, singleShot=True, interval=0)
        self._revealing.timeout.connect(self._reveal)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._note_focus)
        self.foot = Foot(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.picture)
        row.addLayout(self._column(), 1)

    def show_screen(self, number: int) -> None:
        """Show the screen of that number, counted from 0."""
        self._stack.setCurrentIndex(number)

    def show_place(self, number: int, of: int) -> None:
        """Show that this is screen ``number``, counted from 1, ``of`` those that are not left out."""
        self._indicator.setVisible(of > 1)
        self._indicator.show_step(number, of, self.screens[self._stack.currentIndex()].title())

    def give_up(self) -> None:
        """Tell all screens that they will not be shown again."""
        for screen in self.screens:
            screen.given_up()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.picture.setVisible(self.width() >= _PICTURE_FROM)

    def _note_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.isAncestorOf(now):
            self._revealing.start()

    def _reveal(self) -> None:
        """Scroll the focused widget into view."""
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        scroll, focused = self._stack.currentWidget(), QApplication.focusWidget()
        if isinstance(scroll, VerticalScroll) and focused is not None and scroll.isAncestorOf(focused):
            scroll.ensureWidgetVisible(focused, Space.XL, Space.XL)

    def _column(self) -> QVBoxLayout:
        top = QVBoxLayout()
        top.setContentsMargins(Space.XXL, Space.XL, Space.XXL, Space.M)
        top.setSpacing(Space.L)
        top.addWidget(self._indicator)
        top.addWidget(self._banner)
        rule = QFrame(self)
        rule.setProperty("rule", True)
        rule.setFixedHeight(1)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self._stack, 1)
        column.addWidget(rule)
        column.addWidget(self.foot)
        return column


class _Centred(QWidget):
    """Centres a screen with a margin and a largest width; its height follows from its text."""

    def __init__(self, screen: Screen) -> None:
        super().__init__()
        screen.setMaximumWidth(_WIDEST)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.XXL, Space.S, Space.XXL, Space.XL)
        row.addStretch(1)
        row.addWidget(screen, 10_000)
        row.addStretch(1)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(super().minimumSizeHint().width(), 0)
