"""Generated images, and QR codes."""

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from gui.design.focus import RADIUS
from gui.design.icons import pixmap
from gui.design.theme import current
from gui.design.tokens import LIGHT, Radius

_PLACEHOLDER = 28
_SMALLEST = 48
_QUIET = 4
"""Number of white modules around the code, as the standard requires."""


class PictureView(QFrame):
    """Shows a picture at its aspect ratio, or a placeholder."""

    def __init__(
        self, image: QImage | None = None, parent: QWidget | None = None, *, placeholder: str = ""
    ) -> None:
        super().__init__(parent)
        self.image = image
        self.placeholder = placeholder
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def set_image(self, image: QImage | None) -> None:
        """Set the picture; None for the placeholder."""
        self.image = image
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(256, 256)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(_SMALLEST, _SMALLEST)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        paint_picture(QPainter(self), self.rect(), self.image, self.placeholder)


class PictureButton(QPushButton):
    """A picture that can be chosen; its accessible name is its content."""

    def __init__(
        self, name: str, side: int, image: QImage | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.image = image
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setFixedSize(side, side)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setProperty(RADIUS, Radius.CARD - 2)

    def set_image(self, image: QImage | None) -> None:
        """Set the picture; None for the placeholder."""
        self.image = image
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        paint_picture(painter, self.rect(), self.image)
        if self.underMouse() or self.isChecked():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(current().palette.accent))
            painter.drawRoundedRect(
                QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), Radius.CARD - 2, Radius.CARD - 2
            )


def paint_picture(painter: QPainter, area: QRect, image: QImage | None, placeholder: str = "") -> None:
    """Paint a picture with rounded corners in the centre of the area."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    frame = _fitted(area, image.size()) if image is not None and not image.isNull() else area
    path = QPainterPath()
    path.addRoundedRect(QRectF(frame).adjusted(0.5, 0.5, -0.5, -0.5), Radius.CARD - 2, Radius.CARD - 2)
    palette = current().palette
    painter.save()
    if image is None or image.isNull():
        painter.fillPath(path, QColor(palette.sunken))
        _paint_placeholder(painter, frame, placeholder)
    else:
        painter.setClipPath(path)
        enlarged = frame.width() * painter.device().devicePixelRatio() >= image.width()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not enlarged)
        painter.drawImage(frame, image)
    painter.restore()
    painter.setPen(QColor(palette.line))
    painter.drawPath(path)


def _fitted(area: QRect, size: QSize) -> QRect:
    scaled = size.scaled(area.size(), Qt.AspectRatioMode.KeepAspectRatio)
    corner = QPoint((area.width() - scaled.width()) // 2, (area.height() - scaled.height()) // 2)
    return QRect(area.topLeft() + corner, scaled)


def _paint_placeholder(painter: QPainter, area: QRect, text: str) -> None:
    faint = current().palette.faint
    if text:
        painter.setPen(QColor(faint))
        painter.drawText(
            area.adjusted(8, 8, -8, -8), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text
        )
        return
    drawn = pixmap("picture", _PLACEHOLDER, faint, painter.device().devicePixelRatio())
    painter.setOpacity(0.6)
    painter.drawPixmap(area.center() - QPoint(_PLACEHOLDER // 2, _PLACEHOLDER // 2), drawn)


class QrCode(QFrame):
    """The QR code of a text, dark on white in both themes, because cameras need that."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, side: int = 168) -> None:
        super().__init__(parent)
        self._side = side
        self._modules: tuple[bytearray, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Set the text; empty for a blank area."""
        import segno  # the import takes 0.1 s, and few users need it

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
