"""The card of the swarm's current epoch: a ring that fills, and in words what it shows."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.design.tokens import Space
from gui.now.epoch_view import EpochView
from gui.now.ring import EpochRing
from gui.widgets.card import Card
from gui.widgets.labels import Tone, body, caption, strong


class EpochCard(Card):
    """Draws an `EpochView`; while there is none, says that it is waited for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._ring = EpochRing(self)
        self._gathered, self._mine, self._remaining = strong(), body(), caption()
        self._mine.set_tone(Tone.ACCENT)
        self._waits = body(self.tr("The swarm's progress shows up once training has begun."))
        self._waits.set_tone(Tone.SOFT)
        words = QVBoxLayout()
        words.setSpacing(Space.XS)
        words.addStretch()
        for label in (self._gathered, self._mine, self._remaining):
            words.addWidget(label)
        words.addStretch()
        row = QHBoxLayout()
        row.setSpacing(Space.XL)
        row.addWidget(self._ring, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(words, 1)
        self.body.addWidget(self._waits)
        self.body.addLayout(row)
        self.show_view(None)

    def show_view(self, view: EpochView | None) -> None:
        self._ring.setVisible(view is not None)
        self._waits.setVisible(view is None)
        if view is None:
            self.set_title(self.tr("Epoch"))
            self._tell("", "", "")
            return
        self.set_title(view.title)
        self._tell(view.gathered, view.mine, view.remaining)
        self._ring.set_progress(view.fraction, view.own, f"{view.gathered}. {view.mine}.")

    def _tell(self, *texts: str) -> None:
        for label, text in zip((self._gathered, self._mine, self._remaining), texts, strict=True):
            label.setText(text)
            label.setVisible(bool(text))
