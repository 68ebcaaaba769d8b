"""A check box whose words are as long as they have to be."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from gui.design.tokens import Space
from gui.widgets.labels import body


class Agreement(QWidget):
    """Never checked before the volunteer does it."""

    toggled = Signal(bool)

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = QCheckBox(self)
        self.box.toggled.connect(self.toggled)
        self._words = body("", self)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.XS, 0, 0, 0)
        row.setSpacing(Space.S)
        row.addWidget(self.box, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._words, 1)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        self._words.setText(text)
        self.box.setAccessibleName(text)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self.rect().contains(event.position().toPoint()):
            self.box.click()
