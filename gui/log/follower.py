"""Follows one log file while somebody looks: reads and takes apart what is new, beside the event loop."""

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from gui.background import Background, Fault
from gui.log.lines import Level, LogLine, parse_all
from gui.log.tail import Tail

_EVERY_MS = 700
_Read = tuple[list[LogLine], bool]
"""New lines, and whether there are no more for now."""


class Follower(QObject):
    """One look at a time; between pieces of a long file others have their turn."""

    came = Signal(object)
    """A list of new `LogLine`."""
    failed = Signal(str)
    """Why the file cannot be read; it is tried again."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self)
        self._source: _Source | None = None
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self._look)

    @property
    def is_awake(self) -> bool:
        return self._timer.isActive()

    def follow(self, path: Path | None) -> None:
        """From near the file's end on; None: nothing."""
        self._source = _Source(path) if path else None
        self._look()

    def set_awake(self, awake: bool) -> None:
        """Whether anybody looks."""
        if awake:
            self._timer.start()
            self._look()
        else:
            self._timer.stop()

    def _look(self) -> None:
        source = self._source
        if source is None or source.is_read or not self.is_awake:
            return
        source.is_read = True
        self._background.run(
            source.read, lambda read: self._take(source, read), lambda error: self._fail(source, error)
        )

    def _take(self, source: "_Source", read: _Read) -> None:
        source.is_read = False
        if source is not self._source:
            return
        lines, is_last = read
        if lines:
            self.came.emit(lines)
        if not is_last:
            self._look()

    def _fail(self, source: "_Source", error: Fault) -> None:
        source.is_read = False
        if source is self._source:
            self.failed.emit(error.strerror if isinstance(error, OSError) and error.strerror else str(error))


class _Source:
    """A file, and what its next line continues."""

    def __init__(self, path: Path) -> None:
        self._tail, self._before = Tail(path), Level.INFO
        self.is_read = False
        """Whether a thread has it now."""

    def read(self) -> _Read:
        piece = self._tail.read()
        lines = list(parse_all(piece.lines, self._before))
        if lines:
            self._before = lines[-1].level
        return lines, piece.is_last
