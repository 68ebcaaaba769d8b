"""Builds the installers that are tried under Wine: this commit's, a next version's, and two broken ones."""

import dataclasses
import hashlib
import shutil
import tempfile
from pathlib import Path

from installer.locks.light import lock_of
from installer.release import Release
from installer.windows.build import CompilerTools, InstallerBuild
from installer.windows.tree import WindowsPython
from tests.windows.environment import PYTHON_ARCHIVE

FOLDER = Path("opt/windows/installers")
"""Folder of the installers, below the system's."""
SHIPPED, NEXT, BROKEN, SILENT = "install.exe", "install-next.exe", "install-broken.exe", "install-silent.exe"
_NEXT_VERSION, _BROKEN_VERSION, _SILENT_VERSION = "99.0.0", "99.0.1", "99.0.2"
_NOT_IMPORTED = 'raise RuntimeError("This version is broken.")\n'
_SILENT_DAEMON = (
    "def main() -> int:\n    return 1\n\n\nif __name__ == '__main__':\n    raise SystemExit(main())\n"
)
"""Daemon that can be imported, and ends at once."""


def build(system: Path) -> None:
    """Build all four in the Debian system ``system``, unless they were built from this commit before."""
    folder = system / FOLDER
    release = Release.of_head()
    done = folder / "built-from"
    if done.is_file() and done.read_text() == release.commit:
        return
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir()
    _build_all(system, release, folder)
    done.write_text(release.commit)


def _build_all(system: Path, release: Release, folder: Path) -> None:
    archive = system / PYTHON_ARCHIVE
    python = WindowsPython(archive, hashlib.sha256(archive.read_bytes()).hexdigest())
    with tempfile.TemporaryDirectory(dir=system / "tmp") as stage:
        making = InstallerBuild(Path(stage), release, folder / "log", CompilerTools(system))
        making.tree.folder.mkdir()
        making.tree.lay(python, lock_of("windows"))
        making.compile(folder).rename(folder / SHIPPED)
        _compile_as(making, _NEXT_VERSION, folder / NEXT)
        _replace_daemon(making.tree.folder, _NOT_IMPORTED)
        _compile_as(making, _BROKEN_VERSION, folder / BROKEN)
        _replace_daemon(making.tree.folder, _SILENT_DAEMON)
        _compile_as(making, _SILENT_VERSION, folder / SILENT)


def _compile_as(making: InstallerBuild, version: str, place: Path) -> None:
    """Compile the same tree as another version, quickly."""
    renamed = dataclasses.replace(making.release, version=version)
    _rename_version(making.tree.folder, version)
    made = dataclasses.replace(making, release=renamed, compression="none").compile(place.parent)
    made.rename(place)


def _rename_version(tree: Path, version: str) -> None:
    """Give the program in ``tree`` another version, as it reads it itself."""
    for file, mark in (
        (tree / "installation.toml", "version = "),
        (next((tree / "code").glob("*.dist-info")) / "METADATA", "Version: "),
    ):
        lines = file.read_text().splitlines(keepends=True)
        quote = '"' if file.suffix == ".toml" else ""
        file.write_text(
            "".join(f"{mark}{quote}{version}{quote}\n" if line.startswith(mark) else line for line in lines)
        )


def _replace_daemon(tree: Path, code: str) -> None:
    """Have the daemon in ``tree`` be ``code``."""
    (tree / "code/client/daemon.py").write_text(code)
    for compiled in (tree / "code/client/__pycache__").glob("daemon.*"):
        compiled.unlink()
