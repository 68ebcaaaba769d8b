"""What stands around the screens of the first run: a picture, how far one has got, and the buttons below."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from gui.design.tokens import Space
from gui.first_run.foot import Foot
from gui.first_run.indicator import StepIndicator
from gui.first_run.mosaic import Mosaic
from gui.first_run.screen import Screen
from gui.link.link import Link
from gui.widgets.scroll import VerticalScroll
from gui.window.link_banner import LinkBanner

_PICTURE_WIDTH = 264
_PICTURE_FROM = 900
"""Logical pixels of the width, below which the picture gives its place to the words."""
_WIDEST = 760
"""Logical pixels of a screen's content: longer lines are hard to read."""


class Frame(QWidget):
    """Tab goes through it from top to bottom, as widgets are made in that order."""

    def __init__(self, link: Link, make_screens: Callable[[], Sequence[Screen]], parent: QWidget) -> None:
        super().__init__(parent)
        self.picture = Mosaic(self)
        self.picture.setFixedWidth(_PICTURE_WIDTH)
        self._indicator = StepIndicator(self)
        self._banner = LinkBanner(link, self)
        self._stack = QStackedWidget(self)
        self.screens = make_screens()
        for screen in self.screens:
            self._stack.addWidget(VerticalScroll(_Centred(screen), self._stack))
        self._indicator.setVisible(len(self.screens) > 1)
        # Once what has just appeared has its place.
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
        """Counted from 0."""
        self._stack.setCurrentIndex(number)
        self._indicator.show_step(number + 1, len(self.screens), self.screens[number].title())

    def give_up(self) -> None:
        """Nobody will come back to these screens."""
        for screen in self.screens:
            screen.given_up()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.picture.setVisible(self.width() >= _PICTURE_FROM)

    def _note_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.isAncestorOf(now):
            self._revealing.start()

    def _reveal(self) -> None:
        """What has got the focus, by whatever, comes into view."""
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
    """A screen with air around it, no wider than can be read, and as high as its words need at that width."""

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
