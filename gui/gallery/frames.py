"""Where the frames of the joined run's time-lapse come from: those that are here, and those the coordinator has."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from client.api.requests import Done, KeepFrames, Status
from client.api.snapshot import Snapshot
from gui.background import Background, Fault
from gui.gallery.lapse import Lapse
from gui.link.link import Link


class Frames(QObject):
    """Looks for frames anew with each run and each epoch, and has the coordinator's fetched when asked to."""

    changed = Signal(object)
    """The `Lapse` that is there now."""
    refused = Signal(object)
    """A `ClientError`: they cannot be fetched."""
    unreadable = Signal(str)
    """What is here cannot be read, and why."""

    def __init__(self, link: Link, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._link, self._background = link, Background(self)
        self.run = ""
        """Digest of the run whose frames these are; empty: none was joined."""
        self.folder: Path | None = None
        self._epoch = -1
        self._looks = 0
        """Of several that are under way at once, the latest counts."""

    def follow(self, snapshot: Snapshot | None) -> bool:
        """Whether it is another run than before; without a daemon what was known stays."""
        if snapshot is None:
            return False
        run = snapshot.run.digest if snapshot.run else ""
        epoch = snapshot.progress.epoch if snapshot.progress else -1
        is_another, is_later = run != self.run, epoch != self._epoch
        self._epoch = epoch
        if is_another:
            self.run = run
            self.folder = Path(snapshot.timelapse) if snapshot.timelapse else None
            self._looks += 1
            self.changed.emit(Lapse())
        if is_another or is_later:
            self._look()
        return is_another

    def fetch(self) -> None:
        """Have the daemon fetch those that are not here yet."""
        if self.run:
            self._link.ask(KeepFrames(), partial(self._fetched, self.run), self.refused.emit)

    def _fetched(self, run: str, answer: Done | Status) -> None:
        if run == self.run and isinstance(answer, Done) and answer.about:
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
