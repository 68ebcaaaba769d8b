"""The end of a log file that others write to, in pieces: rotated, emptied or removed, it is followed all the same."""

import os
from dataclasses import dataclass
from pathlib import Path

WINDOW = 1 << 20
"""Bytes before the file's end from which it is read on."""
PIECE = 32 * 1024
"""Bytes that are read at a time."""


@dataclass(frozen=True)
class Piece:
    """What one look has brought."""

    lines: tuple[str, ...] = ()
    is_last: bool = True
    """Whether there was no more to read then."""


class Tail:
    """Of one file, which stays closed between looks; for one thread at a time."""

    def __init__(self, path: Path, window: int = WINDOW, piece: int = PIECE) -> None:
        self._path, self._window, self._piece = path, window, piece
        self._file: int | None = None
        """Its number on the disk; None before the first look at it."""
        self._place = 0
        self._rest = b""
        self._is_cut = False
        """Whether the first line is to be left out, as reading began within it."""

    def read(self) -> Piece:
        """The next lines; OSError where it cannot be read, but for a file that is not there (yet)."""
        try:
            with self._path.open("rb") as file:
                self._find_place(os.fstat(file.fileno()))
                file.seek(self._place)
                data = file.read(self._piece)
        except FileNotFoundError:
            return Piece()
        self._place += len(data)
        return Piece(self._lines(data), len(data) < self._piece)

    def _find_place(self, status: os.stat_result) -> None:
        """Where to go on: near the end at first, and at the start of a file that is a new one."""
        if self._file is None:
            self._place = max(0, status.st_size - self._window)
            self._is_cut = self._place > 0
        elif self._file != status.st_ino or status.st_size < self._place:
            self._place, self._rest, self._is_cut = 0, b"", False
        self._file = status.st_ino

    def _lines(self, data: bytes) -> tuple[str, ...]:
        *whole, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > self._piece:  # no line of ours: it is shown in parts
            whole.append(self._rest)
            self._rest = b""
        if self._is_cut and whole:
            del whole[0]
            self._is_cut = False
        return tuple(line.decode(errors="replace") for line in whole)


def log_files(folder: Path) -> tuple[Path, ...]:
    """The log files of a folder by name, each before those that it was rotated to; none if it cannot be read."""
    try:
        found = [path for path in folder.iterdir() if path.suffix == ".log" or ".log." in path.name]
        return tuple(sorted(path for path in found if path.is_file()))
    except OSError:
        return ()
