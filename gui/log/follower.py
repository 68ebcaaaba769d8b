"""Follows one log file: reads and parses new lines beside the event loop."""

import os
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from PySide6.QtCore import QObject, QTimer, Signal

from gui.background import Background, FileFault
from gui.log.lines import Level, LogLine, parse_all

WINDOW = 1 << 20
"""Number of bytes before the end of a file at which reading starts."""
PIECE = 32 * 1024
"""Number of bytes read at a time."""
_EVERY_MS = 700
_Read = tuple[list[LogLine], bool]
"""New lines, and whether the end of the file was reached."""


@dataclass(frozen=True)
class Piece:
    """The result of one read."""

    lines: tuple[str, ...] = ()
    is_last: bool = True
    """True if the end of the file was reached."""


class Tail:
    """Reads the new lines of one file, which stays closed between reads; for one thread at a time."""

    def __init__(self, path: Path, window: int = WINDOW, piece: int = PIECE) -> None:
        self._path, self._window, self._piece = path, window, piece
        self._file: int | None = None
        """Inode of the file; None before the first read."""
        self._place = 0
        self._rest = b""
        self._is_cut = False
        """True if the first line is to be dropped, because reading started within it."""

    def read(self) -> Piece:
        """Read the next lines; none if the file does not exist. Raises OSError."""
        try:
            with ExitStack() as opened:
                file, is_rotated = self._next(opened)
                file.seek(self._place)
                data = file.read(self._piece)
        except FileNotFoundError:
            return Piece()
        self._place += len(data)
        return Piece(self._lines(data), len(data) < self._piece and not is_rotated)

    def _next(self, opened: ExitStack) -> tuple[BinaryIO, bool]:
        """Open the file that has the next lines, and find the place there; true: it was rotated.

        Reading begins near the end of the first file, and at the start of those that follow it.
        """
        file = opened.enter_context(self._path.open("rb"))
        status = os.fstat(file.fileno())
        if self._file is None:
            self._place = max(0, status.st_size - self._window)
            self._is_cut = self._place > 0
        elif self._file != status.st_ino or status.st_size < self._place:
            if (rotated := self._rotated(opened)) is not None:
                return rotated, True
            self._place, self._rest, self._is_cut = 0, b"", False
        self._file = status.st_ino
        return file, False

    def _rotated(self, opened: ExitStack) -> BinaryIO | None:
        """Open what the followed file has become by its rotation; None if there is none, or all of it was read."""
        try:
            file = opened.enter_context(self._path.with_name(f"{self._path.name}.1").open("rb"))
        except FileNotFoundError:
            return None
        status = os.fstat(file.fileno())
        return file if status.st_ino == self._file and status.st_size > self._place else None

    def _lines(self, data: bytes) -> tuple[str, ...]:
        *whole, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > self._piece:  # Idlebrush writes no such line; it is shown in parts
            whole.append(self._rest)
            self._rest = b""
        if self._is_cut and whole:
            del whole[0]
            self._is_cut = False
        return tuple(line.decode(errors="replace").removesuffix("\r") for line in whole)


def log_files(folder: Path) -> tuple[Path, ...]:
    """Return the log files of a folder by name, each before its rotated ones; none if the folder cannot be read."""
    try:
        found = [path for path in folder.iterdir() if path.suffix == ".log" or ".log." in path.name]
        return tuple(sorted(path for path in found if path.is_file()))
    except OSError:
        return ()


class Follower(QObject):
    """Reads one piece at a time, so that others have their turn between pieces of a long file."""

    came = Signal(object)
    """Emitted with a list of new `LogLine`."""
    failed = Signal(str)
    """Emitted with the reason why the file cannot be read; reading is retried."""

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
        """Follow a file from near its end; None follows nothing."""
        self._source = _Source(path) if path else None
        self._look()

    def set_awake(self, awake: bool) -> None:
        """Read only while the page is visible."""
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

    def _fail(self, source: "_Source", error: FileFault) -> None:
        source.is_read = False
        if source is self._source:
            self.failed.emit(error.strerror if isinstance(error, OSError) and error.strerror else str(error))


class _Source:
    """A file, and the level of its last line."""

    def __init__(self, path: Path) -> None:
        self._tail, self._before = Tail(path), Level.INFO
        self.is_read = False
        """True while a thread reads the file."""

    def read(self) -> _Read:
        piece = self._tail.read()
        lines = list(parse_all(piece.lines, self._before))
        if lines:
            self._before = lines[-1].level
        return lines, piece.is_last
