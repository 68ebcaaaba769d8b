"""Fields for numbers, times and choices that keep their value when a page is scrolled across them."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QSlider,
    QSpinBox,
    QTimeEdit,
    QWidget,
)

_INSET = 9
_ROW = 32
"""Of a list of choices, as the style sheet has it."""


class NumberField(QSpinBox):
    """A whole number, perhaps with its unit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _inset(self)


class DecimalField(QDoubleSpinBox):
    """A number with a fraction."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _inset(self)


class TimeField(QTimeEdit):
    """A time of day."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _inset(self)


class ChoiceField(QComboBox):
    """One of several."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        settle(self)

    def set_name(self, name: str) -> None:
        """Also as what it does: on Linux, screen readers take what is chosen for the name of what has no label."""
        self.setAccessibleName(name)
        self.setAccessibleDescription(name)
        self.setToolTip(name)

    def size_by_letters(self) -> None:
        """As wide as its longest item has letters; to measure them, Qt would load the fonts of all their scripts."""
        letters = max((len(self.itemText(place)) for place in range(self.count())), default=0)
        row = QSize(letters * self.fontMetrics().horizontalAdvance("X"), _ROW)
        for place in range(self.count()):
            self.setItemData(place, row, Qt.ItemDataRole.SizeHintRole)
        self.setMinimumContentsLength(letters)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)


class Slider(QSlider):
    """From one side to the other, as one reads."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        settle(self)


def settle(field: QWidget) -> None:
    """Let the wheel turn it only while it has the focus, which the wheel does not give."""
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.installEventFilter(_WheelGuard(field))


def _inset(field: QAbstractSpinBox) -> None:
    settle(field)
    # Style sheets do not reach the text within a spin box.
    field.lineEdit().setTextMargins(_INSET, 0, _INSET, 0)


class _WheelGuard(QObject):
    """Leaves the wheel to the page."""

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        self._field = field

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Wheel and not self._field.hasFocus():
            event.ignore()
            return True
        return False
