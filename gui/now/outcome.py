"""The card of a run that is over: how the model paints in the end, and the way to all of its pictures."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from client.api.snapshot import RunView
from gui.background import Background
from gui.design.tokens import Space
from gui.gallery.decoding import decode
from gui.gallery.lapse import Lapse
from gui.widgets.buttons import QuietButton
from gui.widgets.card import Card
from gui.widgets.labels import Tone, body, title
from gui.widgets.picture import PictureView
from gui.wording import amounts

_LARGEST = QSize(320, 240)


class Outcome(Card):
    """Looks at the last frame of the run's time-lapse, once."""

    gallery_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._folder: str | None = None
        self._background = Background(self)
        self.picture = PictureView(parent=self)
        self.picture.hide()
        self._sentence, self._thanks = title(), body()
        self._thanks.set_tone(Tone.SOFT)
        self.button = QuietButton(self.tr("See how its pictures came about"), icon="gallery")
        self.button.clicked.connect(self.gallery_wanted)
        self._lay_out()

    def show_outcome(self, run: RunView, timelapse: str) -> None:
        """``timelapse``: the folder of its frames; empty: there are none."""
        text = self.tr("All {epochs} epochs are done")
        self._sentence.setText(text.format(epochs=amounts.count(run.total_epochs)))
        thanks = self.tr(
            "Thank you: “{run}” was trained by everybody who took part, and you are one of them."
        )
        self._thanks.setText(thanks.format(run=run.title))
        if timelapse and timelapse != self._folder:
            self._folder = timelapse
            self._background.run(partial(_last_frame, Path(timelapse)), self._show_picture)

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.addStretch()
        words.addWidget(self._sentence)
        words.addWidget(self._thanks)
        words.addSpacing(Space.S)
        words.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeading)
        words.addStretch()
        row = QHBoxLayout()
        row.setSpacing(Space.XL)
        row.addWidget(self.picture)
        row.addLayout(words, 1)
        self.body.addLayout(row)

    def _show_picture(self, image: QImage | None) -> None:
        self.picture.set_image(image)
        self.picture.setVisible(image is not None)
        if image is not None:
            self.picture.setFixedSize(image.size().scaled(_LARGEST, Qt.AspectRatioMode.KeepAspectRatio))


def _last_frame(folder: Path) -> QImage | None:
    """All prompts' pictures on one sheet; ValueError or OSError for what cannot be read."""
    files = Lapse.read(folder).files
    return decode(files[-1]) if files else None
