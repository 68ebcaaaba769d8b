"""What holds training back, or needs the volunteer: a line each, with a button where one helps."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.design.tokens import Space
from gui.now.view import Line
from gui.widgets.buttons import QuietButton
from gui.widgets.card import Card
from gui.widgets.labels import Tone, body, strong
from gui.widgets.mark import Mark

_ICON = 20


class Lines(Card):
    """Hidden while there are none."""

    helped = Signal(object)
    """The `Remedy` whose button was pressed."""

    def __init__(self, icon: str, tone: Tone, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._icon, self._tone = icon, tone
        self._lines: Sequence[Line] = ()
        self.hide()

    def show_lines(self, lines: Sequence[Line]) -> bool:
        """Whether they are others than before: else no button goes from under the pointer."""
        if lines == self._lines:
            return False
        self._lines = lines
        while (item := self.body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for line in lines:
            self.body.addWidget(self._row(line))
        self.setVisible(bool(lines))
        return True

    def _row(self, line: Line) -> QWidget:
        whole = QWidget(self)
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.M)
        row.addWidget(Mark(self._icon, self._tone, _ICON, whole))
        row.addLayout(_words(line), 1)
        for remedy in line.remedies:
            button = QuietButton(remedy.label, whole)
            #: Of a button such as "Change this": {what} is what it helps against.
            named = self.tr("{button}: {what}").format(button=remedy.label, what=line.text)
            button.setAccessibleName(named)
            button.clicked.connect(partial(self.helped.emit, remedy))
            row.addWidget(button)
        return whole


def _words(line: Line) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(2)
    column.setAlignment(Qt.AlignmentFlag.AlignVCenter)
    column.addWidget(strong(line.text) if line.detail else body(line.text))
    if line.detail:
        detail = body(line.detail)
        detail.set_tone(Tone.SOFT)
        column.addWidget(detail)
    return column
