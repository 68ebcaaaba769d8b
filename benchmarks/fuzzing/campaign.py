"""Fuzzes targets one after another, each in a process of its own, and collects what was found."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from benchmarks.fuzzing.work_folder import FuzzingLimits, FuzzingOutcome, RoomOrder
from core.errors import CoreError

_ROOT = Path(__file__).parents[2]


class NoFuzzerError(CoreError):
    """The fuzzer is not installed."""

    code = "no_fuzzer"


def require_fuzzer() -> None:
    """Raise NoFuzzerError if atheris cannot be imported."""
    if find_spec("atheris") is None:
        raise NoFuzzerError(
            "atheris is not installed.",
            "Install it beside Idlebrush: pip install -r benchmarks/environments/fuzzing.txt",
        )


def fuzz(
    rooms: Mapping[str, Sequence[str]], limits: FuzzingLimits, *, crashes: Path
) -> Iterator[FuzzingOutcome]:
    """Fuzz targets, and yield the outcome of each once its room is done.

    Args:
        rooms: the names of the targets by room; none for all of a room.
        limits: how long each is fuzzed, and what counts as harm.
        crashes: folder to which inputs are copied that show a fault.

    Raises NoFuzzerError without atheris.
    """
    require_fuzzer()
    for room, names in rooms.items():
        with tempfile.TemporaryDirectory(prefix="fuzzing-") as folder:
            order = RoomOrder(room, tuple(names), limits)
            order.write(Path(folder))
            _run(Path(folder))
            for outcome in order.outcomes(Path(folder)):
                yield _kept(outcome, crashes)


def _run(folder: Path) -> None:
    """Run a room's process; libFuzzer's limits end the work on each of its targets."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "benchmarks.fuzzing.room_process", str(folder)]
    subprocess.run(command, cwd=_ROOT, env=environment, check=True, stderr=subprocess.DEVNULL)


def _kept(outcome: FuzzingOutcome, crashes: Path) -> FuzzingOutcome:
    """Copy the inputs of a fault out of the temporary folder."""
    for path in outcome.inputs:
        crashes.mkdir(parents=True, exist_ok=True)
        (crashes / f"{outcome.name}-{path.name}").write_bytes(path.read_bytes())
    return outcome
