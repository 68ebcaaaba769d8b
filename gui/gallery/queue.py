"""The pictures that are being drawn: how far each request is, and a way to call it off."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from client.api.snapshot import DrawingStage, GenerationView
from gui.design.tokens import Space
from gui.widgets.buttons import IconButton
from gui.widgets.card import Card
from gui.widgets.labels import caption, strong
from gui.widgets.progress import ProgressBar
from gui.wording import amounts

translate = QCoreApplication.translate


def stage_text(view: GenerationView) -> str:
    """What is done for it now."""
    words = {
        DrawingStage.WAITING: translate("Queue", "Waiting for its turn"),
        DrawingStage.BETWEEN_STEPS: translate("Queue", "Drawn between steps of training"),
        DrawingStage.PAUSED: translate("Queue", "Paused, as training is"),
        DrawingStage.DRAWING: translate("Queue", "Drawn when nothing else needs the computer"),
        DrawingStage.DRAWING_IN_USE: translate("Queue", "Drawn gently while you use the computer"),
        DrawingStage.CANCELLING: translate("Queue", "Being cancelled"),
    }
    return words[view.stage]


def amount_text(view: GenerationView) -> str:
    """How much is asked for, and how far that is."""
    pictures = translate("Queue", "%Ln picture(s)", "", view.count)
    return "  ·  ".join((amounts.percent(view.progress), pictures, stage_text(view)))


class Queue(QWidget):
    """A card for each request, in their order; hidden while there are none."""

    cancelled = Signal(str)
    """The request of that id is not wanted any more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: dict[str, QueueRow] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.S)
        self.hide()

    def show_generations(self, views: Sequence[GenerationView]) -> bool:
        """Those that are waited for now; whether they are others than before."""
        before = list(self.rows)
        for gone in self.rows.keys() - {view.id for view in views}:
            row = self.rows.pop(gone)
            row.hide()
            row.deleteLater()
        for view in views:
            if view.id not in self.rows:
                row = self.rows[view.id] = QueueRow(view.prompt, self)
                row.cancel.clicked.connect(partial(self.cancelled.emit, view.id))
                self._column.addWidget(row)
            self.rows[view.id].show_view(view)
        self.setVisible(bool(views))
        return list(self.rows) != before


class QueueRow(Card):
    """One request."""

    def __init__(self, prompt: str, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._text = caption()
        self.bar = ProgressBar()
        self.bar.setAccessibleName(prompt)
        self.cancel = IconButton("close", self.tr("Cancel"))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(strong(prompt))
        words.addWidget(self._text)
        row = QHBoxLayout()
        row.addLayout(words, 1)
        row.addWidget(self.cancel)
        self.body.addLayout(row)
        self.body.addWidget(self.bar)

    def show_view(self, view: GenerationView) -> None:
        self._text.setText(amount_text(view))
        self.bar.set(view.progress)
        self.cancel.setEnabled(view.stage is not DrawingStage.CANCELLING)
