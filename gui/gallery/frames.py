"""Where the frames of the joined run's time-lapse come from: those that are here, and those the coordinator has."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from client.api.answers import Done
from client.api.commands import KeepFrames
from client.api.snapshot import Snapshot
from gui.background import Background, Fault
from gui.gallery.lapse import Lapse
from gui.link.enquiry import Enquiry
from gui.link.link import Link

FRAMES_REST = 30_000
"""Milliseconds between two questions for the coordinator's frames: small runs have an epoch a second."""


class Frames(QObject):
    """Looks for frames anew with each run and each epoch; has the coordinator's fetched while somebody looks."""

    begun = Signal()
    """Those of another run are looked for."""
    changed = Signal(object)
    """The `Lapse` that is there now."""
    fetched = Signal()
    """Those that the coordinator has are here, or on their way."""
    refused = Signal(object)
    """A `ClientError`: they cannot be fetched."""
    unreadable = Signal(str)
    """What is here cannot be read, and why."""

    def __init__(self, link: Link, drawn_by: QWidget, *, rest: int = FRAMES_REST) -> None:
        super().__init__(drawn_by)
        self._background = Background(self)
        self._enquiry = Enquiry(link, drawn_by, rest=rest)
        self._enquiry.answered.connect(self._fetched)
        self._enquiry.failed.connect(self.refused)
        self.run = ""
        """Digest of the run whose frames these are; empty: none was joined."""
        self.folder: Path | None = None
        self._epoch = -1
        self._looks = 0
        """Of several that are under way at once, the latest counts."""

    def follow(self, snapshot: Snapshot | None) -> None:
        """Without a daemon what was known stays."""
        if snapshot is None:
            return
        run = snapshot.run.digest if snapshot.run else ""
        epoch = snapshot.progress.epoch if snapshot.progress else -1
        is_another, is_later = run != self.run, epoch != self._epoch
        self._epoch = epoch
        if is_another:
            self.run = run
            self.folder = Path(snapshot.timelapse) if snapshot.timelapse else None
            self._looks += 1
            self._enquiry.forget()
            self.begun.emit()
        if is_another or is_later:
            self._look()
            self.fetch()

    def fetch(self, *, at_once: bool = False) -> None:
        """Have the daemon fetch those that are not here yet, as soon as somebody looks."""
        if self.run:
            self._enquiry.want(KeepFrames(), at_once=at_once)

    def _fetched(self, answer: Done) -> None:
        self.fetched.emit()
        if answer.about:
            self.folder = Path(answer.about)
            self._look()

    def _look(self) -> None:
        if self.folder is not None:
            self._looks += 1
            read, found = partial(Lapse.read, self.folder), partial(self._found, self._looks)
            self._background.run(read, found, self._failed)

    def _found(self, look: int, lapse: Lapse) -> None:
        if look == self._looks and self.run:
            self.changed.emit(lapse)

    def _failed(self, error: Fault) -> None:
        self.unreadable.emit(str(error))
