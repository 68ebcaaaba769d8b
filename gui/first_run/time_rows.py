"""A preference in a line: its name, what it does, and what it is set to."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.design.tokens import Space
from gui.first_run.times_view import Choice
from gui.widgets.fields import ChoiceField
from gui.widgets.labels import caption, strong
from gui.widgets.switch import Switch


class Row(QWidget):
    """Shows the value that holds; what a person chooses is told, and not yet shown as taken."""

    chosen = Signal(str, str)
    """The name of the preference, and its value as the daemon reads it."""

    def __init__(self, name: str, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        words = QVBoxLayout()
        words.setSpacing(2)
        self._title = strong(title, self)
        words.addWidget(self._title)
        words.addWidget(caption(text, self))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(Space.XL)
        self._row.addLayout(words, 1)

    def show_value(self, value: str) -> None:
        raise NotImplementedError

    def _add(self, control: QWidget) -> None:
        control.setAccessibleName(self.accessibleName())
        self._title.setBuddy(control)  # on Linux, a choice has no other name to screen readers
        control.setAccessibleDescription(self.accessibleDescription())
        self._row.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)


class ChoiceRow(Row):
    """One of a few; ``choices`` tells which, given the value that holds."""

    def __init__(
        self,
        name: str,
        title: str,
        text: str,
        choices: Callable[[str], tuple[Choice, ...]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(name, title, text, parent)
        self._choices = choices
        self.field = ChoiceField(self)
        # What there is to choose from comes once it is seen.
        self.field.setSizeAdjustPolicy(ChoiceField.SizeAdjustPolicy.AdjustToContents)
        self.field.activated.connect(self._choose)
        self._add(self.field)

    def show_value(self, value: str) -> None:
        choices, field = self._choices(value), self.field
        if [choice.value for choice in choices] != [field.itemData(at) for at in range(field.count())]:
            field.clear()
            for choice in choices:
                field.addItem(choice.text, choice.value)
        field.setCurrentIndex(field.findData(value))

    def _choose(self, index: int) -> None:
        self.chosen.emit(self.name, self.field.itemData(index))


class SwitchRow(Row):
    """On or off, by the words that mean so."""

    def __init__(
        self,
        name: str,
        title: str,
        text: str,
        words: tuple[str, str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(name, title, text, parent)
        self._on, self._off = words
        self.switch = Switch("", self)
        self.switch.clicked.connect(self._switch)
        self._add(self.switch)

    def show_value(self, value: str) -> None:
        self.switch.setChecked(value == self._on)

    def _switch(self, is_on: bool) -> None:
        self.chosen.emit(self.name, self._on if is_on else self._off)
