"""Finds the GPUs of this machine, and which of them can train today."""

import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from client.api.errors import NvmlAbsent, NvmlError
from client.machine.gpu.cards import AMD, NVIDIA, SYS, GraphicsCard, cards_by, kernel_cards, registered_cards
from client.machine.gpu.nvml import Nvml
from core.windows_registry import MachineRegistry, RegistryReader


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
    sys: Path = SYS,
    system: str = platform.system(),
    architecture: str = platform.machine(),
    registry: RegistryReader | None = None,
) -> tuple[FoundDevice, ...]:
    """Find all GPUs.

    Args:
        nvml: Driver to ask, closed afterwards; None: the installed one.
        sys: Folder where the kernel shows its devices.
        system: Name of the operating system.
        architecture: Name of the processor's architecture.
        registry: Windows' registry; None: this machine's.

    Returns:
        The GPUs; empty if there is none that anything could train on.
    """
    apple = (_APPLE,) if (system, architecture) == ("Darwin", "arm64") else ()
    on_windows = system == "Windows"
    cards = registered_cards(registry or MachineRegistry()) if on_windows else kernel_cards(sys)
    amd = _amd(cards, "" if on_windows else _compute_driver(sys))
    return (*_nvidia(nvml or Nvml(), cards), *amd, *apple)


_APPLE = FoundDevice(
    "Apple GPU",
    Backend.MPS,
    None,
    False,
    "Training on Apple's GPUs is not supported yet; the processor trains.",
)


def _nvidia(nvml: Nvml, cards: Sequence[GraphicsCard]) -> Iterator[FoundDevice]:
    try:
        for index, handle in enumerate(nvml.handles()):
            memory = int(nvml.ask("nvmlDeviceGetMemoryInfo", handle).total)
            name = str(nvml.ask("nvmlDeviceGetName", handle))
            yield FoundDevice(name, Backend.CUDA, memory, True, "It can train.", index)
    except NvmlAbsent:
        remark = "Its driver does not run. Install NVIDIA's driver; until then the processor trains."
        yield from (_without_driver(remark, card) for card in cards_by(NVIDIA, cards))
    except NvmlError as error:
        yield _without_driver(f"{error.what} {error.remedy}", GraphicsCard(NVIDIA))
    finally:
        nvml.close()


def _without_driver(remark: str, card: GraphicsCard) -> FoundDevice:
    return FoundDevice(card.name or "NVIDIA GPU", Backend.CUDA, card.memory, False, remark)


def _amd(cards: Sequence[GraphicsCard], driver: str) -> Iterator[FoundDevice]:
    """Yield AMD's GPUs; ``driver``: words on the compute driver, or none."""
    remark = "Training on AMD's GPUs is not supported yet; the processor trains"
    for card in cards_by(AMD, cards):
        yield FoundDevice(
            card.name or "AMD GPU",
            Backend.ROCM,
            card.memory,
            False,
            f"{remark} ({driver})." if driver else f"{remark}.",
        )


def _compute_driver(sys: Path) -> str:
    there = (sys / "class/kfd/kfd").exists()
    return f"its compute driver (ROCm) is {'there' if there else 'not installed'}"
