"""Builds the Windows installer, for `installer.build`: the tree, two launchers, and the program that installs them.

It needs makensis and mingw's compiler, on this system or in a Debian system in a folder. The same commit, Python for
Windows and tools give the same bytes.
"""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine
from installer.archive import write_listing
from installer.commands import require_programs, run
from installer.locks.light import lock_of
from installer.release import BuildJob, Release
from installer.windows.tree import ICON, WindowsPython, WindowsTree, files_of

_HERE = Path(__file__).parent
_SOURCES = ("setup.nsi", "words.nsh", "launcher.c", "launcher.rc", "launcher.manifest")
_COMPILER, _RESOURCES = "x86_64-w64-mingw32-gcc", "x86_64-w64-mingw32-windres"
_FLAGS = ("-Os", "-s", "-Wall", "-Wextra", "-Werror", "-municode", "-Wl,--no-insert-timestamp")
_LAUNCHERS = {"idlebrush.exe": (), "idlebrush-app.exe": ("-mwindows", "-DWINDOWLESS")}


@dataclass(frozen=True)
class CompilerTools:
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

    def scratch(self, here: Path) -> Path:
        """Return a folder in which they can work: ``here``, or one of the system that they are in."""
        return here if self.system == Path("/") else self.system / "tmp"


@dataclass(frozen=True)
class InstallerBuild:
    """Input of the compiler of an installer."""

    stage: Path
    """Folder in which it is compiled; the tree is below it."""
    release: Release
    log: Path
    """File for the output of programs."""
    tools: CompilerTools
    compression: str = "lzma"
    """``lzma``, or ``none`` where it is only tried."""

    @property
    def tree(self) -> WindowsTree:
        """The tree that is installed."""
        return WindowsTree(self.stage / "tree", self.release, self.log)

    def compile(self, out: Path) -> Path:
        """Compile the launchers and the installer, and return its path in the folder ``out``.

        Raises:
            BuildError: A tool is missing, or fails.
        """
        for name in _SOURCES:
            shutil.copyfile(_HERE / name, self.stage / name)
        shutil.copyfile(self.tree.folder / ICON, self.stage / "idlebrush.ico")
        self._compile_launchers()
        (self.stage / "build.nsh").write_text(self._definitions())
        (self.stage / "files.nsh").write_text(file_list(self.tree.folder))
        self._run("makensis", "-V2", "-WX", "-INPUTCHARSET", "UTF8", "setup.nsi")
        place = out / f"idlebrush-{self.release.version}-windows-x86_64.exe"
        shutil.copyfile(self.stage / "idlebrush-installer.exe", place)
        return place

    def package(self, out: Path) -> BuiltPackage:
        """Compile the installer into the folder ``out``, list there what it installs, and return its entry.

        Raises:
            BuildError: A tool is missing, or fails.
        """
        made = self.compile(out)
        write_listing(self.tree.folder, out / "contents-windows-x86_64.txt")
        # Wine is not Windows.
        return BuiltPackage.of(made, PackageKind.INSTALLER, PackageMachine.X86_64, tried=False)

    def _run(self, *command: str) -> None:
        self.tools.run(command, self.stage, self.log, self.release)

    def _compile_launchers(self) -> None:
        (self.tree.folder / "bin").mkdir(exist_ok=True)
        numbers = ",".join(map(str, _numbers(self.release)))
        defined = [f"-DVERSION_NUMBERS={numbers}", f'-DVERSION_TEXT=\\"{self.release.version}\\"']
        self._run(_RESOURCES, *defined, "launcher.rc", "-O", "coff", "-o", "launcher.res")
        for name, kind in _LAUNCHERS.items():
            self._run(_COMPILER, *_FLAGS, *kind, "launcher.c", "launcher.res", "-o", f"tree/bin/{name}")

    def _definitions(self) -> str:
        values = {
            "VERSION": self.release.version,
            "VERSION_NUMBERS": ".".join(map(str, _numbers(self.release))),
            "INSTALLED_KB": sum(path.stat().st_size for path in files_of(self.tree.folder)) // 1024,
            "COMPRESSION": self.compression,
        }
        return "".join(f'!define {name} "{value}"\n' for name, value in values.items())


def build_windows(job: BuildJob, python: WindowsPython, tools: CompilerTools) -> list[BuiltPackage]:
    """Build the installer for Windows, list what is in it, and return its entry.

    Args:
        job: What is built, and where.
        python: Python for Windows.
        tools: CompilerTools, of this system or of another one's folder.

    Raises:
        BuildError: A tool or a package is missing, or fails.
    """
    with tempfile.TemporaryDirectory(dir=tools.scratch(job.work), prefix="idlebrush-setup-") as stage:
        making = InstallerBuild(Path(stage), job.release, job.log, tools)
        making.tree.folder.mkdir()
        making.tree.lay(python, lock_of("windows"))
        making.tree.name_source(job.source)
        making.tree.name_updates(job.updates)
        return [making.package(job.output)]


def _numbers(release: Release) -> tuple[int, int, int, int]:
    """Return the version as Windows keeps it in programs."""
    major, minor, patch = (int(part) for part in release.version.split(".")[:3])
    return major, minor, patch, 0


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
