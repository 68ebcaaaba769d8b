"""The curve of the run's loss: asked for when it is looked at, and again as epochs pass, but not often."""

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QWidget

from client.api.answers import Done
from client.api.history import EpochPoint
from client.api.questions import ShowEpochs
from gui.link.enquiry import Enquiry
from gui.link.link import Link
from gui.widgets.card import Card
from gui.widgets.chart import LineChart
from gui.widgets.labels import Tone, body

_REST = 3_000
"""Milliseconds between two questions: small runs have an epoch a second."""
_POINTS = 400
_HEIGHT = 260


class LossCurve(Card):
    """Of the joined run; empty until something is known."""

    def __init__(self, link: Link, parent: QWidget | None = None, *, rest: int = _REST) -> None:
        """``rest``: milliseconds between two questions."""
        super().__init__(parent=parent)
        self.set_title(self.tr("How the loss falls"))
        self._followed: tuple[str, int] | None = None
        self.points: tuple[EpochPoint, ...] = ()
        self._latest = body()
        self._latest.set_tone(Tone.SOFT)
        self._latest.setWordWrap(False)
        self.head.addWidget(self._latest)
        self.chart = LineChart(self)
        self.chart.setMinimumHeight(_HEIGHT)
        self.body.addWidget(self.chart)
        self._enquiry = Enquiry(link, self, rest=rest)
        self._enquiry.answered.connect(self._take)
        self._draw()

    def follow(self, run: str, epoch: int) -> None:
        """The run of that digest is in that epoch now; another run's curve is forgotten."""
        if self._followed == (run, epoch):
            return
        if self._followed is not None and self._followed[0] != run:
            self._enquiry.forget()
            self.points = ()
            self._draw()
        self._followed = (run, epoch)
        self.look_again()

    def look_again(self) -> None:
        """Something may have been added; where that cannot be told now, what is known stays."""
        if self._followed is not None:
            self._enquiry.want(ShowEpochs(points=_POINTS))

    def _take(self, answer: Done) -> None:
        if answer.epochs is not None and answer.epochs != self.points:
            self.points = answer.epochs
            self._draw()

    def _draw(self) -> None:
        across, up = self.tr("Epoch"), self.tr("Loss")
        if not self.points:
            self._latest.setText("")
            self.chart.name_axes(across, up)
            self.chart.set_empty(self.tr("The curve begins with the swarm's first epoch."))
            return
        losses = [(point.epoch, point.loss) for point in self.points]
        self.chart.set_series(losses, across, up)
        text = self.tr("Now {loss}, at the beginning {first}")
        self._latest.setText(text.format(loss=_loss(self.points[-1].loss), first=_loss(self.points[0].loss)))


def _loss(loss: float) -> str:
    return QLocale().toString(loss, "g", 4)
