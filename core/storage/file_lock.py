"""Keeps other processes away while something on the disk is changed; the system releases locks of ended processes.

The file of a lock stays where it is: only its lock counts, so a file that was left does no harm.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

_FAR = 1 << 20
"""Position of the byte that Windows locks, as other processes cannot read bytes that are locked."""
_POLL = 0.02
"""Seconds between attempts; a wait without a limit could hang behind a process that was stopped."""


@contextmanager
def alone(
    path: Path,
    patience: float = 0.0,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[None]:
    """Hold the lock of a file within the context.

    Args:
        path: File of the lock, which is made if need be.
        patience: Seconds for which to wait while another process has the lock.
        clock: Returns the time in seconds.
        sleep: Waits for that many seconds.

    Raises:
        BlockingIOError: Another process has the lock for longer.
        OSError: The file cannot be opened.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        lock_within(file, patience, clock, sleep)
        yield
    finally:
        os.close(file)


def lock_within(
    file: int,
    patience: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Lock the open descriptor ``file`` until it is closed.

    Args:
        file: Descriptor of the file.
        patience: Seconds for which to wait while another process has the lock.
        clock: Returns the time in seconds.
        sleep: Waits for that many seconds.

    Raises:
        BlockingIOError: Another process has the lock for longer.
    """
    until = clock() + patience
    while True:
        try:
            return lock(file)
        except BlockingIOError:
            if clock() >= until:
                raise
        sleep(_POLL)


if sys.platform == "win32":
    import ctypes
    import msvcrt

    _LOCK_VIOLATION = 33
    """Windows' code of the error for a lock that another process has."""

    @cache
    def _kernel32() -> Any:
        library = ctypes.WinDLL("kernel32", use_last_error=True)
        library.LockFile.argtypes = (ctypes.c_void_p, *(ctypes.c_uint32,) * 4)
        return library

    def lock(file: int) -> None:
        """Lock the open descriptor ``file`` until it is closed; BlockingIOError where another process has it.

        `msvcrt.locking` reports the errno of an earlier call under Wine, which sets none.
        """
        if not _kernel32().LockFile(msvcrt.get_osfhandle(file), _FAR, 0, 1, 0):
            code = ctypes.get_last_error()
            raise BlockingIOError if code == _LOCK_VIOLATION else ctypes.WinError(code)

else:
    import fcntl

    def lock(file: int) -> None:
        """Lock the open descriptor ``file`` until it is closed; BlockingIOError where another process has it."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
