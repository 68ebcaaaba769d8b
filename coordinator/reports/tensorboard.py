"""Reports a run to a folder of event files, which TensorBoard shows; by its own writer, without PyTorch.

Each beginning is noted in a file of its own: TensorBoard then hides what earlier files have of that epoch and later
ones. So neither a crash between two writes nor a rollback leaves an epoch twice. TensorBoard reads the files in the
order of their names. A name therefore has a number above those before, even if the clock was set back.
"""

import io
import re
import time
from pathlib import Path
from typing import Any

from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter

from coordinator.reports.epochs import EpochFigures
from coordinator.reports.frames import ReportedPicture

_VERSION = "brain.Event:2"
"""Version of event files, the first record of each."""
_FILE = re.compile(r"events\.out\.tfevents\.(\d{10})\.idlebrush")
_PICTURE = "pictures"
_COLOURS = 3
"""TensorBoard's number for pictures of red, green and blue."""


class TensorBoardSink:
    """Writes into one folder."""

    name = "TensorBoard"
    remedy = "See that the disk has space and that the folder can be written to."

    def __init__(self, folder: Path) -> None:
        self.target, self._folder = str(folder), folder
        self._writer: Any = None

    def begin(self, generation: int, epoch: int) -> None:
        """Begin a new event file, by which what was written of this epoch and later ones is void."""
        self.close()
        self._folder.mkdir(parents=True, exist_ok=True)
        self._writer = RecordWriter(self._next_file().open("xb"))
        now = time.time()
        self._record(Event(wall_time=now, file_version=_VERSION))
        start = SessionLog(status=SessionLog.START)
        self._record(Event(wall_time=now, step=epoch, session_log=start))

    def write(self, figures: EpochFigures) -> None:
        """Write the figures of an epoch, each as a scalar."""
        values = [
            Summary.Value(tag=f"epoch/{name}", simple_value=value)
            for name, value in figures.scalars().items()
        ]
        self._add(figures.epoch, figures.time.timestamp(), values)

    def show(self, picture: ReportedPicture) -> None:
        """Write a picture as PNG, which TensorBoard reads."""
        image, written = picture.image, io.BytesIO()
        image.save(written, "PNG")
        value = Summary.Image(
            height=image.height,
            width=image.width,
            colorspace=_COLOURS,
            encoded_image_string=written.getvalue(),
        )
        self._add(picture.epoch, picture.seconds, [Summary.Value(tag=_PICTURE, image=value)])

    def flush(self) -> None:
        """Write what is in memory to the file."""
        if self._writer is not None:
            self._writer.flush()

    def close(self) -> None:
        """Close the file; nothing happens if none is open."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    def _add(self, step: int, seconds: float, values: list[Any]) -> None:
        self._record(Event(wall_time=seconds, step=step, summary=Summary(value=values)))

    def _record(self, event: Any) -> None:
        self._writer.write(event.SerializeToString())

    def _next_file(self) -> Path:
        """Return the path of a new file, which TensorBoard reads after the earlier ones."""
        names = (_FILE.fullmatch(file.name) for file in self._folder.iterdir())
        newest = max((int(name[1]) for name in names if name), default=0)
        return self._folder / f"events.out.tfevents.{max(int(time.time()), newest + 1):010d}.idlebrush"
