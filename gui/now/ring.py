"""A ring that fills as the swarm gathers an epoch's samples, with this computer's part of them drawn thicker."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QProgressBar, QWidget

from gui.design import fonts
from gui.design.theme import current
from gui.design.tokens import Type, mix
from gui.wording import amounts

_SIZE = 168
_STEPS = 1000
_MINE, _OTHERS = 14.0, 8.0
"""Widths of the two strokes."""
_TOP = 90 * 16
_WHOLE = 360 * 16
"""Qt counts sixteenths of a degree, anticlockwise from three o'clock."""


class EpochRing(QProgressBar):
    """Clockwise from the top, whatever the language: as a clock goes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fraction, self._own = 0.0, 0.0
        self.setRange(0, _STEPS)
        self.setFixedSize(_SIZE, _SIZE)
        self.setAccessibleName(self.tr("Progress of the epoch"))

    def set_progress(self, fraction: float, own: float, described: str) -> None:
        """Shares of the target, 0 to 1; ``described`` says the same in words."""
        self._fraction, self._own = min(max(fraction, 0.0), 1.0), min(max(own, 0.0), 1.0)
        self.setValue(round(self._fraction * _STEPS))
        self.setAccessibleDescription(described)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(_SIZE, _SIZE)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = current().palette
        stroke = colours.accent if self.isEnabled() else colours.control
        self._arc(painter, colours.line, _OTHERS, 1.0)
        self._arc(painter, mix(stroke, colours.raised, 0.45), _OTHERS, self._fraction)
        self._arc(painter, stroke, _MINE, self._own)
        painter.setPen(QColor(colours.ink if self.isEnabled() else colours.faint))
        painter.setFont(fonts.figures(fonts.heading(Type.DISPLAY)))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, amounts.percent(self._fraction))

    def _arc(self, painter: QPainter, colour: str, width: float, share: float) -> None:
        if share <= 0:
            return
        pen = QPen(QColor(colour), width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        inset = _MINE / 2
        area = QRectF(QPointF(inset, inset), QPointF(self.width() - inset, self.height() - inset))
        painter.drawArc(area, _TOP, -round(_WHOLE * share))
