"""Checks of what is installed here: packages and PyTorch, the peer-to-peer daemon, folders, our own daemon."""

import asyncio
import importlib.util
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from pydantic import BaseModel, ValidationError

from client.api.answers import Status
from client.api.connection import Connection
from client.api.errors import ControlError, NoDaemon
from client.api.questions import GetStatus
from client.doctor import CheckVerdict, Finding
from client.paths import Paths
from client.side_thread import in_thread
from core import packages
from core.packages import PackageSet

_REINSTALL = "Install Idlebrush again."
_TORCH = """
import json, torch
print(json.dumps({"torch": torch.__version__, "cuda": torch.version.cuda, "gpus": torch.cuda.device_count()}))
"""
_WRITABLE_BY_OTHERS = 0o022


class TorchView(BaseModel):
    """PyTorch's view of this machine, read in a process of its own: it is large, and a broken driver may hang it."""

    torch: str
    cuda: str | None
    """The version it was built for; None: for the processor alone."""
    gpus: int


async def look_at_python() -> Sequence[Finding]:
    system = f"{platform.system()} {platform.release()}"
    found = f"Idlebrush {version('idlebrush')}, Python {platform.python_version()}, {system}."
    return [Finding("Version", CheckVerdict.OK, found)]


async def look_at_packages(
    missing: Callable[[PackageSet], tuple[str, ...]] = packages.missing,
) -> Sequence[Finding]:
    """Say which sets of packages are installed; without the trainer's, nothing can be trained here."""
    trainer, coordinator = await in_thread(
        lambda: (missing(PackageSet.TRAINER), missing(PackageSet.COORDINATOR))
    )
    if trainer:
        found = f"The app is installed without its trainer. Missing: {packages.listed(trainer)}."
        return [Finding("Packages", CheckVerdict.PROBLEM, found, packages.INSTALL)]
    if coordinator:
        found = (
            f"The app and its trainer are installed. To organise a run, add {packages.listed(coordinator)}."
        )
    else:
        found = "The app, its trainer and the coordinator are installed."
    return [Finding("Packages", CheckVerdict.OK, found)]


async def look_at_torch(
    nvidia: bool, command: Sequence[str] = (sys.executable, "-c", _TORCH)
) -> list[Finding]:
    """Check PyTorch; ``nvidia``: whether a GPU with a driver that works is there for it."""
    status, out, err = await output_of(*command)
    try:
        view = TorchView.model_validate(json.loads(out))
    except (json.JSONDecodeError, ValidationError):
        last = (err.strip().splitlines() or [f"exit status {status}"])[-1]
        return [Finding("PyTorch", CheckVerdict.PROBLEM, f"PyTorch cannot be loaded: {last}", _REINSTALL)]
    return [judge_torch(view, nvidia)]


def judge_torch(view: TorchView, nvidia: bool) -> Finding:
    kind = f"for CUDA {view.cuda}" if view.cuda else "for the processor only"
    found = (
        f"PyTorch {view.torch}, built {kind}, sees {view.gpus or 'no'} GPU{'' if view.gpus == 1 else 's'}."
    )
    if not nvidia or view.gpus:
        return Finding("PyTorch", CheckVerdict.OK, found)
    remedy = (
        "Update the driver of the GPU."
        if view.cuda
        else "Install Idlebrush with a PyTorch that is built for CUDA."
    )
    return Finding("PyTorch", CheckVerdict.WARNING, f"{found} The GPU of this computer stays unused.", remedy)


async def look_at_p2p_daemon() -> Sequence[Finding]:
    """Check that the program which carries a swarm's traffic runs on this system."""
    spec = importlib.util.find_spec("hivemind")
    if spec is None or not spec.submodule_search_locations:
        return [Finding("Peer to peer", CheckVerdict.PROBLEM, "hivemind is not installed.", _REINSTALL)]
    program = Path(spec.submodule_search_locations[0]) / "hivemind_cli" / "p2pd"
    return [await look_at_program(program)]


async def look_at_program(program: Path) -> Finding:
    """Run a program's help, as it has no option for its version."""
    try:
        _, out, err = await output_of(str(program), "-help")
    except OSError as error:
        why = f"The peer-to-peer daemon {program} cannot be run: {error.strerror or error}."
        return Finding("Peer to peer", CheckVerdict.PROBLEM, why, _REINSTALL)
    if "Usage" not in out + err:
        why = f"The peer-to-peer daemon {program} does not run on this system."
        return Finding("Peer to peer", CheckVerdict.PROBLEM, why, _REINSTALL)
    return Finding(
        "Peer to peer", CheckVerdict.OK, f"hivemind {version('hivemind')}; its libp2p daemon runs."
    )


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
