"""Peak of tensor memory, as torch's allocator counts it."""

import gc
from collections.abc import Callable

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile

from client.machine.sensors.ram import free_ram
from core.memory.machine import Sizes
from core.model.micro_steps import stream_of


def peak_bytes(work: Callable[[], object]) -> int:
    """Return the most bytes of CPU tensors held at any moment of ``work`` beyond those held at its start."""
    gc.collect()  # what earlier work left in cycles would else be freed meanwhile, and be missing in the sum
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        work()
    held = peak = 0
    assert profiler.profiler is not None
    results = profiler.profiler.kineto_results
    assert results is not None
    allocations = [event for event in results.events() if event.name() == "[memory]"]
    for event in sorted(allocations, key=lambda item: item.start_ns()):
        held += event.nbytes()
        peak = max(peak, held)
    return peak


def peaks(device: torch.device, work: Callable[[], object]) -> tuple[int, int]:
    """Return the most bytes of tensors that ``work`` holds at once, and the most that torch reserves for them.

    Both are counted beyond those at the start, when the allocator has given back what it did not need.
    """
    if device.type == "cpu":
        peak = peak_bytes(work)
        return peak, peak
    free_memory()
    allocated, reserved = torch.cuda.memory_allocated(device), torch.cuda.memory_reserved(device)
    torch.cuda.reset_peak_memory_stats(device)
    work()
    most = torch.cuda.max_memory_allocated(device), torch.cuda.max_memory_reserved(device)
    return most[0] - allocated, most[1] - reserved


def free_memory() -> None:
    """Free the memory that the last measurement held on the GPU; without one there is nothing to do."""
    if torch.cuda.is_initialized():
        gc.collect()  # models in cycles, and their recorded graphs
        torch.cuda.synchronize()
        torch.cuda.empty_cache()


def free_sizes(device: torch.device) -> Sizes:
    """Return the free bytes of the GPU, none for a processor, and of RAM."""
    free_memory()
    gpu = 0 if device.type == "cpu" else torch.cuda.mem_get_info(device)[0]
    return Sizes(gpu, free_ram())


def warm_up(device: torch.device) -> None:
    """Make CUDA's libraries allocate their workspaces, on the default stream and on that of micro-steps.

    They would count as a part of the first measurement. For a processor there is nothing to do.
    """
    if device.type == "cpu":
        return
    for stream in (torch.cuda.current_stream(device), stream_of(device)):
        with torch.cuda.stream(stream):
            for dtype in (torch.float32, torch.bfloat16, torch.float16):
                _multiply(device, dtype)
    torch.cuda.synchronize(device)
    free_memory()


def _multiply(device: torch.device, dtype: torch.dtype) -> None:
    layer = nn.Linear(256, 256, device=device, dtype=dtype)
    layer(torch.ones(256, 256, device=device, dtype=dtype)).sum().backward()
    torch.bmm(*torch.ones(2, 4, 64, 64, device=device, dtype=dtype))
