"""The hours in which to train: all of them, or those painted on a grid or written as text."""

from PySide6.QtWidgets import QCheckBox, QLineEdit, QVBoxLayout, QWidget

from client.api.choices import PreferenceView, Schedule
from gui.design.tokens import Space
from gui.preferences.editors import Editor
from gui.preferences.hours_grid import HoursGrid
from gui.preferences.week import Week
from gui.widgets.labels import caption
from gui.wording import preferences as wording


class HoursEditor(Editor):
    """Grid and text show the same; whichever is edited tells."""

    is_wide = True

    def __init__(self, view: PreferenceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self.word = QCheckBox(wording.choice(view.name, view.otherwise), self)
        self.word.clicked.connect(self._tell_word)
        self.grid = HoursGrid(self)
        self.grid.painted.connect(self._tell_grid)
        self.field = QLineEdit(self)
        self.field.editingFinished.connect(self._tell_text)
        self.remark = caption(
            self.tr(
                "Drag to paint, or move with the arrow keys and press Space. Or type the hours into the "
                "field."
            ),
            self,
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        for part in (self.word, self.grid, self.field, self.remark):
            column.addWidget(part)
        self.show_view(view)

    def show_view(self, view: PreferenceView) -> None:
        self._view = view
        self.field.setText("" if view.value == view.otherwise else view.value)
        self.field.setPlaceholderText("mon-fri 18:00-08:00, sat-sun")
        self.grid.set_week(_week(view.value))
        self.word.setChecked(view.value == view.otherwise)
        self._show_parts()

    def set_name(self, name: str) -> None:
        self.grid.setAccessibleName(name)
        self.field.setAccessibleName(self.tr("{preference}, as text").format(preference=name))

    @property
    def is_in_use(self) -> bool:
        return self.field.hasFocus() and self.field.isModified()

    def _show_parts(self) -> None:
        for part in (self.grid, self.field, self.remark):
            part.setVisible(not self.word.isChecked())

    def _tell_word(self, is_chosen: bool) -> None:
        self._show_parts()
        if is_chosen:
            self.edited.emit(self._view.otherwise)

    def _tell_grid(self, week: Week) -> None:
        if week.is_empty:
            # "Never" is said by another preference; the last hour is not taken away.
            self.grid.set_week(_week(self._view.value))
        else:
            self.edited.emit(str(week.schedule()))

    def _tell_text(self) -> None:
        if self.field.isModified():
            self.field.setModified(False)
            self.edited.emit(self.field.text().strip() or self._view.otherwise)


def _week(text: str) -> Week:
    """A daemon of another version may write what this one cannot read: then all hours."""
    try:
        return Week.of(Schedule.parse(text))
    except ValueError:
        return Week.of(Schedule())
