"""The results of the run: the loss by epoch, and the last pictures or texts of a run that is complete."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale, QSize, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from client.api.answers import Done
from client.api.gallery import texts_of_frame
from client.api.history import EpochPoint
from client.api.questions import ShowEpochs
from client.api.snapshot import RunView
from gui.background import Background
from gui.design.tokens import Space
from gui.gallery.decoding import decode
from gui.gallery.run_texts import RunTexts
from gui.gallery.timelapse import TimelapseFrames
from gui.link.link import AppLink
from gui.link.query import WidgetQuery
from gui.widgets.buttons import QuietButton
from gui.widgets.cards import Card
from gui.widgets.chart import LineChart
from gui.widgets.labels import Tone, body, title
from gui.widgets.picture import PictureView
from gui.wording import amounts

_REST = 3_000
"""Milliseconds between two queries; small runs have one epoch per second."""
_POINTS = 400
_HEIGHT = 260
_LARGEST = QSize(320, 240)


class LossCurve(Card):
    """Shows the loss of the joined run; empty until epochs are known."""

    def __init__(self, link: AppLink, parent: QWidget | None = None, *, rest: int = _REST) -> None:
        """Wait ``rest`` milliseconds between two queries."""
        super().__init__(parent=parent)
        self.set_title(self.tr("Loss by epoch"))
        self._followed: tuple[str, int] | None = None
        self.points: tuple[EpochPoint, ...] = ()
        self._latest = body()
        self._latest.set_tone(Tone.SOFT)
        self._latest.setWordWrap(False)
        self.head.addWidget(self._latest)
        self.chart = LineChart(self)
        self.chart.setMinimumHeight(_HEIGHT)
        self.body.addWidget(self.chart)
        self._epochs_query = WidgetQuery(link, self, rest=rest)
        self._epochs_query.answered.connect(self._take)
        self._draw()

    def follow(self, run: str, epoch: int) -> None:
        """Follow that run and epoch; the curve of another run is dropped."""
        if self._followed == (run, epoch):
            return
        if self._followed is not None and self._followed[0] != run:
            self._epochs_query.forget()
            self.points = ()
            self._draw()
        self._followed = (run, epoch)
        self.refresh()

    def refresh(self) -> None:
        """Query the epochs again; known points stay if the query fails."""
        if self._followed is not None:
            self._epochs_query.query(ShowEpochs(points=_POINTS))

    def _take(self, answer: Done) -> None:
        if answer.epochs is not None and answer.epochs != self.points:
            self.points = answer.epochs
            self._draw()

    def _draw(self) -> None:
        across, up = self.tr("Epoch"), self.tr("Loss")
        if not self.points:
            self._latest.setText("")
            self.chart.name_axes(across, up)
            self.chart.set_empty(self.tr("The curve starts with the swarm's first epoch."))
            return
        losses = [(point.epoch, point.loss) for point in self.points]
        self.chart.set_series(losses, across, up)
        text = self.tr("Now {loss}, at the start {first}")
        self._latest.setText(text.format(loss=_loss(self.points[-1].loss), first=_loss(self.points[0].loss)))


def _loss(loss: float) -> str:
    return QLocale().toString(loss, "g", 4)


class OutcomeCard(Card):
    """Shows the last frame of the run's time-lapse."""

    gallery_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._folder: str | None = None
        self._background = Background(self)
        self.picture = PictureView(parent=self)
        self.texts = RunTexts(self.tr("What the model writes"), self)
        self.texts.setFixedSize(_LARGEST)
        for shown in (self.picture, self.texts):
            shown.hide()
        self._sentence, self._thanks = title(), body()
        self._thanks.set_tone(Tone.SOFT)
        self.button = QuietButton(self.tr("See how the model improved"), icon="gallery")
        self.button.clicked.connect(self.gallery_wanted)
        self._lay_out()

    def show_outcome(self, run: RunView, timelapse: str) -> None:
        """Show the outcome; ``timelapse`` is the folder of the frames, empty if there are none."""
        text = self.tr("All {epochs} epochs are complete")
        self._sentence.setText(text.format(epochs=amounts.count(run.total_epochs)))
        thanks = self.tr("Thank you for helping to train “{run}”.")
        self._thanks.setText(thanks.format(run=run.title))
        if timelapse and timelapse != self._folder:
            self._folder = timelapse
            self._background.run(partial(_last_frame, Path(timelapse)), self._show_frame)

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
        row.addWidget(self.texts)
        row.addLayout(words, 1)
        self.body.addLayout(row)

    def _show_frame(self, frame: "_LastFrame | None") -> None:
        image = frame.image if frame is not None else None
        self.picture.set_image(image)
        self.picture.setVisible(image is not None)
        if image is not None:
            self.picture.setFixedSize(image.size().scaled(_LARGEST, Qt.AspectRatioMode.KeepAspectRatio))
        texts = frame.texts if frame is not None else ()
        self.texts.setVisible(bool(texts))
        if frame is not None and texts:
            self.texts.show_texts(frame.prompts, texts)


@dataclass(frozen=True)
class _LastFrame:
    """The last frame of a run: a sheet with the pictures of all prompts, or texts."""

    prompts: tuple[str, ...]
    texts: tuple[str, ...]
    image: QImage | None


def _last_frame(folder: Path) -> _LastFrame | None:
    """Return the last frame; None if there is none. Raise OSError or ValueError if it cannot be read."""
    lapse = TimelapseFrames.read(folder)
    if not lapse.files:
        return None
    last = lapse.files[-1]
    texts = texts_of_frame(last, len(lapse.prompts))
    return _LastFrame(lapse.prompts, texts, None if texts else decode(last))
