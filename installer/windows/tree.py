"""Lays the tree that the Windows installer carries, on another system: nothing of it can be run while it is made."""

import hashlib
import shutil
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from client.installed import InstallChannel
from installer.commands import BuildError, run
from installer.icons import write_ico
from installer.left_out import QT_KEPT_ON_WINDOWS, remove_unused
from installer.tree import Tree

_VERSION = "3.11"
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
        if (found := self._digest()) != self.sha256:
            raise BuildError(
                f"{self.archive} has the SHA-256 {found}, and should have {self.sha256}.",
                "Download it again from python.org, and compare the digest with the one published there.",
            )
        with zipfile.ZipFile(self.archive) as packed:
            if _PLACES not in packed.namelist():
                what = f"{self.archive} is not the embeddable package of Python {_VERSION}."
                raise BuildError(what, "Name that one.")
            packed.extractall(folder)

    def _digest(self) -> str:
        try:
            return hashlib.sha256(self.archive.read_bytes()).hexdigest()
        except OSError as error:
            what = f"{self.archive} cannot be read: {error.strerror}."
            raise BuildError(what, "Name the embeddable package of Python for Windows.") from error


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
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-deps"]
        command += ["--no-compile", "--require-hashes", "--only-binary=:all:", "--no-input", "--quiet"]
        command += ["--platform", "win_amd64", "--python-version", _VERSION]
        run([*command, "--target", self.site, "--requirement", lock], self.log)
        shutil.rmtree(self.site / "bin", ignore_errors=True)  # programs for the system that builds
        remove_unused(self.site, QT_KEPT_ON_WINDOWS)

    def compile(self, folders: Sequence[str] = ("python", "code")) -> None:
        """Compile all modules by this process's Python, whose compiled modules are those of its version anywhere."""
        if sys.version_info[:2] != (3, 11):
            raise BuildError(
                f"Python {_VERSION} has to build this, and runs as {sys.version.split()[0]}.",
                f"Build in an environment of Python {_VERSION}.",
            )
        self.compile_by(Path(sys.executable), folders)


def files_of(tree: Path) -> list[Path]:
    """Return all files below ``tree`` in an order that no file system decides."""
    return sorted((path for path in tree.rglob("*") if path.is_file()), key=lambda path: path.as_posix())
