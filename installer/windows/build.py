"""Builds the Windows installer: ``python -m installer.windows.build --python ZIP --sha256 DIGEST [--out FOLDER]``.

It needs makensis and mingw's compiler, on this system or in the Debian system that ``--system`` names. The same
commit, Python for Windows and tools give the same bytes.
"""

import argparse
import hashlib
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import CoreError
from installer.commands import require_programs, run
from installer.release import ROOT, Release
from installer.windows.tree import WindowsPython, files_of, lay_out, size_of

LOCK = ROOT / "installer/locks/light-windows.txt"
_HERE = Path(__file__).parent
_SOURCES = ("setup.nsi", "words.nsh", "launcher.c", "launcher.rc", "launcher.manifest")
_COMPILER, _RESOURCES = "x86_64-w64-mingw32-gcc", "x86_64-w64-mingw32-windres"
_FLAGS = ("-Os", "-s", "-Wall", "-Wextra", "-Werror", "-municode", "-Wl,--no-insert-timestamp")
_LAUNCHERS = {"idlebrush.exe": (), "idlebrush-app.exe": ("-mwindows", "-DWINDOWLESS")}


@dataclass(frozen=True)
class Tools:
    """The programs that compile, here or in another system's folder."""

    system: Path = Path("/")
    """Root of the system that has them; the folder in which they work lies below it."""

    def run(self, command: Sequence[str], folder: Path, log: Path, release: Release) -> None:
        """Run a program in ``folder``.

        Raises:
            BuildError: The program is missing, or its exit status is not 0.
        """
        environment = {"SOURCE_DATE_EPOCH": str(release.epoch), "TZ": "UTC"}
        if self.system == Path("/"):
            require_programs(**{"makensis": "nsis", _COMPILER: "gcc-mingw-w64-x86-64-win32"})
            run(command, log, folder=folder, environment=environment)
            return
        inside = Path("/") / folder.relative_to(self.system)
        script = 'cd "$1"; shift; exec "$@"'
        run(
            ["chroot", self.system, "sh", "-ec", script, "sh", inside, *command], log, environment=environment
        )

    @property
    def scratch(self) -> Path:
        """Folder in which they can work."""
        return Path(tempfile.gettempdir()) if self.system == Path("/") else self.system / "tmp"


@dataclass(frozen=True)
class Recipe:
    """What an installer is made of."""

    release: Release
    python: WindowsPython
    lock: Path = LOCK
    compression: str = "lzma"
    """As NSIS names it; ``zlib`` is quick and large."""
    tools: Tools = Tools()


def build(recipe: Recipe, out: Path) -> Path:
    """Build the installer, and return its path in the folder ``out``.

    Raises:
        BuildError: A tool or a package is missing, or fails.
    """
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=recipe.tools.scratch, prefix="idlebrush-setup-") as scratch:
        stage = Path(scratch)
        lay_out(stage / "tree", recipe.release, recipe.python, recipe.lock, stage / "log")
        return compile_stage(stage, recipe, out)


def compile_stage(stage: Path, recipe: Recipe, out: Path) -> Path:
    """Compile the launchers and the installer of the tree in ``stage``."""
    for name in _SOURCES:
        shutil.copyfile(_HERE / name, stage / name)
    shutil.copyfile(stage / "tree/share/idlebrush.ico", stage / "idlebrush.ico")
    _compile_launchers(stage, recipe)
    (stage / "build.nsh").write_text(_definitions(stage / "tree", recipe))
    (stage / "files.nsh").write_text(file_list(stage / "tree"))
    _run(["makensis", "-V2", "-WX", "-INPUTCHARSET", "UTF8", "setup.nsi"], stage, recipe)
    place = out / f"idlebrush-{recipe.release.version}-windows-x86_64.exe"
    shutil.copyfile(stage / "idlebrush-installer.exe", place)
    return place


def _run(command: Sequence[str], stage: Path, recipe: Recipe) -> None:
    recipe.tools.run(command, stage, stage / "log", recipe.release)


def _compile_launchers(stage: Path, recipe: Recipe) -> None:
    (stage / "tree/bin").mkdir(exist_ok=True)
    numbers = ",".join(map(str, _numbers(recipe.release)))
    defined = [f"-DVERSION_NUMBERS={numbers}", f'-DVERSION_TEXT=\\"{recipe.release.version}\\"']
    _run([_RESOURCES, *defined, "launcher.rc", "-O", "coff", "-o", "launcher.res"], stage, recipe)
    for name, kind in _LAUNCHERS.items():
        _run(
            [_COMPILER, *_FLAGS, *kind, "launcher.c", "launcher.res", "-o", f"tree/bin/{name}"], stage, recipe
        )


def _numbers(release: Release) -> tuple[int, int, int, int]:
    """Return the version as Windows keeps it in programs."""
    major, minor, patch = (int(part) for part in release.version.split(".")[:3])
    return major, minor, patch, 0


def _definitions(tree: Path, recipe: Recipe) -> str:
    values = {
        "VERSION": recipe.release.version,
        "VERSION_NUMBERS": ".".join(map(str, _numbers(recipe.release))),
        "INSTALLED_KB": size_of(files_of(tree)) // 1024,
        "COMPRESSION": recipe.compression,
    }
    return "".join(f'!define {name} "{value}"\n' for name, value in values.items())


def file_list(tree: Path) -> str:
    """Return the commands that unpack the tree.

    NSIS can pack a folder by itself, but in the order of the file system, which differs from place to place.
    """
    lines, before = [], None
    for path in files_of(tree):
        name = path.relative_to(tree)
        if name.parent != before:
            before = name.parent
            lines.append(f'SetOutPath "$INSTDIR\\next\\{_for_nsis(str(before))}"')
        lines.append(f'File "tree/{str(name).replace("$", "$$")}"')
    return "\n".join(lines) + "\n"


def _for_nsis(name: str) -> str:
    return "" if name == "." else name.replace("$", "$$").replace("/", "\\")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Build the Windows installer.")
    parser.add_argument("--python", type=Path, required=True, help="embeddable package of Python for Windows")
    parser.add_argument("--sha256", required=True, help="digest that it must have")
    parser.add_argument("--out", type=Path, default=ROOT / "dist/packages", help="folder for the installer")
    parser.add_argument("--system", type=Path, default=Path("/"), help="Debian system that has the tools")
    return parser.parse_args()


def main() -> int:
    options = _options()
    python = WindowsPython(options.python, options.sha256)
    recipe = Recipe(Release.of_head(), python, tools=Tools(options.system.absolute()))
    try:
        made = build(recipe, options.out)
    except CoreError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{made}: {made.stat().st_size} bytes, SHA-256 {hashlib.sha256(made.read_bytes()).hexdigest()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
