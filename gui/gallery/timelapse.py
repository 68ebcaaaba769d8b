"""The run's time-lapse: its frames, their source, and the bar that plays them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QFont, QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from client.api.answers import Done
from client.api.commands import KeepFrames
from client.api.gallery import TimelapseIndex
from client.api.snapshot import Snapshot
from gui.background import Background, FileFault
from gui.design import fonts
from gui.design.tokens import Space, Type
from gui.link.link import AppLink
from gui.link.query import WidgetQuery
from gui.widgets.buttons import IconButton
from gui.widgets.fields import Slider
from gui.widgets.labels import Label
from gui.wording import amounts

FRAMES_REST = 30_000
"""Milliseconds between two requests for the coordinator's frames; small runs have one epoch per second."""
_FRAME_MS = 450


@dataclass(frozen=True)
class TimelapseFrames:
    """The frames of a folder, oldest first."""

    prompts: tuple[str, ...] = ()
    columns: int = 1
    epochs: tuple[int, ...] = ()
    files: tuple[Path, ...] = ()
    """One file for each epoch."""

    @classmethod
    def read(cls, folder: Path) -> "TimelapseFrames":
        """Read the frames of a folder; it may be empty. Raises OSError or ValueError if it cannot be used."""
        index = TimelapseIndex.read(folder)
        frames = index.frames if index.prompts else ()
        return cls(
            index.prompts,
            index.columns,
            tuple(frame.epoch for frame in frames),
            tuple(index.file(folder, frame) for frame in frames),
        )


def place_after(before: Sequence[int], place: int, epochs: Sequence[int]) -> int:
    """Return the index of the frame to show after the frames have changed.

    It is the newest frame if that was shown before, and otherwise the same epoch or the next one.
    """
    if not before or place >= len(before) - 1:
        return max(0, len(epochs) - 1)
    looked_at = before[place]
    return next(
        (number for number, epoch in enumerate(epochs) if epoch >= looked_at), max(0, len(epochs) - 1)
    )


def next_place(place: int, count: int) -> int | None:
    """Return the index of the next frame while playing; None after the last."""
    return place + 1 if place + 1 < count else None


class FrameSource(QObject):
    """Looks for frames at each new run and epoch; fetches the coordinator's frames while the widget is visible."""

    begun = Signal()
    """Emitted when another run's frames are searched for."""
    changed = Signal(object)
    """Emitted with the `TimelapseFrames` that are available."""
    fetched = Signal()
    """Emitted when the coordinator's frames have arrived or are on their way."""
    refused = Signal(object)
    """Emitted with the `ClientError` by which fetching failed."""
    unreadable = Signal(str)
    """Emitted with the reason why stored frames cannot be read."""

    def __init__(self, link: AppLink, drawn_by: QWidget, *, rest: int = FRAMES_REST) -> None:
        super().__init__(drawn_by)
        self._background = Background(self)
        self._frames_query = WidgetQuery(link, drawn_by, rest=rest)
        self._frames_query.answered.connect(self._fetched)
        self._frames_query.failed.connect(self.refused)
        self.run = ""
        """Digest of the run whose frames these are; empty if no run is joined."""
        self.folder: Path | None = None
        self._epoch = -1
        self._searches = 0
        """Number of the latest search; results of earlier ones are ignored."""

    def follow(self, snapshot: Snapshot | None) -> None:
        """Follow the run of the snapshot; without a daemon, the frames stay."""
        if snapshot is None:
            return
        run = snapshot.run.digest if snapshot.run else ""
        epoch = snapshot.progress.epoch if snapshot.progress else -1
        is_another, is_later = run != self.run, epoch != self._epoch
        self._epoch = epoch
        if is_another:
            self.run = run
            self.folder = Path(snapshot.timelapse) if snapshot.timelapse else None
            self._searches += 1
            self._frames_query.forget()
            self.begun.emit()
        if is_another or is_later:
            self._search()
            self.fetch()

    def fetch(self, *, at_once: bool = False) -> None:
        """Let the daemon fetch missing frames while the widget is visible."""
        if self.run:
            self._frames_query.query(KeepFrames(), at_once=at_once)

    def _fetched(self, answer: Done) -> None:
        self.fetched.emit()
        if answer.about:
            self.folder = Path(answer.about)
            self._search()

    def _search(self) -> None:
        if self.folder is not None:
            self._searches += 1
            read, found = partial(TimelapseFrames.read, self.folder), partial(self._found, self._searches)
            self._background.run(read, found, self._failed)

    def _found(self, search: int, lapse: TimelapseFrames) -> None:
        if search == self._searches and self.run:
            self.changed.emit(lapse)

    def _failed(self, error: FileFault) -> None:
        self.unreadable.emit(str(error))


class PlayBar(QWidget):
    """Shows the chosen frame; arrow keys move it by one, page keys by five."""

    moved = Signal(int)
    """Emitted with the index of the chosen frame."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._epochs: tuple[int, ...] = ()
        self._timer = QTimer(self, interval=_FRAME_MS)
        self._timer.timeout.connect(self._step)
        self.button = IconButton("play", self.tr("Play the time-lapse"), self)
        self.button.clicked.connect(self._play_or_pause)
        self.slider = Slider(self)
        self.slider.setAccessibleName(self.tr("Epoch"))
        self.slider.setPageStep(5)
        self.slider.valueChanged.connect(self._emit_moved)
        self._label = Label("", fonts.figures(fonts.heading(Type.LEAD, QFont.Weight.DemiBold)), parent=self)
        self._label.setWordWrap(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.M)
        row.addWidget(self.button)
        row.addWidget(self.slider, 1)
        row.addWidget(self._label)

    @property
    def place(self) -> int:
        """Index of the chosen frame."""
        return self.slider.value()

    @property
    def is_playing(self) -> bool:
        return self._timer.isActive()

    def set_epochs(self, epochs: Sequence[int]) -> None:
        """Set the epochs; the chosen frame stays, and the newest frame is followed."""
        place = place_after(self._epochs, self.place, epochs)
        self._epochs = tuple(epochs)
        self.slider.blockSignals(True)
        self.slider.setRange(0, max(0, len(epochs) - 1))
        self.slider.setValue(place)
        self.slider.blockSignals(False)
        self.button.setEnabled(len(epochs) > 1)
        self._write()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        self._stop()
        super().hideEvent(event)

    def _play_or_pause(self) -> None:
        if self.is_playing:
            self._stop()
            return
        if next_place(self.place, len(self._epochs)) is None:
            self.slider.setValue(0)
        self._timer.start()
        self.button.set_icon("pause", self.tr("Pause the time-lapse"))

    def _stop(self) -> None:
        self._timer.stop()
        self.button.set_icon("play", self.tr("Play the time-lapse"))

    def _step(self) -> None:
        following = next_place(self.place, len(self._epochs))
        if following is None:
            self._stop()
        else:
            self.slider.setValue(following)

    def _emit_moved(self, place: int) -> None:
        self._write()
        self.moved.emit(place)

    def _write(self) -> None:
        if self.place < len(self._epochs):
            epoch = self.tr("Epoch {epoch}").format(epoch=amounts.count(self._epochs[self.place]))
            self._label.setText(epoch)
            self.slider.setAccessibleDescription(epoch)
