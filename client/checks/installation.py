"""Checks of this installation: version and Python, folders, our own daemon."""

import asyncio
import os
import platform
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from client.api.answers import Status
from client.api.connection import Connection
from client.api.errors import ControlError, NoDaemon
from client.api.questions import GetStatus
from client.doctor import CheckVerdict, Finding
from client.paths import Paths
from client.side_thread import in_thread

_WRITABLE_BY_OTHERS = 0o022


async def look_at_python() -> Sequence[Finding]:
    system = f"{platform.system()} {platform.release()}"
    found = f"Idlebrush {version('idlebrush')}, Python {platform.python_version()}, {system}."
    return [Finding("Version", CheckVerdict.OK, found)]


async def look_at_folders(paths: Paths) -> Sequence[Finding]:
    folders = (paths.config, paths.data, paths.logs, paths.runtime)
    wrong = await in_thread(lambda: [fault for folder in folders if (fault := _fault(folder))])
    if not wrong:
        return [Finding("Folders", CheckVerdict.OK, f"Files are kept in {paths.data}, logs in {paths.logs}.")]
    return [Finding("Folders", CheckVerdict.PROBLEM, what, remedy) for what, remedy in wrong]


def _fault(folder: Path) -> tuple[str, str] | None:
    """Return the problem and the remedy of a folder, or of the one that it would be made in; None: it is fine."""
    there = next(part for part in (folder, *folder.parents) if part.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        return (
            f"The folder {there} cannot be written to: {error.strerror}.",
            "Make yourself its owner, or set IDLEBRUSH_HOME.",
        )
    if there == folder and os.name == "posix" and folder.stat().st_mode & _WRITABLE_BY_OTHERS:
        return f"Other users may write to {folder}.", f"Run: chmod 700 {folder}"
    return None


async def look_at_daemon(paths: Paths) -> Sequence[Finding]:
    return [await in_thread(lambda: _daemon(paths))]


def _daemon(paths: Paths) -> Finding:
    try:
        with Connection.open(paths.socket) as connection:
            answer = connection.ask(GetStatus(), seconds=5.0)
    except NoDaemon:
        return Finding("Daemon", CheckVerdict.OK, "The daemon is not running. `idlebrush daemon` starts it.")
    except ControlError as error:
        return Finding("Daemon", CheckVerdict.PROBLEM, error.what, error.remedy)
    if not isinstance(answer, Status):
        return Finding(
            "Daemon", CheckVerdict.PROBLEM, "The daemon does not report its state.", "Start the daemon again."
        )
    snapshot = answer.snapshot
    if snapshot.version != version("idlebrush"):
        old = f"The daemon has version {snapshot.version}."
        return Finding(
            "Daemon",
            CheckVerdict.WARNING,
            old,
            "End it with `idlebrush quit`. It is started again automatically.",
        )
    return Finding(
        "Daemon", CheckVerdict.OK, f"The daemon runs as process {snapshot.pid}: {snapshot.headline}"
    )


async def output_of(*command: str) -> tuple[int, str, str]:
    """Exit status, standard output and error of a program, which is ended if the caller stops waiting."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode or 0, out.decode(errors="replace"), err.decode(errors="replace")
