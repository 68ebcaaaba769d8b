"""Finds the GPUs of this machine, and which of them can train today."""

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from client.api.errors import NvmlAbsent, NvmlError
from client.machine.gpu.nvml import Nvml

_SYS = Path("/sys")
_DISPLAY_CLASS = "0x03"
_NVIDIA, _AMD = "0x10de", "0x1002"


class Backend(StrEnum):
    """PyTorch's backend for a device."""

    CUDA = "CUDA"
    ROCM = "ROCm"
    MPS = "MPS"


@dataclass(frozen=True)
class FoundDevice:
    name: str
    backend: Backend
    memory: int | None
    """Memory in bytes; None: not known."""
    usable: bool
    """True if training uses it today."""
    remark: str
    """A sentence for people: why it is not used, and what to do."""
    index: int | None = None
    """The number by which preferences name it; None: they cannot."""


def find_devices(
    nvml: Nvml | None = None,
    sys: Path = _SYS,
    system: str = platform.system(),
    architecture: str = platform.machine(),
) -> tuple[FoundDevice, ...]:
    """Find all GPUs.

    Args:
        nvml: Driver to ask, closed afterwards; None: the installed one.
        sys: Folder where the kernel shows its devices.
        system: Name of the operating system.
        architecture: Name of the processor's architecture.

    Returns:
        The GPUs; empty if there is none that anything could train on.
    """
    apple = (_APPLE,) if (system, architecture) == ("Darwin", "arm64") else ()
    return (*_nvidia(nvml or Nvml(), sys), *_amd(sys), *apple)


def nvidia_asleep(sys: Path = _SYS) -> bool:
    """Return true if the kernel has powered down every NVIDIA GPU, as laptops do with an unused one."""
    states = [_line(card / "power/runtime_status") for card in _graphics_cards(sys, _NVIDIA)]
    return bool(states) and set(states) == {"suspended"}


_APPLE = FoundDevice(
    "Apple GPU",
    Backend.MPS,
    None,
    False,
    "Training on Apple's GPUs is not supported yet; the processor trains.",
)


def _nvidia(nvml: Nvml, sys: Path) -> Iterator[FoundDevice]:
    try:
        for index, handle in enumerate(nvml.handles()):
            memory = int(nvml.ask("nvmlDeviceGetMemoryInfo", handle).total)
            name = str(nvml.ask("nvmlDeviceGetName", handle))
            yield FoundDevice(name, Backend.CUDA, memory, True, "It can train.", index)
    except NvmlAbsent:
        remark = "Its driver does not run. Install NVIDIA's driver; until then the processor trains."
        yield from (_without_driver(remark) for _ in _graphics_cards(sys, _NVIDIA))
    except NvmlError as error:
        yield _without_driver(f"{error.what} {error.remedy}")
    finally:
        nvml.close()


def _without_driver(remark: str) -> FoundDevice:
    return FoundDevice("NVIDIA GPU", Backend.CUDA, None, False, remark)


def _amd(sys: Path) -> Iterator[FoundDevice]:
    has_compute = (sys / "class/kfd/kfd").exists()
    driver = (
        "its compute driver (ROCm) is there" if has_compute else "its compute driver (ROCm) is not installed"
    )
    for card in _graphics_cards(sys, _AMD):
        memory = _line(card / "mem_info_vram_total")
        yield FoundDevice(
            _line(card / "product_name") or "AMD GPU",
            Backend.ROCM,
            int(memory) if memory.isdigit() else None,
            False,
            f"Training on AMD's GPUs is not supported yet; the processor trains ({driver}).",
        )


def _graphics_cards(sys: Path, vendor: str) -> Iterator[Path]:
    for card in sorted((sys / "bus/pci/devices").glob("*")):
        if _line(card / "vendor") == vendor and _line(card / "class").startswith(_DISPLAY_CLASS):
            yield card


def _line(path: Path) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""
