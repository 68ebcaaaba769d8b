"""Lays the tree that the Windows installer carries, on another system: nothing of it can be run while it is made."""

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from client.installed import InstallChannel
from installer.commands import BuildError, require_digest
from installer.icons import write_ico
from installer.left_out import QT_KEPT_ON_WINDOWS
from installer.tree import VERSION, Tree

_PLACES = "python311._pth"
"""File of the embeddable package with the places of modules.

Python then reads no other: neither PYTHONPATH nor the registry nor packages of the user, which may be of any version.
"""
_SEARCHED = "python311.zip\n.\nLib/site-packages\nimport site\n"
ICON = "share/idlebrush.ico"


@dataclass(frozen=True)
class WindowsPython:
    """Python for Windows as its makers publish it for other programs ("embeddable package")."""

    archive: Path
    sha256: str
    """Digest that the archive must have."""

    def unpack(self, folder: Path) -> None:
        """Unpack it into ``folder``.

        Raises:
            BuildError: The archive cannot be read, has another digest, or holds another version of Python.
        """
        require_digest(self.archive, self.sha256)
        with zipfile.ZipFile(self.archive) as packed:
            if _PLACES not in packed.namelist():
                what = f"{self.archive} is not the embeddable package of Python {VERSION}."
                raise BuildError(what, "Name that one.")
            packed.extractall(folder)


class WindowsTree(Tree):
    """The tree of Windows, where Python lies in one folder without ``bin`` and ``lib``."""

    @property
    def python(self) -> Path:
        return self.folder / "python" / "python.exe"

    @property
    def site(self) -> Path:
        return self.folder / "python" / "Lib" / "site-packages"

    def lay(self, python: WindowsPython, lock: Path) -> None:
        """Lay all of it but the launchers.

        Raises:
            BuildError: Python or a package cannot be had, or has another digest.
        """
        python.unpack(self.folder / "python")
        (self.folder / "python" / _PLACES).write_text(_SEARCHED)
        self.install_packages(lock)
        self.lay_code()
        self.compile()
        self.name_channel(InstallChannel.NSIS)
        (self.folder / ICON).parent.mkdir()
        write_ico(self.folder / ICON)

    def install_packages(self, lock: Path) -> None:
        """Install the wheels for Windows that ``lock`` lists, each by its digest, and remove what is not used.

        Raises:
            BuildError: A package cannot be had, or has another digest.
        """
        self.install_wheels(lock, "win_amd64", QT_KEPT_ON_WINDOWS)

    def compile(self, folders: Sequence[str] = ("python", "code")) -> None:
        """Compile all modules by this process's Python."""
        self.compile_here(folders)


def files_of(tree: Path) -> list[Path]:
    """Return all files below ``tree`` in an order that no file system decides."""
    return sorted((path for path in tree.rglob("*") if path.is_file()), key=lambda path: path.as_posix())
