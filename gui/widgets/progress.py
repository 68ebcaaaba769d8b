"""A thin progress bar."""

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from gui.design.theme import current

_HEIGHT = 8
_STEPS = 1000
_PART = 0.3
"""Length of the moving piece, as a share of the bar, while progress is unknown."""
_FRAME_MS = 40
_ROUND_MS = 1600


class ProgressBar(QProgressBar):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._phase = 0.0
        self._clock = QTimer(self, interval=_FRAME_MS)
        self._clock.timeout.connect(self._wander)
        self.setRange(0, _STEPS)
        self.setTextVisible(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set(self, fraction: float) -> None:
        """Set the progress, 0 to 1."""
        self.setValue(round(min(max(fraction, 0.0), 1.0) * _STEPS))

    def set_busy(self, busy: bool) -> None:
        """Show that progress is unknown by a moving piece, unless the desktop asks for no animations."""
        self.setRange(0, 0 if busy else _STEPS)
        if busy and not current().is_still:
            self._clock.start()
        else:
            self._clock.stop()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(160, _HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(40, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        area = QRectF(0, (self.height() - _HEIGHT) / 2, self.width(), _HEIGHT)
        track = QPainterPath()
        track.addRoundedRect(area, _HEIGHT / 2, _HEIGHT / 2)
        palette = current().palette
        painter.fillPath(track, QColor(palette.line))
        painter.setClipPath(track)
        painter.setBrush(QColor(palette.accent))
        if self.maximum() == 0:
            self._fill_part(painter, area)
        else:
            self._fill(painter, area, self.value() / _STEPS)

    def _wander(self) -> None:
        self._phase = (self._phase + _FRAME_MS / _ROUND_MS) % 1
        if self.isVisible():
            self.update()

    def _fill_part(self, painter: QPainter, area: QRectF) -> None:
        width = area.width() * _PART
        left = area.left() - width + (area.width() + width) * (self._phase if self._clock.isActive() else 0.5)
        painter.drawRoundedRect(QRectF(left, area.top(), width, area.height()), _HEIGHT / 2, _HEIGHT / 2)

    def _fill(self, painter: QPainter, area: QRectF, share: float) -> None:
        if share <= 0:
            return
        width = max(area.width() * share, area.height())
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = area.right() - width if mirrored else area.left()
        painter.drawRoundedRect(QRectF(left, area.top(), width, area.height()), _HEIGHT / 2, _HEIGHT / 2)
