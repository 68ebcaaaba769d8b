"""Measurements of machines' training speed, those measured before included. Loads no torch."""

import platform
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter


@dataclass(frozen=True)
class ModelSpeed:
    """A machine's speed on one workload."""

    samples_per_second: float
    tokens_per_second: float
    """Positions of the sequence per second, of captions and codes."""


@dataclass(frozen=True)
class MachineSpeed:
    """A machine's speed on all workloads."""

    name: str
    threads: int
    gemm_gflops: float
    """10^9 operations per second in a large product of float32 matrices."""
    ram_bytes: int
    """Largest RAM in bytes that the measuring process held, interpreter and torch included."""
    models: dict[str, ModelSpeed]
    """Speeds by the names of the workloads."""


def load_machines(path: Path) -> list[MachineSpeed]:
    """Load the machines that were measured before from the JSON file ``path``."""
    return TypeAdapter(list[MachineSpeed]).validate_json(path.read_bytes())


def processor_name() -> str:
    """Return the model of the processor where the system tells it.

    On Linux, ``platform`` knows the architecture alone.
    """
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
