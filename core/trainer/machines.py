"""Measurements of machines' training speed, those measured before included. Loads no torch."""

import ctypes
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    """Threads that computed."""
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
_BRAND = b"machdep.cpu.brand_string"
_LONGEST_NAME = 256


def processor_name(
    described: Path = _CPU_INFO,
    registry: RegistryReader | None = None,
    system: str = platform.system(),
    libc: Any = None,
) -> str:
    """Return the model of the processor where the system tells it.

    On Linux and macOS, ``platform`` knows the architecture alone; on Windows, the family and the stepping.

    Args:
        described: File in which Linux describes its processors.
        registry: RegistryReader of Windows to ask where there is no such file; None: this machine's.
        system: Name of the operating system, as ``platform.system`` has it.
        libc: macOS's C library; None: the one of this process.
    """
    if system == "Darwin":
        found = _brand(libc or ctypes.CDLL(None))
    else:
        found = _model(described) or _registered(registry or MachineRegistry())
    return found or platform.processor() or platform.machine()


def _model(described: Path) -> str:
    if described.exists():
        for line in described.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return ""


def _registered(registry: RegistryReader) -> str:
    try:
        return str(registry.value(_REGISTERED, "ProcessorNameString")).strip()
    except OSError:
        return ""


def _brand(libc: Any) -> str:
    """Return what macOS calls the processor, by sysctlbyname of sys/sysctl.h; no Mac has run this yet."""
    ask, size_t = libc.sysctlbyname, ctypes.c_size_t
    ask.restype = ctypes.c_int
    ask.argtypes = (ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(size_t), ctypes.c_void_p, size_t)
    name, size = ctypes.create_string_buffer(_LONGEST_NAME), size_t(_LONGEST_NAME)
    refused = ask(_BRAND, name, ctypes.byref(size), None, 0)
    return "" if refused else name.value.decode(errors="replace").strip()
