"""A run that is offered to the app from outside, by a link, a file or another start: where it leads, and the question
before it leads away from a run that is joined. Nothing is joined here, and no offer is dropped silently.
"""

from enum import Enum, auto

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from client.api.candidate import CandidateStage, CandidateView
from client.api.errors import ClientError
from client.api.offer import OfferedRun
from client.api.snapshot import Snapshot
from gui.design.tokens import Space
from gui.widgets.buttons import PrimaryButton, QuietButton
from gui.widgets.labels import Tone, body, title
from gui.wording.codes import problem_words

translate = QCoreApplication.translate
_WIDTH = 420
"""Smallest width of the dialog's content in logical pixels."""


class OfferRoute(Enum):
    """The answer of the app to an offered run."""

    PREVIEW = auto()  # the run's preview opens
    FRONT = auto()  # its preview is open, and comes to the front
    NOTICE = auto()  # it is trained already
    QUESTION = auto()  # the volunteer decides whether to look at it
    REFUSAL = auto()  # it is no run


OfferOrError = OfferedRun | ClientError
"""A run that is offered, or why what was offered is none."""


def understood(text: str) -> OfferOrError:
    """Return what a link, the path of a file or ``embedded`` offers."""
    try:
        return OfferedRun.read(text)
    except ClientError as error:
        return error


def route_of(offer: OfferOrError, snapshot: Snapshot | None, is_choosing: bool) -> OfferRoute:
    """Return where an offer leads.

    Args:
        offer: The run, or why it is none.
        snapshot: State of the daemon; None while it is not known, and then no run counts as joined.
        is_choosing: True if the screens for choosing a run are open, where looking at another run is no surprise.
    """
    run = snapshot.run if snapshot else None
    download = _download(snapshot)
    if isinstance(offer, ClientError):
        # A preview would report that as well, but would stop a download for it.
        return OfferRoute.REFUSAL if download or (run and not is_choosing) else OfferRoute.PREVIEW
    if download is not None:
        return OfferRoute.FRONT if offer.fingerprint == download.fingerprint else OfferRoute.QUESTION
    if run is None or is_choosing:
        return OfferRoute.PREVIEW
    return OfferRoute.NOTICE if offer.is_of(run) else OfferRoute.QUESTION


def notice(snapshot: Snapshot | None) -> str:
    """Return the answer to a link that leads to the joined run."""
    title = snapshot.run.title if snapshot and snapshot.run else ""
    return translate("Offers", "This computer already trains {title}.").format(title=title)


def _download(snapshot: Snapshot | None) -> CandidateView | None:
    """Return the run whose files are being downloaded to join it."""
    candidate = snapshot.candidate if snapshot else None
    return candidate if candidate is not None and candidate.stage is CandidateStage.FETCHING else None


class OfferDialog(QDialog):
    """Asks whether to look at another run, or says why an offer is no run; Escape and Return change nothing."""

    look_wanted = Signal(str)
    """Emitted with the location of the run to look at."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._location = ""
        self._title, self._text = title(parent=self), body(parent=self)
        self._text.set_tone(Tone.SOFT)
        for label in (self._title, self._text):
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.look = QuietButton(self.tr("&Look at the other run"), self, icon="link")
        self.stay = PrimaryButton(self.tr("&Stay"), self)
        self.look.clicked.connect(self._look)
        self.stay.clicked.connect(self.reject)
        self._arrange()

    def show_offer(self, offer: OfferOrError, snapshot: Snapshot | None) -> None:
        """Ask whether to look at the run, or say why it is none; an earlier question is replaced."""
        if isinstance(offer, ClientError):
            self._location = ""
            self._say(*problem_words(offer.code, offer.what, offer.remedy))
            self._show(self.tr("No run"), self.tr("&Close"), may_look=False)
            return
        self._location = offer.location
        if (download := _download(snapshot)) is not None:
            text = self.tr(
                "The files of {title} are being downloaded, and the link or file leads to another run. Looking at it "
                "stops the download. What has arrived is kept."
            )
            self._say(self.tr("Stop the download?"), text.format(title=download.title))
        elif snapshot is not None and snapshot.run is not None:
            text = self.tr(
                "This computer trains {title}, and the link or file leads to another run. Looking at it changes "
                "nothing: you decide afterwards. If you join it, this computer trains both in turns."
            )
            self._say(self.tr("Look at another run?"), text.format(title=snapshot.run.title))
        self._show(self.tr("Another run"), self.tr("&Stay"), may_look=True)

    def _say(self, what: str, text: str) -> None:
        self._title.setText(what)
        self._text.setText(text)
        self.setAccessibleName(what)
        self.setAccessibleDescription(text)

    def _show(self, name: str, stay: str, *, may_look: bool) -> None:
        self.setWindowTitle(name)
        self.stay.setText(stay)
        self.look.setVisible(may_look)
        self.stay.setDefault(True)
        self.stay.setFocus()
        self.adjustSize()
        self.open()
        self.raise_()
        self.activateWindow()

    def _look(self) -> None:
        self.accept()
        self.look_wanted.emit(self._location)

    def _arrange(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(Space.S)
        buttons.addStretch(1)
        buttons.addWidget(self.look)
        buttons.addWidget(self.stay)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(self._title)
        column.addWidget(self._text)
        column.addSpacing(Space.S)
        column.addLayout(buttons)
        column.addStrut(_WIDTH)
