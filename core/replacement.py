"""Directories written whole or not at all: the old one stays until the new one is complete on disk.

At every instant a path that was written to holds a complete directory, the old or the new, under its own name or, for
a moment, as ``.NAME.previous``, where `place` finds it too. People name copies of their own ``NAME.previous``.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from core.disk import Disk


def replace_directory(directory: Path, write: Callable[[Path], None], disk: Disk) -> None:
    """Have ``write`` fill a new directory, and put it in the place of that one.

    ``directory`` must be resolved: a link would be replaced itself. Whatever fails, what was there still is.
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
    """Undo what a writer left behind that failed or was killed."""
    previous = _sibling(directory, "previous")
    if previous.exists() and not directory.exists():
        disk.rename(previous, directory)
    disk.remove(previous)
    disk.remove(_sibling(directory, "incoming"))


def place(directory: Path, document: str) -> Path | None:
    """Where the directory of that name lies now, told by a file that it must have."""
    places = (directory, _sibling(directory, "previous"))
    return next((found for found in places if (found / document).is_file()), None)


def _sibling(directory: Path, suffix: str) -> Path:
    return directory.parent / f".{directory.name}.{suffix}"
