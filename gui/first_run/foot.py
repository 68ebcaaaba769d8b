"""The buttons below a screen of the first run: back, on, and what is missing before one may go on."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.design import fonts
from gui.design.tokens import Space, Type
from gui.widgets.buttons import PrimaryButton, QuietButton
from gui.widgets.labels import Label, Tone


class Foot(QWidget):
    back_pressed = Signal()
    primary_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._back = QuietButton(self.tr("Back"), self)
        self._back.clicked.connect(self.back_pressed)
        self._hint = _Hint("", fonts.text(Type.CAPTION), Tone.FAINT, self)
        self.primary = PrimaryButton("", self)
        self.primary.clicked.connect(self.primary_pressed)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.XXL, Space.L, Space.XXL, Space.L)
        row.setSpacing(Space.L)
        row.addWidget(self._back)
        row.addWidget(self._hint, 1)
        row.addWidget(self.primary)

    def show_primary(self, text: str, is_ready: bool, hint: str) -> None:
        self.primary.setText(text)
        self.primary.setEnabled(is_ready)
        self.primary.setAccessibleDescription(hint)
        self._hint.setText(hint)

    def show_back(self, is_there: bool, is_ready: bool) -> None:
        self._back.setVisible(is_there)
        self._back.setEnabled(is_ready)


class _Hint(Label):
    """Stands beside the button that it is about."""

    def _align(self) -> None:
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        side = Qt.AlignmentFlag.AlignLeft if mirrored else Qt.AlignmentFlag.AlignRight
        self.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)
