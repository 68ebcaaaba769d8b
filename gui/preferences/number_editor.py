"""The editor for a number with its unit, or for the word that replaces it."""

import math

from PySide6.QtCore import QLocale, Qt, QTimer
from PySide6.QtWidgets import QAbstractSpinBox, QCheckBox, QWidget

from client.api.choices import PreferenceView, Shape
from gui.design.tokens import Space
from gui.preferences.editors import DECIMALS, Editor, Unit, best_unit, first_number, row, units, write_number
from gui.widgets.fields import ChoiceField, DecimalField, Slider
from gui.wording import amounts
from gui.wording import preferences as wording

_PAUSE_MS = 500
"""Milliseconds after the last change of a number before it is saved."""
_WIDTH = 124
"""Width of all number fields, so that they align."""
_PLAIN = Unit("", 1.0)
_ENOUGH = 2.0**60
_STEPS = float(10**DECIMALS)


class NumberEditor(Editor):
    """Percentages also have a slider; a value that may be a word has a check box for it."""

    def __init__(self, view: PreferenceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view, self._units = view, units(view.shape)
        self._unit = _PLAIN
        self.word = QCheckBox(wording.choice(view.name, view.otherwise), self)
        self.slider = _slider(view, self)
        self.number = _Number(view, self)
        self.unit = ChoiceField(self)
        self.unit.addItems([amounts.unit(unit.name) for unit in self._units])
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        layout = row(self)
        layout.setSpacing(Space.S)
        for part in (self.word, self.slider, self.number, self.unit):
            layout.addWidget(part)
        self.show_view(view)
        self._pause.timeout.connect(self._emit_value)
        self.word.clicked.connect(self._emit_word)
        self.slider.valueChanged.connect(self.number.setValue)
        self.number.valueChanged.connect(self._step)
        self.number.editingFinished.connect(self._settle)
        self.unit.activated.connect(self._convert)

    def show_view(self, view: PreferenceView) -> None:
        self._view = view
        self._pause.stop()
        number = first_number(view) if view.number is None else view.number
        self._unit = best_unit(number, self._units) if self._units else _PLAIN
        self._show_number(number)
        self.word.setChecked(view.number is None)
        self._show_parts()

    def set_name(self, name: str) -> None:
        for part in (self.slider, self.number):
            part.setAccessibleName(name)
        self.unit.set_name(self.tr("Unit of “{preference}”").format(preference=name))
        self.word.setAccessibleName(
            self.tr("{preference}: {word}").format(preference=name, word=self.word.text())
        )

    @property
    def is_in_use(self) -> bool:
        return self._pause.isActive() or (self.number.hasFocus() and self.number.is_typed_in)

    def _show_number(self, number: float) -> None:
        for part in (self.number, self.slider, self.unit):
            part.blockSignals(True)
        self.number.show_number(number / self._unit.times, self._unit, self._view)
        self.slider.setValue(round(number) if self._view.shape is Shape.PERCENT else 0)
        self.unit.setCurrentIndex(self._units.index(self._unit) if self._units else -1)
        for part in (self.number, self.slider, self.unit):
            part.blockSignals(False)

    def _show_parts(self) -> None:
        is_number = not (self._view.otherwise and self.word.isChecked())
        self.word.setVisible(bool(self._view.otherwise))
        self.number.setVisible(is_number)
        self.slider.setVisible(is_number and self._view.shape is Shape.PERCENT)
        self.unit.setVisible(is_number and bool(self._units))

    def _emit_word(self) -> None:
        self._show_parts()
        self._emit_value()

    def _step(self) -> None:
        self.slider.blockSignals(True)
        self.slider.setValue(round(self.number.value()))
        self.slider.blockSignals(False)
        self._pause.start()

    def _settle(self) -> None:
        """Save a pending change at once, on Enter or when the focus leaves."""
        if self._pause.isActive():
            self._pause.stop()
            self._emit_value()

    def _emit_value(self) -> None:
        if self._view.otherwise and self.word.isChecked():
            self.edited.emit(self._view.otherwise)
        else:
            self.edited.emit(write_number(self._view, self.number.value() * self._unit.times))

    def _convert(self, place: int) -> None:
        """Show the same amount in another unit, without a signal."""
        self._settle()
        number = self.number.value() * self._unit.times
        self._unit = self._units[place]
        self._show_number(number)


class _Number(DecimalField):
    """A number field that shows only the digits that its value needs."""

    def __init__(self, view: PreferenceView, parent: QWidget) -> None:
        super().__init__(parent)
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignmentFlag.AlignTrailing)
        # Port numbers have no thousands separator.
        self.setGroupSeparatorShown(view.unit != "" or view.shape is not Shape.NUMBER)
        if units(view.shape):
            self.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        before, after = _around(view)
        self.setPrefix(before)
        self.setSuffix(after)
        self.setFixedWidth(_WIDTH)

    @property
    def is_typed_in(self) -> bool:
        return self.lineEdit().isModified()

    def show_number(self, number: float, unit: Unit, view: PreferenceView) -> None:
        self.setDecimals(0 if view.is_whole and unit is _PLAIN else DECIMALS)
        self.setRange(_up((view.least or 0.0) / unit.times), _down((view.most or _ENOUGH) / unit.times))
        self.setValue(number)

    def textFromValue(self, number: float) -> str:  # noqa: N802
        locale = QLocale()
        if not self.isGroupSeparatorShown():
            locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
        return locale.toString(number, "f", _decimals(number))


def _slider(view: PreferenceView, parent: QWidget) -> Slider:
    slider = Slider(parent)
    slider.setMinimumWidth(96)
    slider.setMaximumWidth(160)
    slider.setPageStep(10)
    if view.shape is Shape.PERCENT:
        slider.setRange(round(view.least or 0), round(view.most or 100))
    return slider


def _around(view: PreferenceView) -> tuple[str, str]:
    if view.shape is Shape.PERCENT:
        return amounts.around_percent()
    if view.shape is Shape.MINUTES:
        return amounts.around_minutes()
    return "", f" {view.unit}" if view.unit and not units(view.shape) else ""


def _decimals(number: float) -> int:
    """Return the smallest number of decimals that shows a number exactly."""
    return next((digits for digits in range(DECIMALS) if round(number, digits) == number), DECIMALS)


def _up(number: float) -> float:
    return math.ceil(number * _STEPS) / _STEPS


def _down(number: float) -> float:
    return math.floor(number * _STEPS) / _STEPS
