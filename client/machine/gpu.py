"""The NVIDIA GPU with the most free memory, as its driver's management library (NVML) tells."""

import importlib
from dataclasses import dataclass
from typing import Any

from core.memory.techniques import Precision


@dataclass(frozen=True)
class Gpu:
    """What there is to train on."""

    name: str
    free_bytes: int
    precisions: tuple[Precision, ...]


def read_gpu(nvml: Any = None) -> Gpu | None:
    """The GPU; None if there is none, or no driver or no ``pynvml`` (package nvidia-ml-py) to tell of it.

    Args:
        nvml: that module; None: the installed one.
    """
    try:
        nvml = nvml or importlib.import_module("pynvml")
    except ImportError:
        return None
    try:
        nvml.nvmlInit()
    except nvml.NVMLError:
        return None
    try:
        handles = map(nvml.nvmlDeviceGetHandleByIndex, range(nvml.nvmlDeviceGetCount()))
        found = [_read(nvml, handle) for handle in handles]
    except nvml.NVMLError:
        return None
    finally:
        nvml.nvmlShutdown()
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


def _read(nvml: Any, handle: Any) -> Gpu:
    name = nvml.nvmlDeviceGetName(handle)
    free = int(nvml.nvmlDeviceGetMemoryInfo(handle).free)
    return Gpu(str(name), free, precisions_of(*nvml.nvmlDeviceGetCudaComputeCapability(handle)))
