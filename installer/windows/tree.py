"""Lays the tree that the Windows installer carries: Python, the light packages, our code and the program's icon."""

import hashlib
import re
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from installer.commands import BuildError, run
from installer.icons import write_ico
from installer.release import ROOT, Release

_PYTHON = "3.11"
_MACHINE = "win_amd64"
_PACKAGES = Path("python/Lib/site-packages")
_OURS = ("core", "client", "gui", "assets")
"""Packages that run on a volunteer's computer."""
_SEARCHED = "python311.zip\n.\nLib/site-packages\n../code\n"
"""What Python's own folder lists as the places of modules.

Python then ignores PYTHONPATH, the registry and packages of the user, which may be of any version.
"""
_QT_KEPT = {
    r"(__init__|_config|_git_pyside_version|support/\w+)\.py": "the package",
    r"(pyside6\.abi3|(msvcp|vcruntime)140\w*)\.dll": "what all bindings share",
    r"Qt6?(Core|Gui|Network|Svg|Widgets)\.(pyd|dll)": "the modules that the app imports",
    r"plugins/platforms/qwindows\.dll": "windows on the screen",
    r"plugins/styles/\w+\.dll": "controls as Windows draws them",
    r"plugins/iconengines/qsvgicon\.dll": "icons",
    r"plugins/imageformats/q(gif|ico|jpeg|svg|webp)\.dll": "pictures that people have; PNG is built in",
    r"translations/qtbase_(de|es|fr|ru|zh_CN)\.qm": "the app's languages",
}
"""Files of PySide6 that are kept, as regular expressions, with the reason."""
_LEFT_OUT = {
    r"(bin|share)/.*": "programs for the system that builds",
    r".*\.(pyi|lib|h|c|pxd|pyx)|.*/py\.typed": "for developers and compilers",
    r".*/tests?/.*": "tests",
    r"PIL/_avif\..*": "AVIF: pictures of runs are PNG, JPEG or WebP",
    r"PIL/(_imagingtk\..*|_tkinter_finder\.py|ImageTk\.py)": "windows by Tk, which this Python lacks",
}
"""Files of other packages that are left out, as regular expressions, with the reason."""


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
        try:
            found = hashlib.sha256(self.archive.read_bytes()).hexdigest()
        except OSError as error:
            raise BuildError(
                f"{self.archive} cannot be read: {error.strerror}.", "Name Python's embeddable package."
            ) from error
        if found != self.sha256:
            raise BuildError(
                f"{self.archive} has the SHA-256 {found}, and should have {self.sha256}.",
                "Download it again from python.org, and compare the digest with the one published there.",
            )
        with zipfile.ZipFile(self.archive) as packed:
            packed.extractall(folder)
        listed = folder / "python311._pth"
        if not listed.exists():
            raise BuildError(
                f"{self.archive} is not the embeddable package of Python {_PYTHON}.", "Name that one."
            )
        listed.write_text(_SEARCHED)


def lay_out(tree: Path, release: Release, python: WindowsPython, lock: Path, log: Path) -> None:
    """Make the tree in the empty folder ``tree``, without the launchers.

    Args:
        tree: Folder of the tree.
        release: Version that is built.
        python: Python for Windows.
        lock: Requirements with a hash each, of all light packages for Windows.
        log: File for the output of programs.

    Raises:
        BuildError: A package cannot be had, or has another hash than the lock says.
    """
    python.unpack(tree / "python")
    _install_packages(tree / _PACKAGES, lock, log)
    _copy_code(tree / "code", release, log)
    (tree / "share").mkdir()
    write_ico(tree / "share" / "idlebrush.ico")
    (tree / "installation.toml").write_text(
        f'channel = "nsis"\nversion = "{release.version}"\ncommit = "{release.commit}"\n'
    )
    _compile(tree, log)


def files_of(tree: Path) -> list[Path]:
    """Return all files below ``tree`` in an order that no file system decides."""
    return sorted((path for path in tree.rglob("*") if path.is_file()), key=lambda path: path.as_posix())


def _install_packages(folder: Path, lock: Path, log: Path) -> None:
    wanted = ["--platform", _MACHINE, "--python-version", _PYTHON, "--only-binary", ":all:"]
    checked = ["--require-hashes", "--no-deps", "--no-compile", "--target", folder]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install"]
    run([*pip, *wanted, *checked, "--requirement", lock], log)
    _remove_unused(folder)


def _remove_unused(site: Path) -> None:
    for path in sorted(site.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif not is_kept(path.relative_to(site).as_posix()):
            path.unlink()


def is_kept(name: str) -> bool:
    """Return true if a file of site-packages, with forward slashes, is in the tree."""
    package, _, rest = name.partition("/")
    if package == "PySide6":
        return any(re.fullmatch(pattern, rest) for pattern in _QT_KEPT)
    return not any(re.fullmatch(pattern, name) for pattern in _LEFT_OUT)


def _copy_code(folder: Path, release: Release, log: Path) -> None:
    """Copy what the commit has of our packages, and describe it as pip would, so that it knows its version."""
    release.export(_OURS, folder)
    describe(folder, log)


def describe(folder: Path, log: Path) -> None:
    """Write the description of our distribution into ``folder``: its version and its requirements."""
    write = "import sys; from setuptools import build_meta as do; do.prepare_metadata_for_build_wheel(sys.argv[1])"
    run([sys.executable, "-c", write, folder], log, folder=ROOT)


def _compile(tree: Path, log: Path) -> None:
    """Compile all modules, so that the first start need not; the same bytes each time, whatever the files' times."""
    if sys.version_info[:2] != (3, 11):
        raise BuildError(
            f"Python {_PYTHON} has to build this, and runs as {sys.version.split()[0]}.",
            f"Build in an environment of Python {_PYTHON}.",
        )
    command = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
    folders = [tree / "code", tree / _PACKAGES]
    run([*command, "-s", tree, *folders], log, environment={"PYTHONHASHSEED": "0"})


def size_of(paths: Sequence[Path]) -> int:
    """Return the bytes that files take."""
    return sum(path.stat().st_size for path in paths)
