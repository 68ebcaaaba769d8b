"""A preference of the daemon's: saved as soon as it is edited, and shown as the daemon has it."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from client.api.answers import Done, Status
from client.api.choices import PreferenceView, Shape
from client.api.commands import SetPreference
from client.api.errors import ClientError
from gui.link.link import Link
from gui.preferences.editors import ChoiceEditor, Editor, SwitchEditor
from gui.preferences.hours_editor import HoursEditor
from gui.preferences.list_editor import NamesEditor, NumbersEditor
from gui.preferences.number_editor import NumberEditor
from gui.preferences.row import Row
from gui.wording import preferences as wording
from gui.wording import problems

_EDITORS: dict[Shape, Callable[[PreferenceView], Editor]] = {
    Shape.SWITCH: SwitchEditor,
    Shape.CHOICE: ChoiceEditor,
    Shape.HOURS: HoursEditor,
    Shape.NAMES: NamesEditor,
    Shape.NUMBERS: NumbersEditor,
}


class PreferenceRow(Row):
    saved = Signal()
    """The daemon has a value now that was edited here."""

    def __init__(self, view: PreferenceView, link: Link, parent: QWidget | None = None) -> None:
        editor = _EDITORS.get(view.shape, NumberEditor)(view)
        words = wording.words(view)
        super().__init__(words.title, words.about, editor, wide=editor.is_wide, parent=parent)
        self.view, self._link, self._editor = view, link, editor
        self._asked = 0
        editor.set_name(words.title)
        editor.edited.connect(self._save)
        self.reset.connect(self._reset)
        self.default.setVisible(not view.is_default)

    def show_view(self, view: PreferenceView) -> None:
        """What the daemon has; nothing changes under the hands of somebody who edits it."""
        if self._asked or self._editor.is_in_use or view == self.view:
            return
        self.view = view
        self._editor.show_view(view)
        self.default.setVisible(not view.is_default)

    def _save(self, value: str) -> None:
        self._asked += 1
        self._link.ask(SetPreference(name=self.view.name, value=value), self._done, self._failed)

    def _reset(self) -> None:
        self.editor.setFocus()
        self._save(self.view.default)

    def _done(self, _answer: Done | Status) -> None:
        self._asked -= 1
        self.show_saved()
        self.saved.emit()

    def _failed(self, error: ClientError) -> None:
        self._asked -= 1
        self._editor.show_view(self.view)
        self.show_error("\n".join(filter(None, problems.words(error.code, error.what, error.remedy))))
