"""A thin progress bar with an optional part of its own."""

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from gui.design.theme import current
from gui.design.tokens import Palette, mix

_HEIGHT = 8
_STEPS = 1000
_PART = 0.3
"""Length of the moving piece, as a share of the bar, while progress is unknown."""
_FRAME_MS = 40
_ROUND_MS = 1600


class ProgressBar(QProgressBar):
    """A progress bar; screen readers read the whole, and the text beside the bar states the own part."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own = 0.0
        self._phase = 0.0
        self._clock = QTimer(self, interval=_FRAME_MS)
        self._clock.timeout.connect(self._wander)
        self.setRange(0, _STEPS)
        self.setTextVisible(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set(self, fraction: float, own: float = 0.0) -> None:
        """Set the progress and the own part of it, both 0 to 1."""
        fraction = min(max(fraction, 0.0), 1.0)
        own = min(max(own, 0.0), fraction)
        if own != self._own:
            self._own = own
            self.update()
        self.setValue(round(fraction * _STEPS))

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
        if self.maximum() == 0:
            self._fill_part(painter, area, palette)
        for share, colour in self._layers(palette):
            self._fill(painter, area, share, colour)

    def _layers(self, palette: Palette) -> list[tuple[float, str]]:
        fraction = self.value() / _STEPS if self.maximum() else 0.0
        if not self._own:
            return [(fraction, palette.accent)]
        return [(fraction, mix(palette.accent, palette.line, 0.45)), (self._own, palette.accent)]

    def _wander(self) -> None:
        self._phase = (self._phase + _FRAME_MS / _ROUND_MS) % 1
        if self.isVisible():
            self.update()

    def _fill_part(self, painter: QPainter, area: QRectF, palette: Palette) -> None:
        width = area.width() * _PART
        left = area.left() - width + (area.width() + width) * (self._phase if self._clock.isActive() else 0.5)
        painter.setBrush(QColor(palette.accent))
        painter.drawRoundedRect(QRectF(left, area.top(), width, area.height()), _HEIGHT / 2, _HEIGHT / 2)

    def _fill(self, painter: QPainter, area: QRectF, share: float, colour: str) -> None:
        if share <= 0:
            return
        width = max(area.width() * share, area.height())
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = area.right() - width if mirrored else area.left()
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(QRectF(left, area.top(), width, area.height()), _HEIGHT / 2, _HEIGHT / 2)
