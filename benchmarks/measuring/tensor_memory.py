"""Peak of tensor memory, as torch's allocator counts it."""

from collections.abc import Callable

from torch.profiler import ProfilerActivity, profile


def peak_bytes(work: Callable[[], object]) -> int:
    """Return the most bytes of CPU tensors held at any moment of ``work`` beyond those held at its start."""
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
