"""Measurements of machines' training speed, those measured before included. Loads no torch."""

import platform
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from core.windows_registry import MachineRegistry, RegistryReader


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


_CPU_INFO = Path("/proc/cpuinfo")
_REGISTERED = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
"""Key of Windows' registry that describes the first processor."""


def processor_name(described: Path = _CPU_INFO, registry: RegistryReader | None = None) -> str:
    """Return the model of the processor where the system tells it.

    On Linux, ``platform`` knows the architecture alone; on Windows, the family and the stepping.

    Args:
        described: File in which Linux describes its processors.
        registry: RegistryReader of Windows to ask where there is no such file; None: this machine's.
    """
    if described.exists():
        for line in described.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    try:
        name = str((registry or MachineRegistry()).value(_REGISTERED, "ProcessorNameString")).strip()
    except OSError:
        name = ""
    return name or platform.processor() or platform.machine()
