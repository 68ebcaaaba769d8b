"""Directories written whole or not at all: the old one stays until the new one is complete on disk.

At every instant a path that was written to holds a complete directory, the old or the new, under its own name
or, for a moment, as ``.NAME.previous``, where `place` finds it too. The leading dot keeps it apart from a
user's own ``NAME.previous``.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from core.storage.disk import Disk


def replace_directory(directory: Path, write: Callable[[Path], None], disk: Disk) -> None:
    """Fill a new directory and put it in the place of ``directory``; if anything fails, the old one is kept.

    Args:
        directory: Path of the directory, resolved: a link would be replaced itself.
        write: Fills the new directory, whose path it is given.
        disk: File operations.
    """
    incoming, previous = _sibling(directory, "incoming"), _sibling(directory, "previous")
    try:
        disk.create_directory(incoming)
        write(incoming)
        disk.flush(incoming)
        if directory.exists():
            disk.rename(directory, previous)
        disk.rename(incoming, directory)
        disk.remove(previous)
    except (Exception, KeyboardInterrupt):
        with suppress(OSError):
            clear_up(directory, disk)  # what is half written would keep the disk full
        raise


def clear_up(directory: Path, disk: Disk) -> None:
    """Undo the changes of a writer of ``directory`` that failed or was killed, with the operations of ``disk``."""
    previous = _sibling(directory, "previous")
    if previous.exists() and not directory.exists():
        disk.rename(previous, directory)
    disk.remove(previous)
    disk.remove(_sibling(directory, "incoming"))


def place(directory: Path, document: str) -> Path | None:
    """Return the current place of ``directory``, which must have a file ``document``, or None if there is none."""
    places = (directory, _sibling(directory, "previous"))
    return next((found for found in places if (found / document).is_file()), None)


def _sibling(directory: Path, suffix: str) -> Path:
    return directory.parent / f".{directory.name}.{suffix}"
