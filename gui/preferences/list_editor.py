"""Editors for lists: names of programs with buttons to remove them, and numbers of GPUs."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from client.api.choices import PreferenceView
from gui.design.tokens import Space
from gui.preferences.editors import Editor, read_list, write_list
from gui.preferences.text_editor import FIELD_WIDTH, TextEditor
from gui.widgets.buttons import IconButton, QuietButton
from gui.widgets.layouts import FlowLayout


class NamesEditor(Editor):
    is_wide = True

    def __init__(self, view: PreferenceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._names: tuple[str, ...] = ()
        self._tags: list[_Tag] = []
        self._shown = QWidget(self)
        self._flow = FlowLayout(self._shown, spacing=Space.S)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Name of a program"))
        self.field.setMaximumWidth(FIELD_WIDTH * 2)
        self.field.returnPressed.connect(self._add)
        self.adds = QuietButton(self.tr("Add"), self, icon="plus")
        self.adds.clicked.connect(self._add)
        entry = QHBoxLayout()
        entry.addWidget(self.field, 1)
        entry.addWidget(self.adds)
        entry.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._shown)
        column.addLayout(entry)
        self.show_view(view)

    def show_view(self, view: PreferenceView) -> None:
        self._view = view
        self._show_names(read_list(view))

    def _show_names(self, names: tuple[str, ...]) -> None:
        self._names = names
        for tag in self._tags:
            self._flow.removeWidget(tag)
            tag.hide()
            tag.deleteLater()
        self._tags = [_Tag(name, self._shown) for name in self._names]
        for tag in self._tags:
            tag.remove.clicked.connect(self._remove)
            self._flow.addWidget(tag)
            tag.show()
        self._shown.setVisible(bool(self._tags))

    def set_name(self, name: str) -> None:
        self.field.setAccessibleName(name)

    @property
    def tags(self) -> tuple["_Tag", ...]:
        return tuple(self._tags)

    def _add(self) -> None:
        name = self.field.text().strip()
        if name:
            self.field.clear()
            self._emit_value((*self._names, name))

    def _remove(self) -> None:
        removed = next(tag.name for tag in self._tags if tag.remove is self.sender())
        self.field.setFocus()
        self._emit_value(tuple(name for name in self._names if name != removed))

    def _emit_value(self, names: tuple[str, ...]) -> None:
        """Show and emit the names; the next edit adds to these, whether or not they are saved by then."""
        self._show_names(tuple(dict.fromkeys(names)))
        self.edited.emit(write_list(self._view, names))


class _Tag(QFrame):
    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = name
        self.setProperty("well", True)
        self.remove = IconButton("close", self.tr("Remove {name}").format(name=name), self, size=14)
        words = QLabel(name, self)
        words.setTextFormat(Qt.TextFormat.PlainText)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(Space.S, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(words)
        layout.addWidget(self.remove)


class NumbersEditor(TextEditor):
    """Numbers of GPUs, or the word for all of them."""

    def example(self, view: PreferenceView) -> str:
        #: Numbers of GPUs.
        return self.tr("0, 1")

    def text_of(self, view: PreferenceView) -> str:
        return ", ".join(read_list(view))
