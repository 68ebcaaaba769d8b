"""Widgets that several screens of the first run share: facts, an agreement, and a note about a problem."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from client.api.errors import ClientError
from client.api.protocol import ProblemView
from gui.design import icons
from gui.design.tokens import Space
from gui.first_run.candidate_view import CandidateFact
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.labels import Tone, body
from gui.widgets.layouts import FlowLayout
from gui.wording.codes import problem_words

_ICON = 18


class FactList(QWidget):
    """Shows facts in rows; redraws only when they change."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts: tuple[CandidateFact, ...] = ()
        self._marks: list[QLabel] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(Space.M)
        self._grid.setVerticalSpacing(Space.S + 2)
        self._grid.setColumnStretch(2, 1)

    def show_facts(self, facts: Iterable[CandidateFact]) -> None:
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

    def _add(self, row: int, fact: CandidateFact) -> None:
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


@dataclass(frozen=True)
class ProblemButton:
    """The text of a button and its action."""

    text: str
    do: Callable[[], None]


class ProblemNote(QWidget):
    """Shows a problem with buttons for its remedies; hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[object, ...] = ()
        self._banner = Banner(self)
        self._buttons = FlowLayout(spacing=Space.S)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addWidget(self._banner)
        column.addLayout(self._buttons)
        self.hide()

    def show_error(self, error: ClientError | ProblemView, *remedies: ProblemButton) -> None:
        """Show an error in the user's words."""
        self.show_message(*problem_words(error.code, error.what, error.remedy), *remedies)

    def show_message(
        self, what: str, remedy: str, *remedies: ProblemButton, kind: BannerKind = BannerKind.ERROR
    ) -> None:
        """Show this problem; an unchanged problem keeps its buttons and their focus."""
        problem = (what, remedy, remedies, kind)
        if problem != self._shown:
            self._shown = problem
            only = remedies[0] if len(remedies) == 1 else None
            action, do = (only.text, only.do) if only else (None, None)
            self._banner.show_message(kind, what, remedy, action, do, dismissable=False)
            self._show_buttons(() if only else remedies)
        self.show()

    def take_focus(self) -> None:
        """Focus the first button that helps."""
        buttons = [button for button in self.findChildren(QPushButton) if not button.isHidden()]
        if buttons:
            buttons[0].setFocus()

    def clear(self) -> None:
        self._shown = ()
        self.hide()

    def _show_buttons(self, remedies: Sequence[ProblemButton]) -> None:
        while item := self._buttons.takeAt(0):
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for remedy in remedies:
            button = QuietButton(remedy.text, self)
            button.clicked.connect(remedy.do)
            self._buttons.addWidget(button)
