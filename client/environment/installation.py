"""Installs wheels into a new virtual environment, offline: each file must have the digest that the list has.

uv does it if its program is at hand: it unpacks several wheels at a time. Otherwise pip of the given Python does, as
each Python brings it. Neither resolves anything (``--no-deps``), so what is installed is what was listed.
"""

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from client.api.errors import SetupError
from client.environment.lock_file import Wheel, canonical_name
from client.environment.places import python_of
from client.environment.programs import ProgramEnd, ProgramRunner

_VENV_SECONDS = 120.0
_INSTALL_SECONDS = 3_600.0
"""Seconds for unpacking: 7 GB on a slow disk that other programs use."""

OnInstalled = Callable[[str, int, int], None]
"""Receiver of a package's name, the bytes unpacked so far by whole packages, and those of all packages."""


@dataclass(frozen=True)
class StoredWheel:
    """A wheel and its place."""

    wheel: Wheel
    path: Path

    @property
    def requirement(self) -> str:
        """Line of a requirements file that names exactly this file."""
        return f"{self.wheel.package} @ {self.path.absolute().as_uri()} --hash=sha256:{self.wheel.sha256}"


class WheelInstaller:
    """Makes environments for one Python."""

    def __init__(self, programs: ProgramRunner, python: Path | None = None, uv: Path | None = None) -> None:
        """Prepare to install.

        Args:
            programs: Runs the programs.
            python: Interpreter that environments are made for; None: this process's own.
            uv: Program of uv; None: pip is used.
        """
        self._programs, self._uv = programs, uv
        self._python = python or Path(sys.executable)

    def install(self, wheels: Sequence[StoredWheel], folder: Path, on: OnInstalled) -> None:
        """Make the environment ``folder`` of ``wheels``, and report each package that is unpacked.

        Raises:
            SetupError: It cannot be made.
            OSError: By the disk.
        """
        command = [str(self._python), "-I", "-m", "venv", "--without-pip", str(folder)]
        _check(self._run(command, _VENV_SECONDS), "The environment cannot be made")
        requirements = folder / "requirements.txt"
        requirements.write_text("".join(f"{wheel.requirement}\n" for wheel in wheels), encoding="utf-8")
        command = self.uv_command(requirements) if self._uv else self.pip_command(requirements)
        progress = _Unpacked(folder, [stored.wheel for stored in wheels], on)
        finished = self._run(command, _INSTALL_SECONDS, progress.look)
        _check(finished, "The packages cannot be installed")
        progress.look()
        _require_all(progress, finished)

    def uv_command(self, requirements: Path) -> list[str]:
        """Return uv's command; its cache is on the same disk, so that files are linked and not copied."""
        cache = self._programs.temporary / "uv"
        return [
            *(str(self._uv), "pip", "install", "--python", str(python_of(requirements.parent))),
            *("--offline", "--no-index", "--no-deps", "--require-hashes", "--no-config", "--no-progress"),
            *("--cache-dir", str(cache), "--requirements", str(requirements)),
        ]

    def pip_command(self, requirements: Path) -> list[str]:
        """Return pip's command; Python compiles modules when they are first imported."""
        return [
            *(
                str(self._python),
                "-I",
                "-m",
                "pip",
                "--isolated",
                "--python",
                str(python_of(requirements.parent)),
            ),
            *("install", "--no-index", "--no-deps", "--require-hashes", "--no-compile", "--no-cache-dir"),
            *("--no-input", "--disable-pip-version-check", "--progress-bar", "off"),
            *("--requirement", str(requirements)),
        ]

    def _run(
        self, command: Sequence[str], seconds: float, tick: Callable[[], None] = lambda: None
    ) -> ProgramEnd:
        try:
            return self._programs.run(command, seconds, tick)
        except OSError as error:
            raise SetupError(
                f"{command[0]} cannot be started: {error.strerror or error}.", "Install Idlebrush again."
            ) from error


class _Unpacked:
    """Progress of an installer, which writes a package's record last."""

    def __init__(self, folder: Path, wheels: Sequence[Wheel], on: OnInstalled) -> None:
        self._folder, self._on = folder, on
        self._left = {canonical_name(wheel.file.partition("-")[0]): wheel for wheel in wheels}
        self._total = sum(wheel.unpacked for wheel in wheels)
        self._done = 0

    @property
    def left(self) -> list[str]:
        """Names of the packages that are not installed yet."""
        return [wheel.package for wheel in self._left.values()]

    def look(self) -> None:
        """Report the packages that were completed since the last look."""
        for record in self._folder.glob("lib/python*/site-packages/*.dist-info/RECORD"):
            name = record.parent.name.partition("-")[0]  # the version may be written in another way
            if wheel := self._left.pop(canonical_name(name), None):
                self._done += wheel.unpacked
                self._on(wheel.package, self._done, self._total)


def _check(finished: ProgramEnd, what: str) -> None:
    """Raise SetupError if a program failed."""
    if finished.status == 0:
        return
    if finished.status is None:
        raise SetupError(f"{what}: it takes too long.", "See that the disk works, and try again.")
    if "No space left on device" in finished.output:
        raise SetupError(f"{what}: the disk is full.", "Free some space on that disk, and try again.")
    if re.search(r"hash(es)? mismatch|DO NOT MATCH THE HASHES", finished.output, re.IGNORECASE):
        raise SetupError(
            f"{what}: a file on this disk is no longer what was downloaded.",
            "Check the disk. The packages are downloaded again at the next attempt.",
        )
    why = finished.last_line or f"exit status {finished.status}"
    raise SetupError(f"{what}: {why}", "Try again. If it stays so, report it with the file setup.log.")


def _require_all(progress: _Unpacked, finished: ProgramEnd) -> None:
    if progress.left:
        raise SetupError(
            f"The packages cannot be installed: {', '.join(progress.left[:5])} is missing afterwards.",
            f"Report this with the file setup.log. The installer said: {finished.last_line}",
        )
