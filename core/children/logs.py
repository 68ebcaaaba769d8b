"""Log files that stay small, can be read by their owner alone, and hold no token.

The daemon's own log rotates as it is written. The log of a child process is opened by others, for appending:
it is rotated before the child starts, and copied and emptied while the child runs.
"""

import importlib
import logging
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from core.storage import moving

_log = logging.getLogger(__name__)

LARGEST = 4 * 1000 * 1000
"""Largest size of a file, in bytes."""
KEPT = 3
"""Files of earlier times, beside the current one."""
FORMAT = "%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s: %(message)s"
_TIME = "%Y-%m-%dT%H:%M:%S"
_REST = 60.0
_OWNER_ONLY = 0o600
_APPENDING = os.O_WRONLY | os.O_CREAT | os.O_APPEND
_SECRET = re.compile(
    r"hf_[\w.~+/=-]{4,}|(?<=bearer )[\w.~+/=-]+|\beyJ[\w-]+\.[\w.-]+|(?<=://)[^\s/?#@]+(?=@)", re.IGNORECASE
)
"""Matches tokens of the Hub, any word after ``Bearer``, signed tokens such as access tokens, and the user name and
password of an address."""


def redacted(text: str) -> str:
    """Return ``text`` without anything that looks like a token.

    This is the last defence, as no token should get here.
    """
    return _SECRET.sub("[secret]", text)


TO_STDERR = "IDLEBRUSH_LOG_TO_STDERR"
"""Variable of a daemon in the foreground, whose log a container engine or a service manager keeps as well."""


def on_stderr() -> logging.Handler:
    """Return a handler that writes the lines of the log to standard error too, redacted."""
    handler = logging.StreamHandler()
    handler.setFormatter(Redacting())
    return handler


class Redacting(logging.Formatter):
    """Lines with times in UTC, each redacted as a whole, tracebacks included."""

    def __init__(self) -> None:
        super().__init__(FORMAT, _TIME)
        self.converter = time.gmtime

    def format(self, record: logging.LogRecord) -> str:
        """Format ``record``, and redact the result; hivemind, once imported, names warnings otherwise."""
        if record.levelno == logging.WARNING:
            record.levelname = "WARNING"
        return redacted(super().format(record))


class OwnLog(RotatingFileHandler):
    """The log of this process; a full disk loses lines, and nothing else."""

    def __init__(self, path: Path, largest: int = LARGEST, kept: int = KEPT, rest: float = _REST) -> None:
        """Append to the log at ``path``, which is opened at once.

        A file that would grow beyond ``largest`` bytes is renamed, and a new one begins; ``kept`` renamed files
        stay. ``rest`` seconds pass after a rename that failed before the next. Raises OSError if the log cannot be
        opened.
        """
        super().__init__(path, maxBytes=largest, backupCount=kept, encoding="utf-8")
        self.setFormatter(Redacting())
        self._rest, self._rests_until = rest, float("-inf")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Ignore an error while ``record`` was written.

        Standard error may be a file on the same disk, so nothing is written there.
        """

    def doRollover(self) -> None:  # noqa: N802
        """Begin a new file, or go on with the old one while a program keeps it from being renamed, as on Windows."""
        path = Path(self.baseFilename)
        if self.stream:
            self.stream.close()
        try:
            _shift(path, self.backupCount)
            moving.replace(path, earlier(path))
        except OSError:
            self._rests_until = time.monotonic() + self._rest  # each attempt may take `moving.PATIENCE`
        self.stream = self._open()

    def shouldRollover(self, record: logging.LogRecord) -> bool:  # noqa: N802
        """Return true if ``record`` would make the file too large, unless a rename has failed lately."""
        return time.monotonic() >= self._rests_until and bool(super().shouldRollover(record))

    def _open(self) -> TextIOWrapper:
        file = os.open(self.baseFilename, _APPENDING, _OWNER_ONLY)
        return TextIOWrapper(os.fdopen(file, "ab"), encoding="utf-8", errors="backslashreplace")


@contextmanager
def appending(path: Path, *, emptied: bool = False) -> Iterator[int]:
    """Within the context, have the log at ``path`` open for a child's standard error; yield the descriptor.

    Each write goes to the end of the file, also after `bound` has emptied it. Folder and file are made if need
    be, for their owner alone. Raises OSError if they cannot be made.

    Args:
        path: File of the log.
        emptied: Whether what it held before goes away.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if emptied:
        os.close(_create(path))
    log = _open_appending(path) if os.name == "nt" else os.open(path, _APPENDING, _OWNER_ONLY)
    try:
        yield log
    finally:
        os.close(log)


def _open_appending(path: Path) -> int:
    """Open a file so that Windows itself appends: O_APPEND is the C library's, and a child does not inherit it."""
    from core.children.windows.win32 import Win32

    runtime = importlib.import_module("msvcrt")  # of Windows alone, where no type checker runs
    return int(runtime.open_osfhandle(Win32.of_system().open_appending(path), os.O_APPEND | os.O_WRONLY))


@contextmanager
def kept_in(path: Path, *packages: str) -> Iterator[None]:
    """Within the context, write what ``packages`` log at `level` to the file at ``path``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handler = OwnLog(path)
    loggers = [logging.getLogger(package) for package in packages]
    before = [each.level for each in loggers]
    for each in loggers:
        each.addHandler(handler)
        each.setLevel(level())
    try:
        yield
    finally:
        for each, former in zip(loggers, before, strict=True):
            each.removeHandler(handler)
            each.setLevel(former)
        handler.close()


VERBOSE_VARIABLE = "IDLEBRUSH_VERBOSE"
"""Name of the environment variable that makes processes log at the level DEBUG as well; children inherit it."""
_LOGGERS = ("core", "client", "coordinator", "__main__")
"""Our packages, and the module that is run as a program, which has another name then."""


def level() -> int:
    """Return the level at which our packages log: INFO, or DEBUG if the user asked for more."""
    return logging.DEBUG if os.environ.get(VERBOSE_VARIABLE) else logging.INFO


def to_standard_error() -> None:
    """Log our packages to standard error, which a child's supervisor keeps in a file.

    Processes forked later (DHT, averager) inherit it. Libraries keep the handlers that they make for themselves.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacting())
    for package in _LOGGERS:
        logger = logging.getLogger(package)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level())


def rotate(path: Path, largest: int = LARGEST) -> None:
    """Begin a new file if the log at ``path``, which no process has open, has more than ``largest`` bytes.

    `KEPT` earlier files stay. An OSError is only logged.
    """
    with _keeping_on(path):
        if _size(path) > largest:
            _shift(path)
            moving.replace(path, earlier(path))


def bound(path: Path, largest: int = LARGEST) -> None:
    """Copy the log at ``path`` and empty it if it has more than ``largest`` bytes; `KEPT` copies stay.

    Processes may append to it meanwhile, but lines that are written during the copy, some milliseconds, may
    be lost. Without space for the copy the log is emptied all the same. An OSError is only logged.
    """
    with _keeping_on(path):
        if _size(path) > largest:
            _shift(path)
            _copy(path, earlier(path))
            os.truncate(path, 0)


def earlier(path: Path, number: int = 1) -> Path:
    """Return the file that keeps what the log at ``path`` held before; ``number`` 1 is the newest of them."""
    return path.with_name(f"{path.name}.{number}")


@contextmanager
def _keeping_on(path: Path) -> Iterator[None]:
    """Log an OSError as a warning: a log must not end the process."""
    try:
        yield
    except OSError as error:
        _log.warning("%s cannot be kept short: %s", path, error)


def _copy(path: Path, place: Path) -> None:
    try:
        with path.open("rb") as log, os.fdopen(_create(place), "wb") as file:
            shutil.copyfileobj(log, file)
    except OSError:
        moving.remove(place)


def _shift(path: Path, kept: int = KEPT) -> None:
    for number in range(kept - 1, 0, -1):
        if (old := earlier(path, number)).exists():
            moving.replace(old, earlier(path, number + 1))


def _create(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _OWNER_ONLY)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
