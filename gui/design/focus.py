"""Shows where the keyboard is: one ring around whatever has the focus, seen by those who use the keyboard."""

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget
from shiboken6 import isValid

from gui.design.tokens import Radius

_WIDTH = 2
_OFFSET = 2
_FIELDS = (QLineEdit, QAbstractSpinBox, QTextEdit, QPlainTextEdit)
"""Show the focus by their border, for they have it while they are typed in."""
RADIUS = "focusRadius"
"""Property of a widget whose corners are not those of a button: their radius in pixels."""


class FocusRing(QObject):
    """Follows the focus through the application."""

    def __init__(self, app: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        self._ring: _Ring | None = None
        self._by_keyboard = False
        """How the application was operated last. Qt forgets it when what had the focus is hidden."""
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
    """Lies in the parent of what it surrounds, and so scrolls with it."""

    def __init__(self, around: QWidget) -> None:
        super().__init__(around.parentWidget())
        self._around = around
        # Splitters and stacks take every new child for one of theirs.
        self.setAttribute(Qt.WidgetAttribute.WA_NoChildEventsForParent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        around.installEventFilter(self)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide):
            self._follow()
        elif event.type() == QEvent.Type.MouseButtonPress:
            self.hide()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.palette().color(QPalette.ColorRole.Accent)), _WIDTH))
        radius = self._around.property(RADIUS)
        radius = (Radius.CONTROL if radius is None else radius) + _OFFSET + _WIDTH / 2
        inset = _WIDTH / 2
        area = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(area, min(radius, area.height() / 2), min(radius, area.height() / 2))

    def _follow(self) -> None:
        reach = _OFFSET + _WIDTH
        area = self._around.geometry().adjusted(-reach, -reach, reach, reach)
        parent = self.parentWidget()
        # Against the edge of its parent it would be cut off.
        self.setGeometry(area.intersected(parent.rect()) if parent is not None else area)
        self.setVisible(self._around.isVisible())
        self.raise_()


def _is_ringed(widget: QWidget) -> bool:
    return not widget.isWindow() and not isinstance(widget, _FIELDS)
