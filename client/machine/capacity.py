"""Describes this machine, or an imagined one, to the memory planner."""

import os
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from client.api.errors import NvmlError
from client.machine.gpu.choice import choose_gpu
from client.machine.gpu.graphics import Graphics, Own
from client.machine.gpu.nvml import Nvml
from client.machine.readings import GpuReading, Known
from client.machine.sensors.ram import free_ram
from core.memory.machine import MachineResources
from core.model.techniques import Precision
from core.trainer.machines import processor_name


@dataclass(frozen=True)
class Gpu:
    """A GPU to train on."""

    name: str
    free_bytes: int
    precisions: tuple[Precision, ...]


def read_gpu(nvml: Nvml | None = None, allowed: Collection[int] | None = None) -> Gpu | None:
    """Read the GPU that `client.machine.gpu.choice.choose_gpu` chooses.

    Args:
        nvml: Driver to ask, closed afterwards; None: the installed one.
        allowed: GPUs that may be used, as the driver numbers them; None: all.

    Returns:
        The GPU; None if there is none, or no working driver.
    """
    nvml = nvml or Nvml()
    try:
        reading = Graphics(nvml).read(Own())
        found = reading.value if isinstance(reading, Known) else ()
        chosen = choose_gpu(found, allowed).chosen
        return None if chosen is None else _described(nvml, chosen)
    except NvmlError:
        return None
    finally:
        nvml.close()


def _described(nvml: Nvml, gpu: GpuReading) -> Gpu:
    handle = nvml.handles()[gpu.index]
    capability = nvml.ask("nvmlDeviceGetCudaComputeCapability", handle)
    return Gpu(gpu.name, gpu.memory_free, precisions_of(*capability))


def precisions_of(major: int, minor: int) -> tuple[Precision, ...]:
    """Return the precisions that a GPU of that CUDA compute capability computes well.

    Tensor cores multiply float16 from 7.0 on and bfloat16 from 8.0 on (CUDA C++ Programming Guide, compute
    capabilities); the GTX 16 series (7.5) has none, but computes float16 at twice the rate of float32.
    """
    if (major, minor) >= (8, 0):
        return Precision.FLOAT32, Precision.BFLOAT16, Precision.FLOAT16
    if (major, minor) >= (7, 0):
        return Precision.FLOAT32, Precision.FLOAT16
    return (Precision.FLOAT32,)


_CPU_INFO = Path("/proc/cpuinfo")
_FLAGS_OF_BFLOAT16 = {"avx512_bf16", "amx_bf16"}
_TODAYS_GPU = (8, 6)
"""Compute capability of a GPU that is made up: that of the consumer GPUs of 2020."""


def read_machine(
    gpu_bytes: int | None = None, ram_bytes: int | None = None, gpus: Collection[int] | None = None
) -> MachineResources:
    """Describe what this machine has free now, or what it would have with other memory.

    Args:
        gpu_bytes: GPU memory to plan with instead of what is free; 0: without a GPU.
        ram_bytes: RAM to plan with instead of what is free.
        gpus: GPUs that may be used, as their driver numbers them; None: all.
    """
    gpu = None if gpu_bytes == 0 else read_gpu(allowed=gpus)
    if gpu_bytes:
        gpu = (
            replace(gpu, free_bytes=gpu_bytes)
            if gpu
            else Gpu("a GPU", gpu_bytes, precisions_of(*_TODAYS_GPU))
        )
    ram = free_ram() if ram_bytes is None else ram_bytes
    if gpu is None:
        return MachineResources(ram, None, cores(), processor_precisions(), processor_name())
    return MachineResources(ram, gpu.free_bytes, cores(), gpu.precisions, gpu.name)


def cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor_precisions(described: Path = _CPU_INFO) -> tuple[Precision, ...]:
    """Return the precisions that the processor computes well: bfloat16 if it has instructions that multiply it."""
    try:
        flags = next((line for line in described.read_text().splitlines() if line.startswith("flags")), "")
    except OSError:
        flags = ""
    if _FLAGS_OF_BFLOAT16 & set(flags.split()):
        return Precision.FLOAT32, Precision.BFLOAT16
    return (Precision.FLOAT32,)
