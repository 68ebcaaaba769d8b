"""Checks of what trains: its packages or its environment, PyTorch, the peer-to-peer daemon.

They ask the Python by which trainers run, which may be another than this process's own.
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from pydantic import BaseModel, ValidationError

from client.checks.installation import output_of
from client.doctor import CheckVerdict, Finding
from client.environment.interpreter import TrainerPython
from client.environment.places import record_of
from client.hosts.wsl.command import WslCommand
from client.side_thread import in_thread
from core import packages
from core.packages import PackageSet

_TORCH = """
import json, torch
print(json.dumps({"torch": torch.__version__, "cuda": torch.version.cuda, "gpus": torch.cuda.device_count()}))
"""
_HIVEMIND = """
import json
from importlib import metadata, util
folders = util.find_spec("hivemind").submodule_search_locations
print(json.dumps({"version": metadata.version("hivemind"), "folders": list(folders)}))
"""


class TorchView(BaseModel):
    """PyTorch's view of this machine, read in a process of its own: it is large, and a broken driver may hang it."""

    torch: str
    cuda: str | None
    """The version it was built for; None: for the processor alone."""
    gpus: int


class HivemindView(BaseModel):
    """Place and version of hivemind."""

    version: str
    folders: tuple[PurePosixPath, ...]


def command_in(python: TrainerPython, code: str) -> tuple[str, ...]:
    """Return the command that runs ``code`` by the Python of trainers; raise SetupError if there is none yet."""
    interpreter = python.find()
    if interpreter is None:
        return sys.executable, "-c", code
    if python.inside is not None:
        return tuple(WslCommand().inside(interpreter.path.as_posix(), "-I", "-c", code))
    return str(interpreter.path), "-I", "-c", code


async def look_at_packages(
    python: TrainerPython, missing: Callable[[PackageSet], tuple[str, ...]] = packages.missing
) -> Sequence[Finding]:
    """Say whether what training needs is installed, beside the app or in an environment of its own."""
    if not python.is_own:
        return [await in_thread(lambda: _environment(python))]
    coordinator = await in_thread(lambda: missing(PackageSet.COORDINATOR))
    if coordinator:
        found = (
            f"The app and its trainer are installed. To organise a run, add {packages.listed(coordinator)}."
        )
    else:
        found = "The app, its trainer and the coordinator are installed."
    return [Finding("Packages", CheckVerdict.OK, found)]


def _environment(python: TrainerPython) -> Finding:
    folder = python.environment
    record = record_of(folder) if folder is not None else None
    if record is None:
        found = "The app is installed, and what training needs is not."
        return Finding("Packages", CheckVerdict.PROBLEM, found, packages.remedy_of_trainer())
    return Finding(
        "Packages", CheckVerdict.OK, f"The app is installed, and the environment for training. {record.why}"
    )


async def look_at_torch(nvidia: bool, command: Sequence[str]) -> list[Finding]:
    """Check PyTorch.

    Args:
        nvidia: True if a GPU with a driver that works is there for it.
        command: Command that prints a `TorchView` as JSON.
    """
    status, out, err = await output_of(*command)
    try:
        view = TorchView.model_validate(json.loads(out))
    except (json.JSONDecodeError, ValidationError):
        found = f"PyTorch cannot be loaded: {_last_words(err, status)}"
        return [Finding("PyTorch", CheckVerdict.PROBLEM, found, packages.remedy_of_trainer())]
    return [judge_torch(view, nvidia)]


async def look_at_torch_of(python: TrainerPython, nvidia: bool) -> list[Finding]:
    """Check the PyTorch that trainers use, as `look_at_torch` does."""
    return await look_at_torch(nvidia, command_in(python, _TORCH))


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
        else "Run `idlebrush setup --plan`, which says why PyTorch is built for the processor."
    )
    return Finding("PyTorch", CheckVerdict.WARNING, f"{found} The GPU of this computer stays unused.", remedy)


async def look_at_p2p_daemon(python: TrainerPython) -> Sequence[Finding]:
    """Check that the program which carries a swarm's traffic runs on this system."""
    status, out, err = await output_of(*command_in(python, _HIVEMIND))
    try:
        view = HivemindView.model_validate(json.loads(out))
    except (json.JSONDecodeError, ValidationError):
        found = f"hivemind cannot be found: {_last_words(err, status)}"
        return [Finding("Peer to peer", CheckVerdict.PROBLEM, found, packages.remedy_of_trainer())]
    program = str(view.folders[0] / "hivemind_cli" / "p2pd")
    command = (program,) if python.inside is None else tuple(WslCommand().inside(program))
    return [await look_at_program(program, view.version, command)]


async def look_at_program(program: str, version: str, command: Sequence[str]) -> Finding:
    """Run a program's help, as it has no option for its version.

    Args:
        program: Path of the program, for people.
        version: Version of hivemind.
        command: Command that runs it.
    """
    try:
        _, out, err = await output_of(*command, "-help")
    except OSError as error:
        why = f"The peer-to-peer daemon {program} cannot be run: {error.strerror or error}."
        return Finding("Peer to peer", CheckVerdict.PROBLEM, why, packages.remedy_of_trainer())
    if "Usage" not in out + err:
        why = f"The peer-to-peer daemon {program} does not run on this system."
        return Finding("Peer to peer", CheckVerdict.PROBLEM, why, packages.remedy_of_trainer())
    return Finding("Peer to peer", CheckVerdict.OK, f"hivemind {version}; its libp2p daemon runs.")


def _last_words(err: str, status: int) -> str:
    return (err.strip().splitlines() or [f"exit status {status}"])[-1]
