"""Lays out the tree that each package installs: an interpreter, the light packages, the app's code, and a launcher.

::

    bin/idlebrush        starts the app and the command line
    python/              relocatable CPython, with the light packages among its own
    code/                core, client, gui, assets, and the metadata of the project
    installation.toml    how it was installed (client/installed.py); each package writes its own

All of it is found from the launcher's place, so that the tree works wherever it lies.
"""

import os
import re
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import tomli_w

from client.environment.source import FILE as SOURCE
from client.installed import FILE, InstallationFile, InstallChannel
from client.updates.offers import ROOT_FILE, SOURCE_FILE, UpdateSource
from core.storage.files import write_atomically
from installer.commands import BuildError, run
from installer.left_out import remove_unused
from installer.release import Release

VERSION = "3.11"
"""Version of Python in each tree."""
LAUNCHER = Path(__file__).with_name("idlebrush.sh")
CODE = ("core", "client", "coordinator", "gui", "assets")
"""Packages of ours that are installed."""
_METADATA = ("pyproject.toml", "README.md", "LICENSE")
_CODE_LEFT_OUT = re.compile(r"assets/(.*/)?(draw|fetch|update)\.py|assets/embedded/recipe/.*|assets/.*\.ts")
"""Files of ours that make others of ours, and are not used by the app."""
_SITE = f"lib/python{VERSION}/site-packages"


@dataclass(frozen=True)
class Tree:
    """A tree that is being made; each step may be left out where a system has its own."""

    folder: Path
    release: Release
    log: Path
    """File for the output of programs."""

    @property
    def python(self) -> Path:
        """Interpreter of the tree."""
        return self.folder / "python" / "bin" / "python3"

    @property
    def site(self) -> Path:
        """Folder of the light packages."""
        return self.folder / "python" / _SITE

    def lay_python(self, archive: Path) -> None:
        """Unpack the interpreter from an archive of the folder ``python``."""
        with tarfile.open(archive) as packed:
            packed.extractall(self.folder, filter="tar")

    def install_packages(self, lock: Path) -> None:
        """Install the packages that ``lock`` lists, each by its digest, and remove what the app does not use.

        Raises:
            BuildError: A package cannot be had, or has another digest.
        """
        programs = {file.name for file in self.python.parent.iterdir()}
        command: list[str | Path] = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            self.python,
            "install",
            "--no-deps",
            "--no-compile",
        ]
        command += ["--require-hashes", "--only-binary=:all:", "--no-input", "--quiet", "--requirement", lock]
        run(command, self.log, environment={"PYTHONDONTWRITEBYTECODE": "1"})
        for file in self.python.parent.iterdir():
            if file.name not in programs:  # programs of packages, which name the place where they were made
                file.unlink()
        remove_unused(self.site)

    def install_wheels(self, lock: Path, platform: str, qt: Mapping[str, str]) -> None:
        """Install the wheels for another system that ``lock`` lists, each by its digest, and remove what is not used.

        Args:
            lock: List of the packages.
            platform: Name that pip has for the system.
            qt: Files of Qt that are kept.

        Raises:
            BuildError: A package cannot be had, or has another digest.
        """
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-deps"]
        command += ["--no-compile", "--require-hashes", "--only-binary=:all:", "--no-input", "--quiet"]
        command += ["--platform", platform, "--python-version", VERSION]
        run([*command, "--upgrade", "--target", self.site, "--requirement", lock], self.log)
        shutil.rmtree(self.site / "bin", ignore_errors=True)  # programs for the system that builds
        remove_unused(self.site, qt)

    def lay_code(self, packages: Sequence[str] = CODE) -> None:
        """Lay our ``packages`` out, and their metadata; the interpreter finds them by a path relative to its own."""
        code = self.folder / "code"
        code.mkdir()
        self.release.export(packages, code)
        for file in sorted(code.rglob("*"), reverse=True):
            if file.is_file() and _CODE_LEFT_OUT.fullmatch(file.relative_to(code).as_posix()):
                file.unlink()
            elif file.is_dir() and not any(file.iterdir()):
                file.rmdir()
        self._lay_metadata(code)
        relative = os.path.relpath(code, self.site)
        (self.site / "idlebrush.pth").write_text(Path(relative).as_posix() + "\n", encoding="ascii")

    def _lay_metadata(self, code: Path) -> None:
        """Write the metadata by which the app tells its version, and what it is made of."""
        with tempfile.TemporaryDirectory() as scratch:
            self.release.export([*CODE, *_METADATA], Path(scratch))
            made = Path(scratch) / "made"
            made.mkdir()
            program = (
                f"from setuptools import build_meta as b; b.prepare_metadata_for_build_wheel({str(made)!r})"
            )
            run([sys.executable, "-c", program], self.log, folder=Path(scratch))
            (metadata,) = made.glob("*.dist-info")
            shutil.copytree(metadata, code / metadata.name)

    def lay_launcher(self) -> None:
        """Write the program that users start."""
        (self.folder / "bin").mkdir()
        program = self.folder / "bin" / "idlebrush"
        shutil.copyfile(LAUNCHER, program)
        program.chmod(0o755)

    def name_source(self, source: Path | None) -> None:
        """Name the list of the trainer's packages; None: the installation cannot set training up."""
        if source is not None:
            shutil.copyfile(source, self.folder / SOURCE)

    def name_updates(self, updates: UpdateSource | None) -> None:
        """Name the signed repository of newer versions; None: the installation looks for none."""
        if updates is not None:
            trust(self.folder, updates)

    def compile(self, folders: Sequence[str] = ("python", "code")) -> None:
        """Compile all modules, without the times of their files, so that the bytes do not depend on the build.

        Users cannot write into a folder of the system's: without this, each start would compile.
        """
        self.compile_by(self.python, folders)

    def compile_here(self, folders: Sequence[str] = ("python", "code")) -> None:
        """Compile all modules by this process's Python, whose compiled modules are those of its version anywhere.

        Raises:
            BuildError: This is another version of Python.
        """
        if sys.version_info[:2] != (3, 11):
            raise BuildError(
                f"Python {VERSION} has to build this, and runs as {sys.version.split()[0]}.",
                f"Build in an environment of Python {VERSION}.",
            )
        self.compile_by(Path(sys.executable), folders)

    def compile_by(self, python: Path, folders: Sequence[str]) -> None:
        """Compile the modules in some folders of the tree by another interpreter of the same version."""
        command: list[str | Path] = [
            python,
            "-s",
            "-P",
            "-m",
            "compileall",
            "-q",
            "--invalidation-mode",
            "unchecked-hash",
        ]
        command += ["-s", self.folder, *(self.folder / name for name in folders)]
        variables = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        run(command, self.log, environment=variables)

    def name_channel(self, channel: InstallChannel) -> None:
        """Write how the tree is installed."""
        described = InstallationFile(
            channel=channel, version=self.release.version, commit=self.release.commit
        )
        (self.folder / FILE).write_text(tomli_w.dumps(described.model_dump(mode="json")), encoding="utf-8")


def trust(folder: Path, updates: UpdateSource) -> None:
    """Write into the tree in ``folder`` where its updates come from, and the root that it trusts first."""
    write_atomically(folder / ROOT_FILE, updates.root)
    write_atomically(folder / SOURCE_FILE, tomli_w.dumps({"address": updates.address}).encode())


def settle(folder: Path, epoch: int) -> None:
    """Give all files of a tree the modes and times that do not depend on who built it, and when.

    Args:
        folder: The tree.
        epoch: Time of all files, in seconds since 1970.
    """
    for path in [*folder.rglob("*"), folder]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        os.utime(path, (epoch, epoch), follow_symlinks=False)
