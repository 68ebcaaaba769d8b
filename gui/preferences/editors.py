"""What a preference is edited with: one editor for each shape of value, with one signal for all."""

from typing import ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from client.api.choices import PreferenceView
from gui.widgets.segmented import SegmentedControl
from gui.widgets.switch import Switch
from gui.wording import preferences as wording


class Editor(QWidget):
    """Shows the value of a preference; tells what a person makes of it."""

    edited = Signal(str)
    """A value as `client.api.commands.SetPreference` takes it."""
    is_wide: ClassVar[bool] = False
    """Whether it needs a line of its own."""

    def show_view(self, view: PreferenceView) -> None:
        """Without telling anybody."""
        raise NotImplementedError

    def set_name(self, name: str) -> None:
        """For those who do not see what stands beside it."""
        raise NotImplementedError

    @property
    def is_in_use(self) -> bool:
        """Whether somebody edits it right now, and it must not change under their hands."""
        return False


class SwitchEditor(Editor):
    """On or off."""

    def __init__(self, view: PreferenceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.switch = Switch("", self)
        self.switch.clicked.connect(self._tell)
        row(self).addWidget(self.switch)
        self.setFocusProxy(self.switch)
        self.show_view(view)

    def show_view(self, view: PreferenceView) -> None:
        self.switch.setChecked(view.value == "on")

    def set_name(self, name: str) -> None:
        self.switch.setAccessibleName(name)

    def _tell(self, is_on: bool) -> None:
        self.edited.emit("on" if is_on else "off")


class ChoiceEditor(Editor):
    """One of a few words."""

    def __init__(self, view: PreferenceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values = view.choices
        self.segments = SegmentedControl([wording.choice(view.name, value) for value in self._values], self)
        self.segments.chosen.connect(self._tell)
        row(self).addWidget(self.segments)
        self.show_view(view)

    def show_view(self, view: PreferenceView) -> None:
        if view.value in self._values:
            self.segments.choose(self._values.index(view.value))

    def set_name(self, name: str) -> None:
        self.segments.setAccessibleName(name)

    def _tell(self, place: int) -> None:
        self.edited.emit(self._values[place])


def row(editor: QWidget) -> QHBoxLayout:
    """The layout of an editor in a line: its parts at the trailing edge."""
    layout = QHBoxLayout(editor)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
    return layout
