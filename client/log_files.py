"""Reads log files as they lie on the disk: their last lines, and the lines that are appended to them."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.children import logs
from core.errors import CoreError

_BLOCK = 64 * 1024


class NoLogs(CoreError):
    """There is no log file to show."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        """Tell that ``folder`` has no log of those ``names``; empty stands for any."""
        wanted = f" named {' or '.join(names)}" if names else ""
        super().__init__(
            f"There is no log{wanted} in {folder}.", "Logs appear once a process of Idlebrush has run."
        )


def found(folder: Path, names: Sequence[str] = ()) -> tuple[Path, ...]:
    """Return the current log files of a folder, oldest change first.

    Args:
        folder: Where processes keep their logs.
        names: Names without ``.log``; empty for all.
    """
    files = [path for path in folder.glob("*.log") if not names or path.stem in names]
    return tuple(sorted(files, key=_changed))


def _changed(path: Path) -> float:
    """Return the time of a file's last change in Unix seconds; 0.0 if it was renamed meanwhile, as logs are."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def last_lines(path: Path, count: int) -> list[str]:
    """Return the last lines of a log, read from its end.

    Lines of its earlier file precede them if a new one was begun lately.

    Args:
        path: A log file; of one that has vanished there are the lines of its earlier file, if any.
        count: The number of lines, at least 1.
    """
    return _with_earlier(path, _lines(path, count)[0], count)


@dataclass
class LogFollower:
    """Follows one log file while it grows, is rotated, or is emptied."""

    path: Path
    _place: int = field(default=0, init=False)
    _file: int = field(default=0, init=False)
    """Inode of the file that `_place` belongs to: a rotated log is another file."""

    def skip(self, count: int) -> list[str]:
        """Go to the end of the log, and return its last ``count`` lines."""
        lines, self._place, self._file = _lines(self.path, count)
        return _with_earlier(self.path, lines, count)

    def new_lines(self) -> Iterator[str]:
        """Yield the whole lines that came since the last call, after the unread rest of a rotated log."""
        try:
            with self.path.open("rb") as log:
                unread = self._return_to_start_if_renewed(os.fstat(log.fileno()))
                log.seek(self._place)
                appended = log.read()
        except FileNotFoundError:
            return
        whole = appended[: appended.rfind(b"\n") + 1]
        self._place += len(whole)
        yield from _decoded(unread)
        yield from _decoded(whole)

    def _return_to_start_if_renewed(self, status: os.stat_result) -> bytes:
        """Go to the start of a log that was rotated or emptied; return what was not read of a rotated one.

        What was not read of an emptied one is lost.
        """
        if status.st_ino == self._file and status.st_size >= self._place:
            return b""
        unread = _rest(logs.earlier(self.path), self._file, self._place)
        self._file, self._place = status.st_ino, 0
        return unread


def _rest(path: Path, file: int, place: int) -> bytes:
    """Return the bytes from ``place`` on if the file at ``path`` has the inode ``file``, else none."""
    try:
        with path.open("rb") as log:
            if os.fstat(log.fileno()).st_ino != file:
                return b""
            log.seek(place)
            return log.read()
    except FileNotFoundError:
        return b""


def _with_earlier(path: Path, lines: list[str], count: int) -> list[str]:
    """Add lines of the earlier file before those of the current one, up to ``count``."""
    missing = count - len(lines)
    return _lines(logs.earlier(path), missing)[0] + lines if missing > 0 else lines


def _lines(path: Path, count: int) -> tuple[list[str], int, int]:
    """Return the last lines, the place after the last whole one, and the file's inode."""
    try:
        with path.open("rb") as log:
            status = os.fstat(log.fileno())
            place, tail = status.st_size, b""
            while place > 0 and tail.count(b"\n") <= count:
                step = min(_BLOCK, place)
                place -= step
                log.seek(place)
                tail = log.read(step) + tail
    except FileNotFoundError:
        return [], 0, 0
    whole = tail[: tail.rfind(b"\n") + 1]
    return _decoded(whole)[-count:], place + len(whole), status.st_ino


def _decoded(lines: bytes) -> list[str]:
    return lines.decode("utf-8", "replace").splitlines()
