"""Memory of a machine: the bytes that are free, those that its owner allows, and those that training may fill."""

from dataclasses import dataclass

from core.errors import MemoryPlanError
from core.model.techniques import Precision

CUDA_CONTEXT = 400 << 20
"""GPU memory that CUDA, its libraries and the graphs of a micro-step take in a process beside its tensors.

An estimate for the cards of homes. On an H200, whose kernels are larger, it was 750 MiB and 70 MiB for the graphs.
"""
FRAGMENTATION = 0.10
"""Share of the rest that lies between tensors. Whole processes were seen 20 to 30 % above the sum of their
tensors with stock PyTorch; ours hold few and large ones, and what CUDA takes is counted by itself."""
RAM_HEAD_ROOM = 0.10
"""Share of RAM left to whatever grows meanwhile: other programs, and averagers over hours (hivemind, issue 264)."""


@dataclass(frozen=True)
class MachineResources:
    """Resources of a machine: bytes that are free now, and properties of the device that trains."""

    ram_bytes: int
    """Free bytes of RAM."""
    gpu_bytes: int | None = None
    """Free bytes of the GPU; None: no GPU, the processor trains."""
    cores: int = 1
    """Cores of the processor."""
    precisions: tuple[Precision, ...] = (Precision.FLOAT32,)
    """Types that the device computes well: 16 bits only where they are faster."""
    name: str = ""
    """Name of the device, for people."""


@dataclass(frozen=True)
class Allowance:
    """Bytes that the volunteer lets training take, at most; None: all that is free."""

    gpu_bytes: int | None = None
    ram_bytes: int | None = None

    def of(self, machine: MachineResources) -> "Sizes":
        """Return the bytes of a ``machine`` that are both free and allowed."""
        return Sizes(
            _least(machine.gpu_bytes or 0, self.gpu_bytes), _least(machine.ram_bytes, self.ram_bytes)
        )


@dataclass(frozen=True)
class Sizes:
    """Bytes on the GPU and in RAM."""

    gpu: int
    ram: int

    @property
    def usable(self) -> "Sizes":
        """Bytes that tensors may fill on the GPU, and processes in RAM, so that head-room is left."""
        gpu = int((self.gpu - CUDA_CONTEXT) * (1 - FRAGMENTATION))
        return Sizes(max(0, gpu), int(self.ram * (1 - RAM_HEAD_ROOM)))

    def beyond(self, other: "Sizes") -> "Sizes":
        """Return the bytes of these sizes that ``other`` lacks."""
        return Sizes(max(0, self.gpu - other.gpu), max(0, self.ram - other.ram))

    @property
    def total(self) -> int:
        """Bytes on both."""
        return self.gpu + self.ram


def missing(taken: Sizes, available: Sizes) -> Sizes:
    """Return how many bytes more must be free for ``taken`` to fit into ``available``, head-room included."""
    lacking = taken.beyond(available.usable)
    gpu = lacking.gpu / (1 - FRAGMENTATION)
    if lacking.gpu and available.gpu < CUDA_CONTEXT:
        gpu += CUDA_CONTEXT - available.gpu
    return Sizes(-int(-gpu // 1), -int(-lacking.ram / (1 - RAM_HEAD_ROOM) // 1))


def check_sizes(machine: MachineResources, allowance: Allowance) -> None:
    """Check that neither the ``machine`` nor the ``allowance`` has less than nothing.

    Raises:
        MemoryPlanError: one of them has.
    """
    sizes = (machine.ram_bytes, machine.gpu_bytes, allowance.ram_bytes, allowance.gpu_bytes)
    if any(size is not None and size < 0 for size in sizes) or machine.cores < 1:
        raise MemoryPlanError(
            "Memory cannot be negative, and a machine needs at least one core.",
            "Give 0 bytes or more, and one core or more.",
        )


def _least(free: int, allowed: int | None) -> int:
    return free if allowed is None else min(free, allowed)
