"""Temporary folder of a guard, locked while that guard lives, and removal of those that killed guards left behind.

Standard library only. A lock tells a living guard from a dead one where a process id cannot: ids are used again, and
containers that share a folder number their processes alike. The kernel drops the lock with the process.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir, mkdtemp

from core.storage.file_lock import lock

_PREFIX = "idlebrush-"
_ANY_GUARD = f"{_PREFIX}[0-9]*-*"


@contextlib.contextmanager
def own_folder() -> Iterator[str]:
    """Make this guard's folder, yield its path, and remove it with its content at the end."""
    folder, lock = _locked_folder()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def folders_of(guard: int) -> list[Path]:
    """Return the temporary folders made by the guard with the process id ``guard``."""
    return list(Path(gettempdir()).glob(f"{_PREFIX}{guard}-*"))


def remove_left_behind(guard: int | None = None) -> None:
    """Remove folders that no living guard has locked.

    ``guard`` is the process id of the guard that made them; None: any guard.
    """
    folders = Path(gettempdir()).glob(_ANY_GUARD) if guard is None else folders_of(guard)
    for folder in folders:
        with contextlib.suppress(OSError):  # of another user, locked, or removed by another guard meanwhile
            lock = _hold(folder)
            try:
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def _locked_folder() -> tuple[str, int | None]:
    """Make folders until one is locked before another guard has taken it for one that was left behind."""
    while True:
        folder = mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-")
        try:
            return folder, _hold(Path(folder))
        except (BlockingIOError, FileNotFoundError):
            continue
        except OSError:  # a file system without locks: no other process can lock and remove it either
            return folder, None


def _hold(folder: Path) -> int:
    """Lock a folder of this user and return the descriptor that holds the lock.

    Raises:
        BlockingIOError: Another process has locked it.
        OSError: It is gone, belongs to another user, or cannot be locked.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        lock(descriptor)
        locked, named = os.fstat(descriptor), folder.lstat()
        if locked.st_ino != named.st_ino:
            raise FileNotFoundError(folder)
        if locked.st_uid != os.getuid():
            raise PermissionError(folder)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor
