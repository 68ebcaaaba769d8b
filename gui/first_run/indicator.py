"""How far the first run has got: a stroke for each screen, and words for those who cannot see them."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from gui.design import theme
from gui.design.tokens import Space
from gui.widgets.announcement import announce
from gui.widgets.labels import caption

_STROKE, _GAP = 40, 6
_THICK, _THIN = 6.0, 3.0


class StepIndicator(QFrame):
    """Strokes and a line of text beside them."""

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
        """The ``number``-th of all, counted from 1."""
        self._strokes.show_step(number, of)
        #: Where one is in the first run, such as "Step 2 of 5: Sign in".
        words = self.tr("Step {number} of {of}: {title}").format(number=number, of=of, title=title)
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
