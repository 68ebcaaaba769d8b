"""Editors of preferences: values with units, the base of all editors, and those for switches and choices."""

from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from client.api.choices import PreferenceView, Shape
from gui.widgets.switches import SegmentedControl, Switch
from gui.wording import preferences as wording


@dataclass(frozen=True)
class Unit:
    """A unit of sizes or rates."""

    name: str
    times: float
    """Number of bytes, or of bytes per second, in one unit."""


SIZES = (
    Unit("MB", 1e6),
    Unit("GB", 1e9),
    Unit("TB", 1e12),
    Unit("MiB", 2.0**20),
    Unit("GiB", 2.0**30),
    Unit("TiB", 2.0**40),
)
RATES = (
    Unit("kB/s", 1e3),
    Unit("MB/s", 1e6),
    Unit("GB/s", 1e9),
    Unit("kbit/s", 125.0),
    Unit("Mbit/s", 125e3),
    Unit("Gbit/s", 125e6),
)
DECIMALS = 3
"""Decimals of numbers with these units, and of minutes."""

_ENDINGS = {Shape.PERCENT: "%", Shape.MINUTES: " min", Shape.SIZE: " B", Shape.RATE: " B/s"}
_START = {
    "threads": 4.0,
    "listening-port": 31_330.0,
    "monthly-quota": 100e9,
    "disk-limit": 20e9,
    "ram-limit": 8 * 2.0**30,
    "vram-limit": 6 * 2.0**30,
    "cpu-target-temperature": 75.0,
    "gpu-target-temperature": 70.0,
    "highest-price": 0.3,
    "highest-carbon": 300.0,
}
_START_OF = {Shape.PERCENT: 50.0, Shape.MINUTES: 10.0, Shape.SIZE: 1e9, Shape.RATE: 1e6}


def units(shape: Shape) -> tuple[Unit, ...]:
    """Return the units to choose from; empty if there is only one."""
    return {Shape.SIZE: SIZES, Shape.RATE: RATES}.get(shape, ())


def best_unit(number: float, choices: tuple[Unit, ...]) -> Unit:
    """Return the unit in which a number is shortest; the first of several."""
    return min(choices, key=lambda unit: _length(number / unit.times))


def write_number(view: PreferenceView, number: float) -> str:
    """Return a number in the form that `client.api.commands.SetPreference` accepts."""
    if view.is_whole or view.shape in (Shape.SIZE, Shape.RATE):
        number = round(number)
    return f"{_plain(number)}{_ENDINGS.get(view.shape) or f' {view.unit}'.rstrip()}"


def first_number(view: PreferenceView) -> float:
    """Return the number to start with when the current value is a word."""
    start = _START.get(view.name) or _START_OF.get(view.shape, 80.0)
    least, most = view.least or 0.0, view.most
    return max(least, start if most is None else min(most, start))


def read_list(view: PreferenceView) -> tuple[str, ...]:
    """Return the names or numbers of a list; empty if the value is a word."""
    if view.value in (view.empty, view.otherwise):
        return ()
    return tuple(part.strip() for part in view.value.split(","))


def write_list(view: PreferenceView, items: tuple[str, ...]) -> str:
    return ", ".join(dict.fromkeys(items)) or view.empty


def _plain(number: float) -> str:
    return f"{number:.6f}".rstrip("0").rstrip(".")


def _length(number: float) -> tuple[bool, int]:
    """Return the length of a number in digits.

    A number that cannot be shown exactly counts as longer than all others.
    """
    return round(number, DECIMALS) != number, len(_plain(number))


class Editor(QWidget):
    """Base of editors: shows the value of a preference, and emits each edit."""

    edited = Signal(str)
    """Emitted with a value in the form that `client.api.commands.SetPreference` accepts."""
    is_wide: ClassVar[bool] = False
    """True if the editor needs a line of its own."""

    def show_view(self, view: PreferenceView) -> None:
        """Show a value without a signal."""
        raise NotImplementedError

    def set_name(self, name: str) -> None:
        """Set the accessible name."""
        raise NotImplementedError

    @property
    def is_in_use(self) -> bool:
        """True while the user edits the value, so that it must not change."""
        return False


class SwitchEditor(Editor):
    """A switch for on and off."""

    def __init__(self, view: PreferenceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.switch = Switch("", self)
        self.switch.clicked.connect(self._emit_value)
        row(self).addWidget(self.switch)
        self.setFocusProxy(self.switch)
        self.show_view(view)

    def show_view(self, view: PreferenceView) -> None:
        self.switch.setChecked(view.value == "on")

    def set_name(self, name: str) -> None:
        self.switch.setAccessibleName(name)

    def _emit_value(self, is_on: bool) -> None:
        self.edited.emit("on" if is_on else "off")


class ChoiceEditor(Editor):
    """A choice of a few words."""

    def __init__(self, view: PreferenceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values = view.choices
        self.segments = SegmentedControl([wording.choice(view.name, value) for value in self._values], self)
        self.segments.chosen.connect(self._emit_value)
        row(self).addWidget(self.segments)
        self.show_view(view)

    def show_view(self, view: PreferenceView) -> None:
        if view.value in self._values:
            self.segments.choose(self._values.index(view.value))

    def set_name(self, name: str) -> None:
        self.segments.setAccessibleName(name)

    def _emit_value(self, place: int) -> None:
        self.edited.emit(self._values[place])


def row(editor: QWidget) -> QHBoxLayout:
    """Return a horizontal layout that aligns its parts to the trailing edge."""
    layout = QHBoxLayout(editor)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
    return layout
