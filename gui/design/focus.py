"""The focus ring: marks the focused widget for people who use the keyboard."""

from collections.abc import Iterator
from itertools import takewhile

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from gui.design.tokens import Radius

_WIDTH = 2
_OFFSET = 2
_FIELDS = (QLineEdit, QAbstractSpinBox, QTextEdit, QPlainTextEdit)
"""Fields that show the focus by their border, because they have it while the user types."""
RADIUS = "focusRadius"
"""Name of the property with a widget's corner radius in pixels; without it, a button's radius applies."""


class FocusRing(QObject):
    """Draws the ring around the focused widget of the application."""

    def __init__(self, app: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        self._ring: _Ring | None = None
        self._by_keyboard = False
        """True if the last input came from the keyboard; Qt forgets it when the focused widget is hidden."""
        app.focusChanged.connect(self._move)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.KeyPress:
            self._by_keyboard = True
        elif event.type() == QEvent.Type.MouseButtonPress:
            self._by_keyboard = False
        return super().eventFilter(watched, event)

    def _move(self, before: QWidget | None, now: QWidget | None) -> None:
        if self._ring is not None and isValid(self._ring):
            self._ring.hide()
            self._ring.deleteLater()
        if before is not None and isValid(before):
            before.removeEventFilter(self)
        if now is not None:
            now.installEventFilter(self)
            self._note(now)
        self._ring = _Ring(now) if now is not None and self._by_keyboard and _is_ringed(now) else None

    def _note(self, now: QWidget) -> None:
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._by_keyboard = False
        elif now.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange):
            self._by_keyboard = True


class _Ring(QWidget):
    """The ring: a child of the nearest ancestor with room for it, so that it scrolls with its widget."""

    def __init__(self, around: QWidget) -> None:
        self._around, self._host = around, _host(around)
        super().__init__(self._host)
        # Splitters and stacks would treat a new child as one of their pages.
        self.setAttribute(Qt.WidgetAttribute.WA_NoChildEventsForParent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for each in (around, *takewhile(lambda ancestor: ancestor is not self._host, _ancestors(around))):
            each.installEventFilter(self)
        self._follow()

    @property
    def _has_place(self) -> bool:
        """False once its widget or its host is gone.

        The ring is deleted later than its widget, and a window that ends hides its children after its own wrapper.
        """
        return isValid(self._around) and isValid(self._host)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if not self._has_place:
            return False
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide):
            self._follow()
        elif event.type() == QEvent.Type.MouseButtonPress and watched is self._around:
            self.hide()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        if not self._has_place:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.palette().color(QPalette.ColorRole.Accent)), _WIDTH))
        radius = self._around.property(RADIUS)
        radius = (Radius.CONTROL if radius is None else radius) + _OFFSET + _WIDTH / 2
        inset = _WIDTH / 2
        area = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(area, min(radius, area.height() / 2), min(radius, area.height() / 2))

    def _follow(self) -> None:
        # The ring may not reach beyond the edge of its host.
        self.setGeometry(_area(self._around, self._host).intersected(self._host.rect()))
        self.setVisible(self._around.isVisible())
        self.raise_()


def _is_ringed(widget: QWidget) -> bool:
    return not widget.isWindow() and not isinstance(widget, _FIELDS)


def _host(around: QWidget) -> QWidget:
    ancestors = list(_ancestors(around))
    roomy = (each for each in ancestors if each.rect().contains(_area(around, each)))
    return next(roomy, ancestors[-1])


def _ancestors(widget: QWidget) -> Iterator[QWidget]:
    """Yield the ancestors of a widget up to its window or its scroll area.

    A ring outside the scroll area would not scroll with the widget.
    """
    ancestor = widget.parentWidget()
    while ancestor is not None:
        yield ancestor
        above = ancestor.parentWidget()
        is_scrolled = above is not None and isinstance(above.parentWidget(), QAbstractScrollArea)
        ancestor = None if ancestor.isWindow() or is_scrolled else above


def _area(around: QWidget, host: QWidget) -> QRect:
    """Return the area of the ring in the coordinates of its host."""
    reach = _OFFSET + _WIDTH
    area = around.rect().adjusted(-reach, -reach, reach, reach)
    return area.translated(around.mapTo(host, QPoint()))
