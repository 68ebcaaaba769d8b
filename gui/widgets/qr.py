"""A QR code: dark on white in both themes, or no camera reads it."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from gui.design.tokens import LIGHT, Radius

_QUIET = 4
"""Modules of white around it, as the standard asks for."""


class QrCode(QFrame):
    """Of a text, such as an address."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, side: int = 168) -> None:
        super().__init__(parent)
        self._side = side
        self._modules: tuple[bytearray, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Empty: a blank."""
        import segno  # takes a tenth of a second, which is for those who see a code

        self._modules = tuple(segno.make(text, error="m", micro=False).matrix) if text else ()
        self.setAccessibleName(self.tr("QR code"))
        self.setAccessibleDescription(text)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._side, self._side)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(LIGHT.raised))
        painter.drawRoundedRect(QRectF(self.rect()), Radius.CONTROL, Radius.CONTROL)
        if self._modules:
            self._paint_modules(painter)

    def _paint_modules(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        count = len(self._modules) + 2 * _QUIET
        ratio = self.devicePixelRatioF()
        # Whole device pixels: modules of unequal width are hard to read.
        step = max(int(self.width() * ratio) // count, 1) / ratio
        margin = (self.width() - step * len(self._modules)) / 2
        painter.setBrush(QColor(LIGHT.ink))
        for row, modules in enumerate(self._modules):
            for column, dark in enumerate(modules):
                if dark:
                    painter.drawRect(QRectF(margin + column * step, margin + row * step, step, step))
