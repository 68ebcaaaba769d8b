"""Facts in rows, each with an icon and a label, and an agreement to what they say."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QWidget

from gui.design import icons
from gui.design.tokens import Space
from gui.widgets.labels import Tone, body

_ICON = 18


@dataclass(frozen=True)
class IconFact:
    icon: str
    label: str
    text: str


class FactList(QWidget):
    """Shows facts in rows; redraws only when they change."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts: tuple[IconFact, ...] = ()
        self._marks: list[QLabel] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(Space.M)
        self._grid.setVerticalSpacing(Space.S + 2)
        self._grid.setColumnStretch(2, 1)

    def show_facts(self, facts: Iterable[IconFact]) -> None:
        """Show these facts in this order."""
        facts = tuple(facts)
        if facts == self._facts:
            return
        self._facts = facts
        self._clear()
        for row, fact in enumerate(facts):
            self._add(row, fact)
        self._draw_marks()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self._draw_marks()

    def _clear(self) -> None:
        self._marks = []
        while item := self._grid.takeAt(0):
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def _add(self, row: int, fact: IconFact) -> None:
        mark, label, text = QLabel(self), body(fact.label, self), body(fact.text, self)
        label.setWordWrap(False)
        label.set_tone(Tone.SOFT)
        text.setAccessibleName(f"{fact.label}: {fact.text}")
        self._marks.append(mark)
        self._grid.addWidget(mark, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(label, row, 1, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(text, row, 2)

    def _draw_marks(self) -> None:
        for mark, fact in zip(self._marks, self._facts, strict=True):
            mark.setPixmap(icons.pixmap(fact.icon, _ICON, scale=self.devicePixelRatioF()))


class Agreement(QWidget):
    """A check box with a text that wraps; it is never checked in advance."""

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
