"""Checks before any measurement that a machine can run `make gpu`; needs only the standard library."""

import importlib.metadata
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import CoreError

OLDEST_PYTHON, NEWEST_PYTHON = (3, 11), (3, 13)
OLDEST_TORCH = (2, 10)
NEEDED = ("torch", "numpy", "pydantic", "safetensors", "psutil", "rich")
"""Packages without which no part can run: imports of the model, its memory plan and the reports."""
LIST = "benchmarks/environments/gpu.txt"

_PROBE = """
import json, torch
found = {"torch": torch.__version__, "cuda": torch.version.cuda, "gpus": 0, "error": ""}
try:
    torch.cuda.init()
    found["gpus"] = torch.cuda.device_count()
    properties = torch.cuda.get_device_properties(0)
    found |= {"name": properties.name, "memory": properties.total_memory}
    found |= {"capability": [properties.major, properties.minor]}
except Exception as error:
    found["error"] = f"{type(error).__name__}: {error}"
print(json.dumps(found))
"""


class GpuError(CoreError):
    """An obstacle: this machine, or this Python, cannot run `make gpu`."""

    code = "gpu"


@dataclass(frozen=True)
class MeasuredGpu:
    """The measured GPU: the first one that CUDA shows."""

    name: str
    memory_bytes: int
    capability: tuple[int, int]
    torch: str
    cuda: str


def importable(package: str) -> bool:
    """Return true if a ``package`` is installed; it is not imported."""
    return importlib.util.find_spec(package) is not None


def why_missing(*packages: str) -> str:
    """Return why a measurement that needs these missing ``packages`` is left out, and what lists them."""
    verb = "is" if len(packages) == 1 else "are"
    return f"{', '.join(packages)} {verb} not installed for this Python: {LIST} lists what to install"


def check_python(
    version: Sequence[int] = tuple(sys.version_info[:2]),
    has: Callable[[str], bool] = importable,
    torch: Callable[[], str] = lambda: importlib.metadata.version("torch"),
) -> None:
    """Raise GpuError if the version of this Python is not supported, or a package is missing."""
    if not OLDEST_PYTHON <= tuple(version[:2]) <= NEWEST_PYTHON:
        raise GpuError(
            f"This is Python {version[0]}.{version[1]}, and Python 3.11 to 3.13 is supported.",
            "Name another one: make gpu PYTHON=/path/to/python3.",
        )
    if not has("torch"):
        raise GpuError(
            f"PyTorch is not installed for {sys.executable}.",
            "Name the Python that has it: make gpu PYTHON=/path/to/python3. Nothing is installed by make gpu.",
        )
    if missing := [package for package in NEEDED if not has(package)]:
        raise GpuError(
            f"{sys.executable} lacks {', '.join(missing)}.",
            f"Install what {LIST} lists, or unpack it into a folder and name that: "
            "make gpu PYTHON=python3 PYTHONPATH=FOLDER (benchmarks/README.md). Nothing is installed by make gpu.",
        )
    found = torch()
    if _release(found) < OLDEST_TORCH:
        raise GpuError(
            f"This is PyTorch {found}, and 2.10 or newer is needed.",
            "Name a Python with a newer one: make gpu PYTHON=/path/to/python3.",
        )


def _release(version: str) -> tuple[int, ...]:
    """Return major and minor number of a version such as ``2.11.0+cu130``."""
    return tuple(map(int, re.findall(r"\d+", version)[:2]))


def find_gpu(command: Sequence[str] = (sys.executable, "-c", _PROBE)) -> MeasuredGpu:
    """Return the GPU as a separate process sees it; raise GpuError if torch can use none."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        raise GpuError(
            f"PyTorch cannot be imported: {last}", "Mend that installation, or name another Python."
        )
    return gpu_of(json.loads(done.stdout.splitlines()[-1]))


def gpu_of(found: dict[str, Any]) -> MeasuredGpu:
    """Return the GPU that the process found; raise GpuError if it found none."""
    if not found["cuda"]:
        raise GpuError(
            f"No NVIDIA GPU was found: PyTorch {found['torch']} is a build without CUDA.",
            "Name a Python whose PyTorch is built for CUDA: make gpu PYTHON=/path/to/python3.",
        )
    if found["error"] or not found["gpus"]:
        raise GpuError(
            f"No NVIDIA GPU was found by PyTorch {found['torch']} for CUDA {found['cuda']}"
            + (f" ({found['error']})." if found["error"] else "."),
            "See whether nvidia-smi lists one, and whether its driver is new enough for that CUDA. "
            "CUDA_VISIBLE_DEVICES and containers that were started without --gpus hide GPUs.",
        )
    return MeasuredGpu(
        found["name"], found["memory"], tuple(found["capability"]), found["torch"], found["cuda"]
    )
