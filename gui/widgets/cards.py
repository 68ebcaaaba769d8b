"""Cards, big figures, and the state of a page without content."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gui.design import fonts
from gui.design.tokens import Space, Type
from gui.widgets.buttons import PrimaryButton
from gui.widgets.labels import IconMark, Label, Tone, body, caption, title

_ICON = 40
_WIDTH = 440
_ALL = 10_000
"""Stretch by which the text reaches its full width before the margins grow."""


class Card(QFrame):
    """A raised sheet with an optional title; content belongs in `body`, controls beside the title in `head`."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        sheet = QVBoxLayout(self)
        sheet.setContentsMargins(Space.L + Space.XS, Space.L, Space.L + Space.XS, Space.L + Space.XS)
        sheet.setSpacing(Space.M)
        self.head = QHBoxLayout()
        self.head.setSpacing(Space.S)
        self.body = QVBoxLayout()
        self.body.setSpacing(Space.M)
        self._title = Label("", fonts.heading(Type.LEAD, QFont.Weight.DemiBold))
        self.head.addWidget(self._title, 1)
        sheet.addLayout(self.head)
        sheet.addLayout(self.body, 1)
        self.set_title(title)

    def set_title(self, title: str) -> None:
        """Set the title; empty for none."""
        self._title.setText(title)
        self._title.setVisible(bool(title))
        self.setAccessibleName(title)


class Figure(QFrame):
    """A big figure with its name above and an optional note below."""

    def __init__(self, value: str = "", label: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS // 2)
        self._label = caption(label)
        self._value = Label(value, fonts.figures(fonts.heading(Type.HEADING)))
        self._note = caption("")
        self._note.set_tone(Tone.FAINT)
        for part in (self._label, self._value, self._note):
            column.addWidget(part)
        column.addStretch()
        self._describe()

    def set_value(self, value: str, note: str | None = None) -> None:
        """Set the figure, and the note if it changes too."""
        self._value.setText(value)
        if note is not None:
            self._note.setText(note)
        self._describe()

    def set_label(self, label: str) -> None:
        """Set the name of the figure."""
        self._label.setText(label)
        self._describe()

    def _describe(self) -> None:
        self._note.setVisible(bool(self._note.text()))
        self.setAccessibleName(self._label.text())
        self.setAccessibleDescription(f"{self._value.text()} {self._note.text()}".strip())


class EmptyState(QFrame):
    """A centred icon with a title, a sentence and an optional button, for a page without content."""

    acted = Signal()
    """Emitted when the button was pressed."""

    def __init__(
        self, icon: str, title_: str, text: str, action: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon = IconMark(icon, Tone.FAINT, _ICON, self)
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
        """Show another state."""
        self._icon.set_icon(icon)
        self._title.setText(title_)
        self._text.setText(text)
        self.button.setText(action)
        self.button.setVisible(bool(action))
        self.setAccessibleName(title_)
