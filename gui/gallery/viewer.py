"""One picture, large: from it to the one before and after, by buttons and arrow keys, and back by Escape."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.design.tokens import Space
from gui.widgets.buttons import IconButton
from gui.widgets.labels import Tone, body, title
from gui.widgets.picture import PictureView
from gui.widgets.tab_order import follow_layout


class Viewer(QWidget):
    """Shows what it is told; whose picture comes next is known to whoever listens."""

    closed = Signal()
    moved = Signal(int)
    """One forward (1) or back (-1)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        is_mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        backward, forward = ("right", "left") if is_mirrored else ("left", "right")
        self._back = IconButton("close", self.tr("Back to all pictures"), self)
        self._name = title("", self)
        self._place_words = body("", self)
        self._place_words.set_tone(Tone.SOFT)
        self._place_words.setWordWrap(False)
        self.canvas = PictureView(None, self)
        self.previous = IconButton(backward, self.tr("Previous picture"), self)
        self.next = IconButton(forward, self.tr("Next picture"), self)
        self.beside = QVBoxLayout()
        """For what is known of the picture."""
        self._lay_out()
        follow_layout(self)
        self._back.clicked.connect(self.closed)
        self.previous.clicked.connect(self._go_back)
        self.next.clicked.connect(self._go_on)
        self._listen(Qt.Key.Key_Escape, self.closed.emit)
        self._listen(Qt.Key.Key_Right, self._go_back if is_mirrored else self._go_on)
        self._listen(Qt.Key.Key_Left, self._go_on if is_mirrored else self._go_back)

    def show_picture(self, name: str, place: str, image: QImage | None) -> None:
        """``place``: which of how many it is."""
        self._name.setText(name)
        self._place_words.setText(place)
        self.set_image(image)
        for told in (self, self.canvas):
            told.setAccessibleName(name)
            told.setAccessibleDescription(place)

    def set_image(self, image: QImage | None) -> None:
        self.canvas.set_image(image)

    def set_ends(self, *, is_first: bool, is_last: bool) -> None:
        """Beyond which there is nothing."""
        self.previous.setEnabled(not is_first)
        self.next.setEnabled(not is_last)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(Space.M)
        head.addWidget(self._name, 1)
        head.addWidget(self._place_words)
        for button in (self.previous, self.next, self._back):
            head.addWidget(button)
        content = QHBoxLayout()
        content.setSpacing(Space.XL)
        content.addWidget(self.canvas, 1)
        content.addLayout(self.beside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, Space.XL)
        column.setSpacing(Space.M)
        column.addLayout(head)
        column.addLayout(content, 1)

    def _listen(self, key: Qt.Key, do: object) -> None:
        shortcut = QShortcut(QKeySequence(key), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(do)

    def _go_back(self) -> None:
        if self.previous.isEnabled():
            self.moved.emit(-1)

    def _go_on(self) -> None:
        if self.next.isEnabled():
            self.moved.emit(1)
