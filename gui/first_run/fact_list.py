"""Facts below one another: an icon, what each is about, and what there is to know."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from gui.design import icons
from gui.design.tokens import Space
from gui.first_run.prospect_view import Fact
from gui.widgets.labels import Tone, body

_ICON = 18


class FactList(QWidget):
    """Drawn anew only when what it says has changed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts: tuple[Fact, ...] = ()
        self._marks: list[QLabel] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(Space.M)
        self._grid.setVerticalSpacing(Space.S + 2)
        self._grid.setColumnStretch(2, 1)

    def show_facts(self, facts: Iterable[Fact]) -> None:
        """These, in this order."""
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

    def _add(self, row: int, fact: Fact) -> None:
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
