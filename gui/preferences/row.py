"""One preference on the page: what it is called, what it does, its editor, and what became of an edit."""

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QRadioButton, QVBoxLayout, QWidget

from gui.design.theme import current
from gui.design.tokens import Radius, Space
from gui.preferences.search import marked, matches, words
from gui.widgets.announcement import announce
from gui.widgets.buttons import IconButton
from gui.widgets.labels import Tone, body, caption, strong

_WORDS_WIDTH = 300
"""The least that is left for the words where the editor stands beside them."""
_SAVED_MS = 2500
_SHOWN_MS = 2500


class Row(QWidget):
    """The editor stands beside the words where there is room, else below them."""

    reset = Signal()
    """To its default."""

    def __init__(
        self, title: str, about: str, editor: QWidget, *, wide: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._title_text, self._about_text, self._is_wide = title, about, wide
        self.editor, self._stands_out, self._marked = editor, False, ""
        self._title, self._about = strong(title, self), body(about, self)
        self._about.set_tone(Tone.SOFT)
        self._title.setBuddy(editor)
        self._describe()
        self._saved = caption(self.tr("Saved"), self)
        self._saved.set_tone(Tone.VIRIDIAN)
        self._error = body("", self)
        self._error.set_tone(Tone.VERMILION)
        self.default = IconButton("undo", self.tr("Reset to the default"), self, size=14)
        self.default.setAccessibleName(
            self.tr("Reset “{preference}” to its default").format(preference=title)
        )
        # Nothing moves when it comes and goes.
        keeping = self.default.sizePolicy()
        keeping.setRetainSizeWhenHidden(True)
        self.default.setSizePolicy(keeping)
        self.default.clicked.connect(self.reset)
        self._passing = QTimer(self, singleShot=True)
        self._passing.timeout.connect(self._settle)
        self._lay_out()
        for part in (self._saved, self._error, self.default):
            part.hide()

    def matches(self, query: str, *others: str) -> bool:
        return matches(query, (self._title_text, self._about_text, *others))

    def mark(self, query: str) -> None:
        """Mark what was searched for."""
        if query == self._marked:
            return
        self._marked = query
        palette, form = current().palette, Qt.TextFormat
        for label, text in ((self._title, self._title_text), (self._about, self._about_text)):
            label.setTextFormat(form.RichText if words(query) else form.PlainText)
            label.setText(marked(text, query, palette.selection, palette.ink) if words(query) else text)

    def show_saved(self) -> None:
        self._error.hide()
        self._saved.show()
        self._passing.start(_SAVED_MS)
        announce(self, self.tr("{preference}: saved").format(preference=self._title_text))

    @property
    def is_saved(self) -> bool:
        """Whether it says so at the moment."""
        return not self._saved.isHidden()

    def show_error(self, text: str) -> None:
        self._saved.hide()
        self._error.setText(text)
        self._error.show()
        announce(self, text)

    @property
    def error(self) -> str:
        """What is said to be wrong; empty: nothing."""
        return "" if self._error.isHidden() else self._error.text()

    def stand_out(self) -> None:
        """Draw the eye to it, for a moment."""
        self._stands_out = True
        self._passing.start(_SHOWN_MS)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        if self._stands_out:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(current().palette.tint))
            painter.drawRoundedRect(self.rect(), Radius.CONTROL, Radius.CONTROL)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange and self._marked:
            query, self._marked = self._marked, ""
            self.mark(query)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._turn(event.size().width())

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(Space.S)
        head.addWidget(self._title, 1)
        head.addWidget(self._saved)
        head.addWidget(self.default)
        self._words = QVBoxLayout()
        self._words.setSpacing(0)
        self._words.addLayout(head)
        self._words.addWidget(self._about)
        self._words.addWidget(self._error)
        self._line = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._line.setContentsMargins(0, Space.XS, 0, Space.XS)
        self._line.setSpacing(Space.S)
        self._line.addLayout(self._words, 1)
        self._line.addWidget(self.editor)
        self._align(Qt.AlignmentFlag.AlignLeading)

    def _describe(self) -> None:
        """Who comes by Tab hears what stands beside the editor; of several choices the whole tells it."""
        for part in (self.editor, *self.editor.findChildren(QWidget)):
            is_stop = bool(part.focusPolicy() & Qt.FocusPolicy.TabFocus) and not isinstance(
                part, QRadioButton
            )
            if (is_stop or part is self.editor) and not part.accessibleDescription():
                part.setAccessibleDescription(self._about_text)

    def _turn(self, width: int) -> None:
        aside = not self._is_wide and width - self.editor.sizeHint().width() >= _WORDS_WIDTH
        direction = QBoxLayout.Direction.LeftToRight if aside else QBoxLayout.Direction.TopToBottom
        if self._line.direction() is not direction:
            self._line.setDirection(direction)
            self._line.setSpacing(Space.XL if aside else Space.S)
            self._align(Qt.AlignmentFlag.AlignVCenter if aside else Qt.AlignmentFlag.AlignLeading)

    def _align(self, alignment: Qt.AlignmentFlag) -> None:
        if not self._is_wide:
            self._line.setAlignment(self.editor, alignment)

    def _settle(self) -> None:
        self._saved.hide()
        self._stands_out = False
        self.update()
