"""What a page shows while it has nothing to show: why, and what to do about it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gui.design.tokens import Space
from gui.widgets.buttons import PrimaryButton
from gui.widgets.labels import Tone, body, title
from gui.widgets.mark import Mark

_ICON = 40
_WIDTH = 440
_ALL = 10_000
"""Stretch that leaves the margins nothing until the words are as wide as they may be."""


class EmptyState(QFrame):
    """An icon, a title, a sentence and perhaps a button, in the middle."""

    acted = Signal()
    """Its button was pressed."""

    def __init__(
        self, icon: str, title_: str, text: str, action: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon = Mark(icon, Tone.FAINT, _ICON, self)
        self._title = title(title_)
        self._text = body(text)
        self._text.set_tone(Tone.SOFT)
        self.button = PrimaryButton(action)
        self.button.clicked.connect(self.acted)
        self._lay_out()
        self.show_state(icon, title_, text, action)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        middle = QWidget()
        middle.setMaximumWidth(_WIDTH)
        column = QVBoxLayout(middle)
        column.setSpacing(Space.S)
        row.addStretch(1)
        row.addWidget(middle, _ALL)
        row.addStretch(1)
        column.addStretch(2)
        column.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignHCenter)
        for words in (self._title, self._text):
            words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(words)
        column.addSpacing(Space.S)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)

    def show_state(self, icon: str, title_: str, text: str, action: str = "") -> None:
        """Something else is missing now."""
        self._icon.set_icon(icon)
        self._title.setText(title_)
        self._text.setText(text)
        self.button.setText(action)
        self.button.setVisible(bool(action))
        self.setAccessibleName(title_)
