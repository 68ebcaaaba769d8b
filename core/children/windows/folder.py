"""Temporary folder of a child, locked while its supervisor lives, and removal of those that dead supervisors left.

The lock is a file beside the folder: Windows removes no folder with a file in it that is open. The system drops the
lock with the process.
"""

import contextlib
import os
import secrets
from pathlib import Path
from tempfile import gettempdir
from typing import Self

from core.storage.file_lock import lock
from core.storage.moving import discard_folder

_PREFIX = "idlebrush-child-"


class ChildFolder:
    """The temporary folder of one child."""

    def __init__(self, path: Path, lock_file: int) -> None:
        """Take over the folder ``path``, whose lock the descriptor ``lock_file`` holds; `create` makes both."""
        self.path = path
        self._lock_file = lock_file

    @classmethod
    def create(cls, root: Path | None = None) -> Self:
        """Make a folder under ``root``; None: the folder for temporary files.

        Raises:
            OSError: The folder cannot be made.
        """
        while True:
            path = (root or Path(gettempdir())) / f"{_PREFIX}{secrets.token_hex(8)}"
            file = os.open(_lock_of(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                lock(file)
                path.mkdir(mode=0o700)
            except BlockingIOError:  # another process has just taken it for one that was left behind
                os.close(file)
            except BaseException:
                os.close(file)
                raise
            else:
                return cls(path, file)

    def remove(self) -> None:
        """Remove the folder with its content; `remove_left_behind` removes what a program still has open now."""
        _remove(self.path, self._lock_file)


def remove_left_behind(root: Path | None = None) -> None:
    """Remove the folders under ``root`` whose supervisor has ended; None: under the folder for temporary files."""
    for found in (root or Path(gettempdir())).glob(f"{_PREFIX}*.lock"):
        with contextlib.suppress(OSError):  # of another user, locked, or removed by another process meanwhile
            file = os.open(found, os.O_RDWR)
            try:
                lock(file)
            except OSError:
                os.close(file)
            else:
                _remove(found.with_suffix(""), file)


def _remove(path: Path, lock_file: int) -> None:
    discard_folder(path)
    os.close(lock_file)
    if not path.exists():
        with contextlib.suppress(OSError):
            _lock_of(path).unlink()


def _lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")
