"""What a machine's training speed is told by, and the machines that were measured before. Loads no torch."""

import platform
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter


@dataclass(frozen=True)
class ModelSpeed:
    """What a machine does of one workload."""

    samples_per_second: float
    tokens_per_second: float
    """Positions of the sequence, captions and codes."""


@dataclass(frozen=True)
class MachineSpeed:
    """What a machine does."""

    name: str
    threads: int
    gemm_gflops: float
    """10^9 operations per second in a large product of float32 matrices."""
    ram_bytes: int
    """The most that the measuring process held in RAM, interpreter and torch included."""
    models: dict[str, ModelSpeed]
    """By the names of the workloads."""


def load_machines(path: Path) -> list[MachineSpeed]:
    """Machines that were measured before, from a JSON file."""
    return TypeAdapter(list[MachineSpeed]).validate_json(path.read_bytes())


def processor_name() -> str:
    """The model of the processor where the system tells it; ``platform`` knows the architecture alone on Linux."""
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
