"""What a page shows while it has nothing to show: why, and what to do about it."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gui.design.icons import pixmap
from gui.design.theme import current
from gui.design.tokens import Space
from gui.widgets.buttons import PrimaryButton
from gui.widgets.labels import Tone, body, title

_ICON = 40
_WIDTH = 440


class EmptyState(QWidget):
    """An icon, a title, a sentence and perhaps a button, in the middle."""

    acted = Signal()
    """Its button was pressed."""

    def __init__(
        self, icon: str, title_: str, text: str, action: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._name = icon
        self._icon = QLabel(self)
        self._icon.setFixedSize(QSize(_ICON, _ICON))
        self._title = title(title_)
        self._text = body(text)
        self._text.set_tone(Tone.SOFT)
        self.button = PrimaryButton(action)
        self.button.clicked.connect(self.acted)
        column = QVBoxLayout(self)
        column.setSpacing(Space.S)
        column.addStretch(2)
        for part in (self._icon, self._title, self._text):
            column.addWidget(part, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(Space.S)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        for words in (self._title, self._text):
            words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            words.setMaximumWidth(_WIDTH)
            words.setMinimumWidth(min(_WIDTH, 280))
        self.show_state(icon, title_, text, action)

    def show_state(self, icon: str, title_: str, text: str, action: str = "") -> None:
        """Something else is missing now."""
        self._name = icon
        self._title.setText(title_)
        self._text.setText(text)
        self.button.setText(action)
        self.button.setVisible(bool(action))
        self.setAccessibleName(title_)
        self._paint_icon()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_icon()

    def _paint_icon(self) -> None:
        self._icon.setPixmap(pixmap(self._name, _ICON, current().palette.faint, self.devicePixelRatioF()))
