"""This machine as the memory planner sees it, and the machines that somebody makes up to plan for."""

import os
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from client.machine.gpu import Gpu, precisions_of, read_gpu
from client.machine.ram import free_ram
from core.machines import processor_name
from core.memory.machine import Machine
from core.memory.techniques import Precision

_CPU_INFO = Path("/proc/cpuinfo")
_FLAGS_OF_BFLOAT16 = {"avx512_bf16", "amx_bf16"}
_TODAYS_GPU = (8, 6)
"""Compute capability of a GPU that is made up: that of the consumer GPUs of 2020."""


def read_machine(
    gpu_bytes: int | None = None, ram_bytes: int | None = None, gpus: Collection[int] | None = None
) -> Machine:
    """What this machine has free now, or with other memory.

    Args:
        gpu_bytes: to plan with instead of what the GPU has free; 0: without a GPU.
        ram_bytes: to plan with instead of what is free.
        gpus: those that may be used, as their driver numbers them; None: all.
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
        return Machine(ram, None, cores(), processor_precisions(), processor_name())
    return Machine(ram, gpu.free_bytes, cores(), gpu.precisions, gpu.name)


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor_precisions(described: Path = _CPU_INFO) -> tuple[Precision, ...]:
    """The precisions that the processor computes well: bfloat16 if it has instructions for its products."""
    try:
        flags = next((line for line in described.read_text().splitlines() if line.startswith("flags")), "")
    except OSError:
        flags = ""
    if _FLAGS_OF_BFLOAT16 & set(flags.split()):
        return Precision.FLOAT32, Precision.BFLOAT16
    return (Precision.FLOAT32,)
