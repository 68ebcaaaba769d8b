"""Files that are written as a whole or not at all: a full disk leaves what stood in their place before."""

from pathlib import Path

from PySide6.QtCore import QIODevice, QSaveFile


def write(path: Path, content: bytes) -> None:
    """OSError says why it could not be written."""
    file = QSaveFile(str(path))
    is_open = file.open(QIODevice.OpenModeFlag.WriteOnly)
    if not (is_open and file.write(content) == len(content) and file.commit()):
        raise OSError(file.errorString())


def copy(source: Path, target: Path) -> None:
    """OSError says why it could not be read, or written."""
    write(target, source.read_bytes())
