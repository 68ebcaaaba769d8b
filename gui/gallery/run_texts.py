"""Shows what the model of a text run wrote after each of the run's prompts, as text to select and copy."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from gui.design import fonts
from gui.design.tokens import Space


class RunTexts(QPlainTextEdit):
    """Shows prompts in bold and what follows them; all of it is plain text, whatever marks it has.

    Each paragraph goes in the direction of its own letters, and a line of any length is broken.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """Begin empty; ``name`` is the accessible name."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFont(fonts.text())
        option = QTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)
        self.document().setDocumentMargin(Space.M)
        self._samples: tuple[tuple[str, str], ...] = ()

    def show_texts(self, prompts: Sequence[str], texts: Sequence[str]) -> None:
        """Show the ``texts`` after their ``prompts``; the place where one reads stays."""
        samples = tuple(zip(prompts, texts, strict=True))
        if samples == self._samples:
            return
        self._samples = samples
        bar = self.verticalScrollBar()
        place = bar.value()
        self._write()
        bar.setValue(place)

    def _write(self) -> None:
        bold, usual = QTextCharFormat(), QTextCharFormat()
        bold.setFontWeight(QFont.Weight.DemiBold)
        self.clear()
        cursor = QTextCursor(self.document())
        for number, (prompt, text) in enumerate(self._samples):
            if number:
                cursor.insertBlock(QTextBlockFormat(), usual)
                cursor.insertBlock(QTextBlockFormat(), usual)
            cursor.insertText(prompt, bold)
            cursor.insertText(text, usual)
