"""Log files that stay small, belong to their owner, and hold no token, whoever writes to them.

The daemon's own log rotates as it is written. What a child process writes to is opened by others, for appending:
it is rotated before the child starts, and copied and emptied while the child runs.
"""

import logging
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

_log = logging.getLogger(__name__)

LARGEST = 4 * 1000 * 1000
"""Bytes, of one file."""
KEPT = 3
"""Files of earlier times, beside the current one."""
FORMAT = "%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s: %(message)s"
_TIME = "%Y-%m-%dT%H:%M:%S"
_OWNER_ONLY = 0o600
_SECRET = re.compile(r"hf_[\w.~+/=-]{4,}|(?<=bearer )[\w.~+/=-]+|\beyJ[\w-]+\.[\w.-]+", re.IGNORECASE)
"""Tokens of the Hub, whatever follows ``Bearer``, and signed tokens such as those for access to a swarm."""


def redacted(text: str) -> str:
    """The text without what looks like a token: the last defence, as none should get here."""
    return _SECRET.sub("[secret]", text)


class Redacting(logging.Formatter):
    """Lines with times in UTC, each redacted as a whole, tracebacks included."""

    def __init__(self) -> None:
        super().__init__(FORMAT, _TIME)
        self.converter = time.gmtime

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))


class OwnLog(RotatingFileHandler):
    """The log of this process; a full disk loses lines, and nothing else."""

    def __init__(self, path: Path, largest: int = LARGEST, kept: int = KEPT) -> None:
        super().__init__(path, maxBytes=largest, backupCount=kept, encoding="utf-8")
        self.setFormatter(Redacting())

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Standard error may be a file on the same disk, so nothing is written there."""

    def _open(self) -> TextIOWrapper:
        file = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _OWNER_ONLY)
        return TextIOWrapper(os.fdopen(file, "ab"), encoding="utf-8", errors="backslashreplace")


def rotate(path: Path, largest: int = LARGEST, kept: int = KEPT) -> None:
    """Begin a new file if the current one has grown; for a log that no process has open."""
    with _keeping_on(path):
        if _size(path) > largest:
            _shift(path, kept)
            path.replace(_numbered(path, 1))


def bound(path: Path, largest: int = LARGEST, kept: int = KEPT) -> None:
    """Copy a log that has grown and empty it, while processes append to it; takes some milliseconds.

    Lines that are written meanwhile may be lost. Without space for the copy the log is emptied all the same.
    """
    with _keeping_on(path):
        if _size(path) > largest:
            _shift(path, kept)
            _copy(path, _numbered(path, 1))
            os.truncate(path, 0)


@contextmanager
def _keeping_on(path: Path) -> Iterator[None]:
    """No log is worth ending for."""
    try:
        yield
    except OSError as error:
        _log.warning("%s cannot be kept short: %s", path, error)


def _copy(path: Path, place: Path) -> None:
    try:
        with path.open("rb") as log, os.fdopen(_create(place), "wb") as file:
            shutil.copyfileobj(log, file)
    except OSError:
        place.unlink(missing_ok=True)


def _shift(path: Path, kept: int) -> None:
    for number in range(kept - 1, 0, -1):
        if (old := _numbered(path, number)).exists():
            old.replace(_numbered(path, number + 1))


def _numbered(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.{number}")


def _create(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _OWNER_ONLY)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
