"""What a coordinator's recorder leaves for its reporter, and a place to report to that writes down what it gets."""

import io
from datetime import timedelta
from pathlib import Path

from PIL import Image
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from coordinator.database.connect import Database
from coordinator.database.tables import Epoch, Frame
from coordinator.reports.epochs import EpochFigures, RecordedRun
from coordinator.reports.frames import ReportedPicture
from coordinator.reports.place import KeptPlaces
from coordinator.reports.reporting import Reporting
from coordinator.reports.sink import ReportSink
from coordinator.reports.tensorboard import TensorBoardSink
from core.run.rules import ScheduleRules
from tests.coordinator.homes import NOW

SCHEDULE = ScheduleRules(peak_lr=0.1, warmup_epochs=10, total_epochs=100)


class RecordedCoordinator:
    """What a coordinator's recorder leaves, and its reporter reads."""

    def __init__(self, folder: Path, database: Database) -> None:
        self.folder, self.database = folder, database
        self.events = folder / "tensorboard"

    def commit(self, *epochs: int, generation: int = 0, loss: float | None = None) -> None:
        with self.database.session() as session:
            for epoch in epochs:
                session.merge(
                    Epoch(
                        generation=generation,
                        epoch=epoch,
                        time=NOW + timedelta(seconds=4 * epoch),
                        loss=5.0 - epoch / 8 if loss is None else loss,
                        samples=64,
                        peers=2,
                        seconds=4.0,
                        root="ab" * 32,
                        traffic=None,
                    )
                )

    def draw(self, epoch: int, generation: int = 0) -> None:
        written = io.BytesIO()
        Image.new("RGB", (24, 16), (epoch, 0, 0)).save(written, "WEBP")
        file = self.folder / f"frame-{generation}-{epoch}.webp"
        file.write_bytes(written.getvalue())
        row = Frame(
            generation=generation, epoch=epoch, sha256="ab" * 32, size=1, file=file.name, peer_id="12D3KooW"
        )
        with self.database.session() as session:
            session.merge(row)

    def reporting(self, *sinks: ReportSink) -> Reporting:
        """A reporter that has just started."""
        run = RecordedRun(self.database, SCHEDULE, self.folder)
        kept = KeptPlaces(self.folder / "reports.json")
        return Reporting(run, kept, sinks or (TensorBoardSink(self.events),))

    def report(self) -> None:
        """A whole life of the reporter."""
        reporting = self.reporting()
        while reporting.turn() == 0.0:
            pass
        reporting.close()

    def read(self) -> EventAccumulator:
        return EventAccumulator(str(self.events), size_guidance={"scalars": 0, "images": 0}).Reload()

    def steps(self, name: str = "loss") -> list[int]:
        return [point.step for point in self.read().Scalars(f"epoch/{name}")]

    def losses(self) -> dict[int, float]:
        return {point.step: point.value for point in self.read().Scalars("epoch/loss")}


class RecordedPlace:
    """A place that may be away for a while, between one write and the next."""

    name, target, remedy = "A place", "there", "Wait."

    def __init__(self, *, is_away: bool = False) -> None:
        self.is_away = is_away
        self.begun: list[tuple[int, int]] = []
        self.written: list[int] = []
        self.items: list[str] = []

    def begin(self, generation: int, epoch: int) -> None:
        self.begun.append((generation, epoch))

    def write(self, figures: EpochFigures) -> None:
        if self.is_away and figures.epoch == 2:
            raise ConnectionError("it is away")
        self.written.append(figures.epoch)
        self.items.append(f"epoch {figures.epoch}")

    def show(self, picture: ReportedPicture) -> None:
        self.items.append(f"picture {picture.epoch}")

    def flush(self) -> None: ...

    def close(self) -> None:
        if self.is_away:
            raise RuntimeError("it does not even end")
