"""Fields for numbers, times, choices and searches, which keep their value when a page is scrolled."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QSlider,
    QSpinBox,
    QWidget,
)

from gui.design.icons import icon
from gui.design.theme import current

_INSET = 9
_ROW = 32
"""Height of a row in a list of choices, as in the style sheet."""
_PAUSE_MS = 150


class NumberField(QSpinBox):
    """A field for a whole number with an optional unit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _inset(self)


class DecimalField(QDoubleSpinBox):
    """A field for a decimal number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _inset(self)


class ChoiceField(QComboBox):
    """A drop-down list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        settle(self)

    def set_name(self, name: str) -> None:
        """Set name, description and tooltip; screen readers on Linux use the chosen item as the name."""
        self.setAccessibleName(name)
        self.setAccessibleDescription(name)
        self.setToolTip(name)

    def size_by_letters(self) -> None:
        """Set the width by the number of letters, because measuring them would load many fonts."""
        letters = max((len(self.itemText(place)) for place in range(self.count())), default=0)
        row = QSize(letters * self.fontMetrics().horizontalAdvance("X"), _ROW)
        for place in range(self.count()):
            self.setItemData(place, row, Qt.ItemDataRole.SizeHintRole)
        self.setMinimumContentsLength(letters)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)


class Slider(QSlider):
    """A horizontal slider in reading direction."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        settle(self)


def settle(field: QWidget) -> None:
    """Let the wheel change the field only while it has the focus, and do not focus it by the wheel."""
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.installEventFilter(_WheelGuard(field))


def _inset(field: QAbstractSpinBox) -> None:
    settle(field)
    # Style sheets cannot set the margins of the text within a spin box.
    field.lineEdit().setTextMargins(_INSET, 0, _INSET, 0)


class _WheelGuard(QObject):
    """Leaves wheel events to the page."""

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        self._field = field

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Wheel and not self._field.hasFocus():
            event.ignore()
            return True
        return False


class SearchField(QLineEdit):
    """A field for searches: emits the text once typing pauses; Escape clears it."""

    searched = Signal(str)

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setClearButtonEnabled(True)
        self._name_clear_button()
        self._glass = QAction(placeholder, self)
        self.addAction(self._glass, QLineEdit.ActionPosition.LeadingPosition)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._search)
        self.textChanged.connect(self._pause.start)
        self._tint()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

    def _name_clear_button(self) -> None:
        for button in self.findChildren(QAbstractButton):
            button.setAccessibleName(self.tr("Clear the search"))
            button.setToolTip(self.tr("Clear the search"))

    def _search(self) -> None:
        self.searched.emit(self.text())

    def _tint(self) -> None:
        self._glass.setIcon(icon("search", current().palette.faint))
