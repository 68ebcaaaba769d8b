"""Ensures that a user has one daemon, by a lock that its process holds for life and the system releases.

The file stays where it is: only the lock counts, so the file of a killed daemon does no harm.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from client.api.errors import AlreadyRunning, ControlError
from core.storage.file_lock import lock, lock_within
from core.storage.files import read_bounded

_PATIENCE = 0.5
"""Seconds for the lock: a process that asks whether it is held takes it for an instant."""
_MAX_NUMBER = 32
"""Bytes that a process id may take in the file."""
_LOCK_TABLE = Path("/proc/locks")


def holder(path: Path) -> int | None:
    """Return the process that last took the lock, or None.

    Only an attempt to take the lock tells whether it is still held.
    """
    try:
        return int(read_bounded(path, _MAX_NUMBER))
    except (OSError, ValueError):
        return None


def is_held(path: Path) -> bool:
    """Return true if a process has the lock; the lock is taken for an instant to find out."""
    try:
        file = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        lock(file)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def holding(path: Path, table: Path = _LOCK_TABLE) -> int | None:
    """Return the process that holds the lock now, or None if nobody does or it cannot be told.

    The number in the file may be missing or another's: a process writes it after it has taken the lock, and a full
    disk takes none. Linux itself knows who holds a lock.

    Args:
        path: File of the lock.
        table: Linux's list of the locks that are held; other systems have none.
    """
    if not is_held(path):
        return None
    found = (pid for pid in (holder(path), *_listed(path, table)) if pid is not None and has_open(pid, path))
    return next(found, None)


def _listed(path: Path, table: Path) -> Iterator[int]:
    """Yield the processes that hold a lock of a file with the inode of this one."""
    with contextlib.suppress(OSError):
        inode = str(path.stat().st_ino)
        # such a line is `3: FLOCK  ADVISORY  WRITE 4711 00:2d:15342 0 EOF`
        for kind, _, _, pid, place in (line.split()[1:6] for line in table.read_text().splitlines()):
            if kind == "FLOCK" and place.rpartition(":")[2] == inode:
                yield int(pid)


def has_open(pid: int, path: Path) -> bool:
    """Return true if that process has that file open, and false if the process is another user's, or gone."""
    import psutil  # here because few ask

    try:
        return str(path.resolve()) in (file.path for file in psutil.Process(pid).open_files())
    except psutil.Error:
        return False


class DaemonLock:
    """Lock that one daemon holds from `acquire` until `release`, or until its process ends, however it does."""

    def __init__(self, path: Path, meets: Path) -> None:
        self._path = path
        self._meets = meets
        self._file: int | None = None

    def acquire(self) -> None:
        """Take the lock; AlreadyRunning names the process that has it."""
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise self._unusable(error) from error
        try:
            lock_within(file, _PATIENCE)
        except BlockingIOError as error:
            raise self._held() from error
        except OSError as error:
            raise self._unusable(error) from error
        else:
            self._file = file
            # what it holds is for people alone: a full disk must not keep the daemon from starting
            with contextlib.suppress(OSError):
                os.ftruncate(file, 0)
                os.write(file, f"{os.getpid()}\n".encode())
        finally:
            if self._file is None:
                os.close(file)

    def release(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def _held(self) -> AlreadyRunning:
        pid = holder(self._path)
        process = f"process {pid}" if pid else "a process that has just started"
        return AlreadyRunning(
            f"A daemon of yours runs already: {process}, which listens at {self._meets}.",
            "Use that one; `idlebrush quit` ends it.",
        )

    def _unusable(self, error: OSError) -> ControlError:
        return ControlError(
            f"The lock {self._path} cannot be used: {error.strerror or error}.",
            "Set IDLEBRUSH_HOME to a folder of yours on a disk of this computer.",
        )
