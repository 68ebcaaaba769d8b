"""One setting on the page Preferences: title, description, editor and outcome, with search in its words."""

import html
import re
from collections.abc import Iterable

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
from gui.widgets.accessibility import announce
from gui.widgets.buttons import IconButton
from gui.widgets.labels import Tone, body, caption, strong

_WORDS_WIDTH = 300
"""Least width of the texts for the editor to stand beside them."""
_SAVED_MS = 2500
_SHOWN_MS = 2500


def words(query: str) -> tuple[str, ...]:
    return tuple(query.casefold().split())


def matches(query: str, texts: Iterable[str]) -> bool:
    """Return true if each word of the query occurs in one of the texts; an empty query matches all."""
    folded = [text.casefold() for text in texts]
    return all(any(word in text for text in folded) for word in words(query))


def marked(text: str, query: str, background: str, ink: str) -> str:
    """Return the text as HTML, with each occurrence of each word of the query highlighted."""
    found = words(query)
    if not found:
        return html.escape(text)
    pattern = re.compile("|".join(map(re.escape, sorted(found, key=len, reverse=True))), re.IGNORECASE)
    parts, end = [], 0
    for match in pattern.finditer(text):
        parts.append(html.escape(text[end : match.start()]))
        parts.append(_mark(match[0], background, ink))
        end = match.end()
    return "".join(parts) + html.escape(text[end:])


def _mark(text: str, background: str, ink: str) -> str:
    return f'<span style="background-color: {background}; color: {ink}">{html.escape(text)}</span>'


class SettingRow(QWidget):
    """Shows the editor beside the texts if there is room, else below them."""

    reset = Signal()
    """Emitted when the default is to be restored."""

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
        # Other widgets stay in place when it is hidden.
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
        """Highlight the searched words."""
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
        """True while the row reports that it was saved."""
        return not self._saved.isHidden()

    def show_error(self, text: str) -> None:
        self._saved.hide()
        self._error.setText(text)
        self._error.show()
        announce(self, text)

    @property
    def error(self) -> str:
        """The shown error; empty if there is none."""
        return "" if self._error.isHidden() else self._error.text()

    def stand_out(self) -> None:
        """Highlight the row for a moment."""
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
        """Describe the editor to screen readers by the text beside it."""
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
