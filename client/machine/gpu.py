"""The NVIDIA GPU with the most free memory, to plan for."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from client.api.errors import NvmlError
from client.machine.nvml import Nvml
from core.memory.techniques import Precision


@dataclass(frozen=True)
class Gpu:
    """What there is to train on."""

    name: str
    free_bytes: int
    precisions: tuple[Precision, ...]


def read_gpu(nvml: Nvml | None = None, allowed: Collection[int] | None = None) -> Gpu | None:
    """The GPU; None if there is none, or if there is no driver that works to tell of it.

    Args:
        nvml: closed afterwards; None: the installed one.
        allowed: those that may be used, as the driver numbers them; None: all.
    """
    nvml = nvml or Nvml()
    try:
        handles = enumerate(nvml.handles())
        found = [_read(nvml, handle) for index, handle in handles if allowed is None or index in allowed]
    except NvmlError:
        return None
    finally:
        nvml.close()
    return max(found, key=lambda gpu: gpu.free_bytes, default=None)


def precisions_of(major: int, minor: int) -> tuple[Precision, ...]:
    """The precisions that a GPU of that CUDA compute capability computes well.

    Tensor cores multiply float16 from 7.0 on and bfloat16 from 8.0 on (CUDA C++ Programming Guide, compute
    capabilities); the GTX 16 series (7.5) has none, but computes float16 at twice the rate of float32.
    """
    if (major, minor) >= (8, 0):
        return Precision.FLOAT32, Precision.BFLOAT16, Precision.FLOAT16
    if (major, minor) >= (7, 0):
        return Precision.FLOAT32, Precision.FLOAT16
    return (Precision.FLOAT32,)


def _read(nvml: Nvml, handle: Any) -> Gpu:
    name = nvml.ask("nvmlDeviceGetName", handle)
    free = int(nvml.ask("nvmlDeviceGetMemoryInfo", handle).free)
    return Gpu(str(name), free, precisions_of(*nvml.ask("nvmlDeviceGetCudaComputeCapability", handle)))
