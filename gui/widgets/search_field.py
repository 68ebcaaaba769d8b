"""A field that finds as one types."""

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget

from gui.design.icons import icon
from gui.design.theme import current

_PAUSE_MS = 150


class SearchField(QLineEdit):
    """Tells what to look for once the typing pauses; Escape empties it."""

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
