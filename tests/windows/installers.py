"""Builds the installers that are tried under Wine: this commit's, a next version's, and one of a broken version."""

import dataclasses
import hashlib
import shutil
import tempfile
from pathlib import Path

from installer.release import Release
from installer.windows.build import LOCK, Recipe, Tools, compile_stage
from installer.windows.tree import WindowsPython, lay_out
from tests.windows.environment import PYTHON_ARCHIVE

FOLDER = Path("opt/windows/installers")
"""Folder of the installers, below the system's."""
SHIPPED, NEXT, BROKEN = "idlebrush.exe", "idlebrush-next.exe", "idlebrush-broken.exe"
_NEXT_VERSION, _BROKEN_VERSION = "99.0.0", "99.0.1"


def build(system: Path) -> None:
    """Build all three in the Debian system ``system``, unless they were built from this commit before."""
    folder = system / FOLDER
    release = Release.of_head()
    digest = hashlib.sha256(f"{release.commit} {hashlib.sha256(LOCK.read_bytes()).hexdigest()}".encode())
    done = folder / "built-from"
    if done.is_file() and done.read_text() == digest.hexdigest():
        return
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir()
    _build_all(system, release, folder)
    done.write_text(digest.hexdigest())


def _build_all(system: Path, release: Release, folder: Path) -> None:
    archive = system / PYTHON_ARCHIVE
    python = WindowsPython(archive, hashlib.sha256(archive.read_bytes()).hexdigest())
    recipe = Recipe(release, python, tools=Tools(system))
    with tempfile.TemporaryDirectory(dir=recipe.tools.scratch) as scratch:
        stage = Path(scratch)
        lay_out(stage / "tree", release, python, recipe.lock, stage / "log")
        compile_stage(stage, recipe, folder).rename(folder / SHIPPED)
        quick = dataclasses.replace(recipe, compression="zlib")
        for name, version in ((NEXT, _NEXT_VERSION), (BROKEN, _BROKEN_VERSION)):
            if name == BROKEN:
                _break(stage / "tree")
            _rename_version(stage / "tree", version)
            renamed = dataclasses.replace(quick, release=dataclasses.replace(release, version=version))
            compile_stage(stage, renamed, folder).rename(folder / name)


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


def _break(tree: Path) -> None:
    """Let the daemon fail as it starts."""
    (tree / "code/client/daemon.py").write_text('raise RuntimeError("This version is broken.")\n')
    for compiled in (tree / "code/client/__pycache__").glob("daemon.*"):
        compiled.unlink()
