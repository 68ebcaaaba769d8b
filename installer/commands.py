"""Runs the programs that a build consists of; what they print goes into a log, and its end into the error."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import CoreError
from core.storage.files import sha256_of

_SHOWN = 2_000
"""Characters of a log's end that an error shows."""


class BuildError(CoreError):
    """A package cannot be built."""

    code = "build"


def run(
    command: Sequence[str | Path],
    log: Path,
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Run a program to its end, and append its output to ``log``.

    Args:
        command: Program and arguments.
        log: File that it is appended to; its folder must be there.
        folder: Working folder; None: this process's own.
        environment: Variables beside those of this process.

    Raises:
        BuildError: The program is missing, or its exit status is not 0.
    """
    words = [str(word) for word in command]
    with log.open("ab") as output:
        output.write(f"$ {subprocess.list2cmdline(words)}\n".encode())
        output.flush()
        try:
            status = subprocess.run(
                words,
                check=False,
                cwd=folder,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            ).returncode
        except FileNotFoundError as error:
            raise missing_program(words[0]) from error
    if status != 0:
        end = log.read_text(errors="replace")[-_SHOWN:]
        raise BuildError(
            f"{words[0]} failed with status {status}:\n{end}", f"Its whole output is at the end of {log}."
        )


def output_of(command: Sequence[str | Path], *, folder: Path | None = None) -> str:
    """Return what a program prints.

    Raises:
        BuildError: The program is missing, or its exit status is not 0.
    """
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, check=False, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
    except FileNotFoundError as error:
        raise missing_program(words[0]) from error
    if done.returncode != 0:
        raise BuildError(
            f"{subprocess.list2cmdline(words)} failed with status {done.returncode}: {done.stderr.strip()}",
            "Run it by hand to see more.",
        )
    return done.stdout


def require_programs(**packages: str) -> None:
    """Check that programs are installed.

    Args:
        packages: Names of Debian's packages, by the programs' names.

    Raises:
        BuildError: Some are missing; it names the packages.
    """
    if lacking := [name for name in packages if shutil.which(name) is None]:
        raise BuildError(
            f"Programs are missing: {', '.join(lacking)}.",
            f"On Debian and Ubuntu: apt-get install {' '.join(sorted({packages[name] for name in lacking}))}",
        )


def require_digest(file: Path, sha256: str) -> None:
    """Check that a ``file`` from elsewhere has the digest ``sha256``, in hex.

    Raises:
        BuildError: It has another one, or cannot be read.
    """
    try:
        found = sha256_of(file)
    except OSError as error:
        raise BuildError(
            f"{file} cannot be read: {error.strerror}.", "Name the file that was downloaded."
        ) from error
    if found != sha256:
        raise BuildError(
            f"{file} has the SHA-256 {found}, and should have {sha256}.",
            "Download it again, and compare the digest with the one that its makers have published.",
        )


def packaged_program(name: str) -> Path:
    """Return a program that a package has installed beside this interpreter.

    Raises:
        BuildError: It is not there.
    """
    program = Path(sys.executable).with_name(name)
    if not program.exists():
        raise BuildError(f"{name} is not installed in this environment.", "Run `make install`.")
    return program


def missing_program(name: str) -> BuildError:
    """Return the error for a program that is not installed."""
    return BuildError(f"{name} is not installed.", "Install it, and build again (docs/packaging.md).")
