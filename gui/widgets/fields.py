"""Fields for numbers, times and choices that keep their value when a page is scrolled across them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
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


class NumberField(QSpinBox):
    """A whole number, perhaps with its unit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _settle(self)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        if _is_meant(self, event):
            super().wheelEvent(event)


class DecimalField(QDoubleSpinBox):
    """A number with a fraction."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _settle(self)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        if _is_meant(self, event):
            super().wheelEvent(event)


class TimeField(QTimeEdit):
    """A time of day."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _settle(self)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        if _is_meant(self, event):
            super().wheelEvent(event)


class ChoiceField(QComboBox):
    """One of several."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        if _is_meant(self, event):
            super().wheelEvent(event)


class Slider(QSlider):
    """From left to right, or as one reads."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        if _is_meant(self, event):
            super().wheelEvent(event)


def _settle(field: QAbstractSpinBox) -> None:
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    # Style sheets do not reach the text within a spin box.
    field.lineEdit().setTextMargins(_INSET, 0, _INSET, 0)


def _is_meant(widget: QWidget, event: QWheelEvent) -> bool:
    """Whether the wheel is turned for this field; else the page below scrolls."""
    if widget.hasFocus():
        return True
    event.ignore()
    return False
