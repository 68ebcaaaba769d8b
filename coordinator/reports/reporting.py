"""Reports what is new to each place, and goes on where a place fails: a report never ends what the swarm does."""

import logging
from collections.abc import Sequence
from pathlib import Path

from coordinator.reports.epochs import EpochFigures, RecordedRun, UnreportedPart
from coordinator.reports.frames import ReportedFrame, ReportedPicture
from coordinator.reports.place import KeptPlaces
from coordinator.reports.sink import ReportSink

_log = logging.getLogger(__name__)

_MOST_EPOCHS = 500
"""Epochs of one turn; a run that was begun before reports were asked for has many."""
_MOST_FRAMES = 20
"""Frames of one turn, which are read one by one."""
_LOOK_SECONDS = 5.0
"""Seconds between two looks at the database."""
_AGAIN_SECONDS = 60.0
"""Seconds until a place that failed is tried again."""


class Reporting:
    """Reports one run to several places, each on its own."""

    def __init__(self, run: RecordedRun, kept: KeptPlaces, sinks: Sequence[ReportSink]) -> None:
        self._run, self._kept, self._sinks = run, kept, sinks
        self._begun: dict[str, int] = {}
        """Generations with which sinks have begun, by their names."""
        self._faults: dict[str, str] = {}
        """The last error of each sink that fails now, which is in the log once."""
        self._unreadable: set[Path] = set()
        """Files of frames that the log names as unreadable."""

    def turn(self) -> float:
        """Report what is new, and return the seconds until the next turn.

        Raises DatabaseError while the run cannot be read.
        """
        has_more = [self._attempt(sink) for sink in self._sinks]
        if any(has_more):
            return 0.0
        return _AGAIN_SECONDS if self._faults else _LOOK_SECONDS

    def close(self) -> None:
        """End all places; what fails then is in the log."""
        for sink in self._sinks:
            self._give_up(sink)

    def _attempt(self, sink: ReportSink) -> bool:
        """Report to one place; return true if there may be more at once."""
        part = self._run.unreported(self._kept.of(sink.name, sink.target), _MOST_EPOCHS, _MOST_FRAMES)
        if not part.epochs and not part.frames:
            return False
        try:
            self._report(sink, part)
        except Exception as error:  # noqa: BLE001 - whatever a library raises, the run goes on
            self._note_fault(sink, error)
            return False
        if self._faults.pop(sink.name, None):
            _log.info("Reports to %s arrive again.", sink.name)
        return part.has_more

    def _report(self, sink: ReportSink, part: UnreportedPart) -> None:
        self._begin(sink, part.generation, part.place.epoch + 1)
        for item in part.in_order():
            if isinstance(item, EpochFigures):
                sink.write(item)
            elif (picture := self._picture(item)) is not None:
                sink.show(picture)
        sink.flush()
        self._kept.keep(sink.name, part.place_after())

    def _picture(self, frame: ReportedFrame) -> ReportedPicture | None:
        """Return the picture of a frame; none if its file has none any more, which is in the log once."""
        try:
            return frame.picture()
        except (OSError, ValueError) as error:
            if frame.file not in self._unreadable:
                _log.warning("Reports go on without the picture of epoch %d: %s.", frame.epoch, error)
            self._unreadable.add(frame.file)
            return None

    def _begin(self, sink: ReportSink, generation: int, epoch: int) -> None:
        if self._begun.get(sink.name) != generation:
            sink.begin(generation, epoch)
            self._begun[sink.name] = generation

    def _note_fault(self, sink: ReportSink, error: Exception) -> None:
        """Log once what went wrong; the next attempt begins again."""
        words = str(error) or type(error).__name__
        if self._faults.get(sink.name) != words:
            _log.warning(
                "Reports to %s (%s) fail, and are tried again every minute: %s. %s",
                sink.name,
                sink.target,
                words.rstrip("."),
                sink.remedy,
            )
        self._faults[sink.name] = words
        self._give_up(sink)

    def _give_up(self, sink: ReportSink) -> None:
        self._begun.pop(sink.name, None)
        try:
            sink.close()
        except Exception as error:  # noqa: BLE001 - it is given up in any case
            _log.debug("%s did not end in order: %s", sink.name, error)
