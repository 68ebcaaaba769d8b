"""One of several ways to go, as a card with an icon, a name and what it means; a radio button to the keyboard."""

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QRadioButton, QSizePolicy, QVBoxLayout, QWidget

from gui.design import icons, theme
from gui.design.focus import RADIUS
from gui.design.tokens import Radius, Space
from gui.widgets.labels import Tone, caption, strong

_ICON = 22


class ChoiceCard(QRadioButton):
    """Siblings exclude each other; arrow keys go from one to the next."""

    def __init__(self, icon: str, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setProperty(RADIUS, int(Radius.CARD))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._icon = icon
        self._mark = QLabel(self)
        self._words = QVBoxLayout()
        self._words.setSpacing(Space.XS)
        self._words.addWidget(strong(title, self))
        note = caption(text, self)
        note.set_tone(Tone.SOFT)
        self._words.addWidget(note)
        self._words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.L, Space.M, Space.L, Space.M)
        row.setSpacing(Space.M)
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(self._words, 1)
        for label in self.findChildren(QLabel):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.toggled.connect(self._draw_mark)
        self._draw_mark()

    def sizeHint(self) -> QSize:  # noqa: N802
        layout = self.layout()
        assert layout is not None
        return layout.sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        layout = self.layout()
        assert layout is not None
        return layout.minimumSize()

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        layout = self.layout()
        assert layout is not None
        return layout.totalHeightForWidth(width)

    def hitButton(self, pos: QPoint) -> bool:  # noqa: N802
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        colours = theme.current().palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = (
            colours.accent
            if self.isChecked()
            else colours.control
            if self.underMouse()
            else colours.line_strong
        )
        width = 2 if self.isChecked() else 1
        painter.setPen(QPen(QColor(edge), width))
        painter.setBrush(QColor(colours.tint if self.isChecked() else colours.raised))
        area = QRectF(self.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
        painter.drawRoundedRect(area, Radius.CARD, Radius.CARD)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self._draw_mark()

    def _draw_mark(self) -> None:
        colours = theme.current().palette
        colour = colours.accent if self.isChecked() else colours.soft
        self._mark.setPixmap(icons.pixmap(self._icon, _ICON, colour, self.devicePixelRatioF()))
