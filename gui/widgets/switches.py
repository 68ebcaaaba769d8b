"""Controls with few positions: a segmented choice and a switch."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QFrame, QHBoxLayout, QRadioButton, QSizePolicy, QWidget

from gui.design import fonts
from gui.design.focus import RADIUS
from gui.design.theme import current
from gui.design.tokens import CONTROL_HEIGHT, Palette, Radius, Space, Type, mix

_INSET = 3
_TRACK = QSize(38, 22)
_KNOB = 16.0


class SegmentedControl(QFrame):
    """A row of choices with exactly one chosen; arrow keys move the choice, as with radio buttons."""

    chosen = Signal(int)
    """Emitted with the index that the user has chosen; not by `choose`."""

    def __init__(self, choices: Sequence[str], parent: QWidget | None = None, *, name: str = "") -> None:
        """Create the choices; ``name`` is the accessible name of the whole."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(_INSET, _INSET, _INSET, _INSET)
        row.setSpacing(2)
        self._group = QButtonGroup(self)
        for place, text in enumerate(choices):
            segment = _Segment(text, self)
            self._group.addButton(segment, place)
            row.addWidget(segment)
        self.choose(0)
        self._group.idClicked.connect(self.chosen)

    @property
    def choice(self) -> int:
        """Index of the choice."""
        return self._group.checkedId()

    def choose(self, place: int) -> None:
        """Set the choice without a signal."""
        button = self._group.button(place)
        if button is not None:
            button.setChecked(True)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current().palette.sunken))
        painter.drawRoundedRect(QRectF(self.rect()), Radius.CONTROL, Radius.CONTROL)


class _Segment(QRadioButton):
    """A radio button that is drawn as a tab."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setFont(fonts.text(Type.BODY, QFont.Weight.Medium))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setProperty(RADIUS, Radius.CONTROL - _INSET)

    def sizeHint(self) -> QSize:  # noqa: N802
        words = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, self.text())
        return QSize(words.width() + 2 * (Space.M + 2), CONTROL_HEIGHT - 2 * _INSET)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:  # noqa: N802
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = current().palette
        if self.isChecked():
            painter.setPen(QColor(palette.line_strong))
            painter.setBrush(QColor(palette.line if current().is_dark else palette.raised))
            area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(area, Radius.CONTROL - _INSET, Radius.CONTROL - _INSET)
        strong = self.isChecked() or self.underMouse()
        painter.setPen(QColor(palette.ink if strong else palette.soft) if self.isEnabled() else
                       self.palette().color(self.foregroundRole()))  # fmt: skip
        painter.drawText(
            self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextShowMnemonic, self.text()
        )


class Switch(QCheckBox):
    """A check box that is drawn as a switch, because it takes effect at once."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setProperty(RADIUS, _TRACK.height() // 2)

    def sizeHint(self) -> QSize:  # noqa: N802
        if not self.text():
            return _TRACK
        words = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, self.text())
        return QSize(_TRACK.width() + Space.S + words.width(), max(_TRACK.height(), words.height()))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:  # noqa: N802
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = current().palette
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = self.width() - _TRACK.width() if mirrored else 0
        track = QRectF(left, (self.height() - _TRACK.height()) / 2, _TRACK.width(), _TRACK.height())
        self._paint_track(painter, track, palette)
        inset = (_TRACK.height() - _KNOB) / 2
        at_the_right = self.isChecked() is not mirrored
        x = track.right() - inset - _KNOB if at_the_right else track.left() + inset
        self._paint_knob(painter, QRectF(x, track.top() + inset, _KNOB, _KNOB), palette)
        self._paint_text(painter, mirrored)

    def _paint_track(self, painter: QPainter, track: QRectF, palette: Palette) -> None:
        if self.isChecked():
            fill = mix(palette.accent, palette.ink, 0.86) if self.underMouse() else palette.accent
            edge = fill
        else:
            fill = palette.sunken if self.underMouse() else palette.raised
            edge = palette.control
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        painter.setPen(QColor(edge))
        painter.setBrush(QColor(fill))
        painter.drawRoundedRect(track.adjusted(0.5, 0.5, -0.5, -0.5), track.height() / 2, track.height() / 2)

    def _paint_knob(self, painter: QPainter, knob: QRectF, palette: Palette) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(palette.on_accent if self.isChecked() else palette.control))
        shrunk = 0.0 if self.isChecked() else 2.0
        painter.drawEllipse(knob.adjusted(shrunk, shrunk, -shrunk, -shrunk))

    def _paint_text(self, painter: QPainter, mirrored: bool) -> None:
        if not self.text():
            return
        beside = _TRACK.width() + Space.S
        area = self.rect().adjusted(0 if mirrored else beside, 0, -beside if mirrored else 0, 0)
        painter.setPen(self.palette().color(self.foregroundRole()))
        leading = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        painter.drawText(
            area, leading | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic, self.text()
        )
