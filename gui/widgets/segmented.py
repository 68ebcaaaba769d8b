"""A choice of a few, side by side."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QRadioButton, QSizePolicy, QWidget

from gui.design import fonts
from gui.design.focus import RADIUS
from gui.design.theme import current
from gui.design.tokens import CONTROL_HEIGHT, Radius, Space, Type

_INSET = 3


class SegmentedControl(QFrame):
    """One is always chosen; arrow keys move the choice, as among radio buttons."""

    chosen = Signal(int)
    """The choice of a person, by its place; not sent by `choose`."""

    def __init__(self, choices: Sequence[str], parent: QWidget | None = None, *, name: str = "") -> None:
        """``name``: of what is chosen, for those who do not see where it stands."""
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
        """The place of the one that is chosen."""
        return self._group.checkedId()

    def choose(self, place: int) -> None:
        """Without telling anybody."""
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
    """Drawn as a tab, told to screen readers as the radio button that it is."""

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
