"""Editors for a value that is written as a text, or for the word that replaces it."""

from PySide6.QtWidgets import QCheckBox, QLineEdit, QVBoxLayout, QWidget

from client.api.choices import PreferenceView
from gui.design.tokens import Space
from gui.preferences.editors import Editor, row
from gui.widgets.labels import caption
from gui.wording import preferences as wording

FIELD_WIDTH = 220
_EXAMPLES = {
    "gpu-power": "200 W",
    "electricity-price": "0.30 EUR; mon-fri 17:00-20:00 0.45",
    "carbon-intensity": "350; 11:00-15:00 180",
}


class TextEditor(Editor):
    """A check box for the word, and a field for the text."""

    def __init__(self, view: PreferenceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self.word = QCheckBox(wording.choice(view.name, view.otherwise), self)
        self.word.clicked.connect(self._emit_word)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.example(view))
        self.field.editingFinished.connect(self._emit_value)
        self._lay_out()
        self.show_view(view)

    def example(self, view: PreferenceView) -> str:
        """Return a text that the empty field shows."""
        return _EXAMPLES.get(view.name, "")

    def text_of(self, view: PreferenceView) -> str:
        """Return the value as the field shows it."""
        return view.value

    def show_view(self, view: PreferenceView) -> None:
        self._view = view
        self.word.setChecked(view.value == view.otherwise)
        is_empty = view.value == view.empty or self.word.isChecked()
        self.field.setText("" if is_empty else self.text_of(view))
        self._show_parts(not self.word.isChecked())

    def set_name(self, name: str) -> None:
        self.field.setAccessibleName(name)
        self.word.setAccessibleName(
            self.tr("{preference}: {word}").format(preference=name, word=self.word.text())
        )

    @property
    def is_in_use(self) -> bool:
        return self.field.hasFocus() and self.field.isModified()

    def _lay_out(self) -> None:
        self.field.setMaximumWidth(FIELD_WIDTH)
        layout = row(self)
        layout.addWidget(self.word)
        layout.addWidget(self.field)

    def _show_parts(self, has_text: bool) -> None:
        self.field.setVisible(has_text)

    def _emit_word(self, is_chosen: bool) -> None:
        self._show_parts(not is_chosen)
        if is_chosen:
            self.edited.emit(self._view.otherwise)
        else:
            self.field.setFocus()

    def _emit_value(self) -> None:
        if self.field.isModified():
            self.field.setModified(False)
            self.edited.emit(self.field.text().strip() or self._view.empty or self._view.otherwise)


class WeeklyEditor(TextEditor):
    """A number that may have other values at times of the week, on a line of its own."""

    is_wide = True

    def _lay_out(self) -> None:
        self.remark = caption(
            self.tr(
                "The first number is for all hours. Others follow with their times, with semicolons "
                "between them."
            ),
            self,
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        for part in (self.word, self.field, self.remark):
            column.addWidget(part)

    def _show_parts(self, has_text: bool) -> None:
        super()._show_parts(has_text)
        self.remark.setVisible(has_text)
