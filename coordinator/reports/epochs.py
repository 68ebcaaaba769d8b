"""Reads from the database what is to be reported: the figures of epochs, and the frames of the time-lapse."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import Epoch, Frame
from coordinator.ledger.history import may_be_shown, stands
from coordinator.reports.frames import ReportedFrame
from coordinator.reports.place import ReportPlace
from core.optim.learning_rate import linear_schedule
from core.run.rules import ScheduleRules


@dataclass(frozen=True)
class EpochFigures:
    """Figures of an epoch, as they are reported."""

    epoch: int
    time: datetime
    loss: float | None
    """Mean over its samples; None where no peer reported it."""
    samples: int
    peers: int
    seconds: float
    """Seconds since the epoch before."""
    traffic: int | None
    """Bytes sent and received by all peers together for its exchange."""
    learning_rate: float
    """Learning rate of the update that led to it."""

    def scalars(self) -> dict[str, float]:
        """Return the figures by their names in reports; those that are not known are left out."""
        found = {
            "loss": self.loss,
            "samples": self.samples,
            "samples_per_second": self.samples / self.seconds if self.seconds > 0 else None,
            "peers": self.peers,
            "seconds": self.seconds,
            "traffic_bytes": self.traffic,
            "learning_rate": self.learning_rate,
        }
        return {name: float(value) for name, value in found.items() if value is not None}


@dataclass(frozen=True)
class UnreportedPart:
    """Epochs and frames that a sink does not have yet, as the database held them at one moment."""

    generation: int
    """Generation of the newest epoch; 0 if there is none."""
    place: ReportPlace
    """Place from which reports go on: an earlier one than was kept if a rollback came since."""
    epochs: tuple[EpochFigures, ...]
    """Next epochs in order, without those that a rollback took back."""
    frames: tuple[ReportedFrame, ...]
    """Frames up to the last of these epochs, by their epochs; some may be of epochs that were reported before."""
    has_more: bool
    """True if there may be more than this."""

    def in_order(self) -> Iterator[EpochFigures | ReportedFrame]:
        """Yield each epoch and then its frames; frames of earlier epochs follow the first one."""
        frames = deque(self.frames)
        for figures in self.epochs:
            yield figures
            while frames and frames[0].epoch <= figures.epoch:
                yield frames.popleft()
        yield from frames

    def place_after(self) -> ReportPlace:
        """Return the place of a sink that has all of this."""
        last = self.epochs[-1].epoch if self.epochs else self.place.epoch
        return self.place.after(self.generation, last, [frame.epoch for frame in self.frames])


@dataclass(frozen=True)
class RecordedRun:
    """The recorded epochs of a run; its methods raise DatabaseError while they cannot be read."""

    database: Database
    schedule: ScheduleRules
    frames: Path
    """Folder of the files of frames."""

    def unreported(self, place: ReportPlace, most_epochs: int, most_frames: int) -> UnreportedPart:
        """Return what comes after ``place``, all of it read at one moment: a rollback comes before or after it.

        Frames wait for the next epoch, so that each is reported with figures; those of the run's last one do not.
        """
        with self.database.reading() as session:
            generation = session.scalar(select(func.max(Epoch.generation))) or 0
            place = _still_standing(session, place)
            epochs = self._epochs_after(session, place, most_epochs)
            until = epochs[-1].epoch if epochs else place.epoch
            may_wait = not epochs and until < self.schedule.total_epochs
            frames = [] if may_wait else self._frames_after(session, place, until, most_frames)
        has_more = len(epochs) == most_epochs or len(frames) == most_frames
        if len(frames) == most_frames:
            epochs = _with_their_frames(epochs, frames[-1].epoch)
        return UnreportedPart(generation, place, tuple(epochs), tuple(frames), has_more)

    def _epochs_after(self, session: Session, place: ReportPlace, most: int) -> list[EpochFigures]:
        wanted = select(Epoch).where(stands(session, Epoch), Epoch.epoch > place.epoch)
        return [self._figures(row) for row in session.scalars(wanted.order_by(Epoch.epoch).limit(most))]

    def _frames_after(
        self, session: Session, place: ReportPlace, until: int, most: int
    ) -> list[ReportedFrame]:
        is_new = (Frame.epoch > place.frame) & Frame.epoch.not_in(place.shown) & (Frame.epoch <= until)
        wanted = select(Frame).where(stands(session, Frame), may_be_shown(), is_new)
        rows = session.scalars(wanted.order_by(Frame.epoch).limit(most))
        return [ReportedFrame(row.epoch, self.frames / row.file) for row in rows]

    def _figures(self, row: Epoch) -> EpochFigures:
        schedule = self.schedule
        rate = linear_schedule(
            row.epoch - 1,
            peak=schedule.peak_lr,
            warmup=schedule.warmup_epochs,
            total=schedule.total_epochs,
        )
        return EpochFigures(
            row.epoch, row.time, row.loss, row.samples, row.peers, row.seconds, row.traffic, rate
        )


def _still_standing(session: Session, place: ReportPlace) -> ReportPlace:
    """Return ``place``, or an earlier one if a later generation began at or before its epoch."""
    first = session.scalar(select(func.min(Epoch.epoch)).where(Epoch.generation > place.generation))
    return place if first is None else place.before(first)


def _with_their_frames(epochs: list[EpochFigures], last: int) -> list[EpochFigures]:
    """Return the first epoch, and those up to the ``last`` frame's: later ones wait until their frames are read."""
    return [figures for number, figures in enumerate(epochs) if number == 0 or figures.epoch <= last]
