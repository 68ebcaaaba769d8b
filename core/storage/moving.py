"""Renames and removes files that another program may have open: Windows refuses that, usually for a moment only.

A scanner for viruses, an index of the desktop's search or a reader of ours opens a new file for some milliseconds.
POSIX systems rename and remove open files, so there nothing is tried twice.
"""

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

PATIENCE = 1.0
"""Seconds for which an operation is repeated; an event loop may have to wait for that long."""
_FIRST_PAUSE = 0.005
_LONGEST_PAUSE = 0.1

HELD = frozenset({5, 32, 33, 145, 303, 1224})
"""Error codes (winerror.h) of a file or folder that is in use, and may soon not be.

ERROR_ACCESS_DENIED, which a rename onto an open file gives and a file whose removal is pending,
ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION, ERROR_DIR_NOT_EMPTY, as of a folder with such a file,
ERROR_DELETE_PENDING, ERROR_USER_MAPPED_FILE.
"""

T = TypeVar("T")


def persistently(
    operation: Callable[[], T],
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> T:
    """Return the result of ``operation``, which is repeated while Windows reports that a file is in use.

    Args:
        operation: Operation on files that may be repeated after it has failed.
        patience: Seconds after which it is not repeated any more.
        clock: Returns the time in seconds.
        sleep: Waits for that many seconds.

    Raises:
        OSError: As ``operation`` raised it the last time.
    """
    until, pause = clock() + patience, _FIRST_PAUSE
    while True:
        try:
            return operation()
        except OSError as error:
            if getattr(error, "winerror", None) not in HELD or clock() >= until:
                raise
        sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def replace(source: Path, target: Path) -> None:
    """Rename the file ``source`` to ``target``, in the place of a file of that name.

    Raises:
        OSError: It cannot be renamed, or on Windows a program has one of the two open for longer than `PATIENCE`.
    """
    persistently(lambda: source.replace(target))


def rename(source: Path, target: Path) -> None:
    """Rename the file or folder ``source`` to ``target``, a free name.

    Raises:
        OSError: It cannot be renamed, or on Windows a program has a file of it open for longer than `PATIENCE`.
    """
    persistently(lambda: source.rename(target))


def remove(file: Path) -> None:
    """Remove ``file``, if it exists.

    Raises:
        OSError: It cannot be removed, or on Windows a program has it open for longer than `PATIENCE`.
    """
    persistently(lambda: file.unlink(missing_ok=True))


def remove_folder(folder: Path) -> None:
    """Remove ``folder`` with all that is in it.

    Raises:
        OSError: Something of it is left: it cannot be removed, or on Windows a program has it open for longer than
            `PATIENCE`.
    """
    persistently(lambda: shutil.rmtree(folder))


def discard_folder(folder: Path) -> None:
    """Remove as much of ``folder`` as can be removed; errors are ignored, and so is a folder that does not exist."""
    try:
        remove_folder(folder)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
