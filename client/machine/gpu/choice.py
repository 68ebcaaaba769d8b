"""Chooses the GPU that trains, of several, and names why each other one does not."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from client.api.snapshot import GpuView
from client.machine.readings import GpuReading

_ROOM = 0.5
"""Share of the most free memory below which a GPU has too little: the plan would need slower techniques."""
_AS_FAST = 0.95
"""Share of the highest throughput from which a GPU counts as fast as the fastest."""


class WhyUnused(StrEnum):
    """Reason why a GPU does not train; front ends put it into words."""

    NOT_ALLOWED = "not_allowed"  # the preference ``gpus`` leaves it out
    BUSY = "busy"  # with other programs
    LESS_MEMORY = "less_memory"
    SLOWER = "slower"
    DISPLAY = "display"  # it draws the screen, and another one is as good
    ONE_TRAINS = "one_trains"  # it is as good as the one that trains


@dataclass(frozen=True)
class GpuChoice:
    """The GPU that trains, and the others with their reasons."""

    chosen: GpuReading | None
    unused: tuple[tuple[GpuReading, WhyUnused], ...] = ()

    def with_used(self, index: int | None) -> "GpuChoice":
        """Return the choice while a trainer is on the GPU of that index, which was the best one at its start.

        A GPU that is not allowed any more is used by a trainer that is about to end, and does not count.
        """
        allowed = (gpu for gpu, why in self.unused if why is not WhyUnused.NOT_ALLOWED)
        used = next((gpu for gpu in allowed if gpu.index == index), None)
        if used is None or self.chosen is None:
            return self
        others = (
            *((gpu, why) for gpu, why in self.unused if gpu is not used),
            (self.chosen, WhyUnused.ONE_TRAINS),
        )
        return replace(self, chosen=used, unused=tuple(sorted(others, key=lambda other: other[0].index)))


def choose_gpu(
    gpus: Sequence[GpuReading], allowed: Collection[int] | None, busy_from: float | None = None
) -> GpuChoice:
    """Choose the GPU from which training gains most samples.

    A GPU that other programs use would pause training. One with much less free memory needs slower memory
    techniques. Of the others the fastest is chosen, by its processing units and their clock; of equally fast ones,
    one that draws no screen, then the one with most free memory.

    Args:
        gpus: All GPUs of the machine; what our own trainer holds counts as free.
        allowed: Indices of those that may train; None: all.
        busy_from: Share of a GPU's time, 0 to 1, above which other programs keep it busy; None: no limit.

    Returns:
        The choice; no GPU is chosen if none may train.
    """
    unused = [
        (gpu, WhyUnused.NOT_ALLOWED) for gpu in gpus if allowed is not None and gpu.index not in allowed
    ]
    left = [gpu for gpu in gpus if allowed is None or gpu.index in allowed]
    for why, passes in _sieves(busy_from):
        passed = [gpu for gpu in left if passes(gpu, left)]
        if passed:
            unused += [(gpu, why) for gpu in left if gpu not in passed]
            left = passed
    chosen = max(left, key=lambda gpu: (gpu.memory_free, -gpu.index), default=None)
    unused += [(gpu, WhyUnused.ONE_TRAINS) for gpu in left if gpu is not chosen]
    return GpuChoice(chosen, tuple(sorted(unused, key=lambda other: other[0].index)))


_Passes = Callable[[GpuReading, Sequence[GpuReading]], bool]


def _sieves(busy_from: float | None) -> Iterator[tuple[WhyUnused, _Passes]]:
    """Yield what excludes a GPU while another one is left, the weightiest first."""
    yield WhyUnused.BUSY, lambda gpu, _: busy_from is None or (gpu.used_by_others or 0.0) <= busy_from
    yield WhyUnused.LESS_MEMORY, _has_room
    yield WhyUnused.SLOWER, _is_fast
    yield WhyUnused.DISPLAY, lambda gpu, _: not gpu.drives_display


def _has_room(gpu: GpuReading, others: Sequence[GpuReading]) -> bool:
    return gpu.memory_free >= _ROOM * max(other.memory_free for other in others)


def _is_fast(gpu: GpuReading, others: Sequence[GpuReading]) -> bool:
    throughputs = [other.throughput for other in others]
    known = [throughput for throughput in throughputs if throughput is not None]
    if gpu.throughput is None or len(known) < len(throughputs):
        return True
    return gpu.throughput >= _AS_FAST * max(known)


_WHY = {
    WhyUnused.NOT_ALLOWED: "the preference gpus leaves it out",
    WhyUnused.BUSY: "other programs use it",
    WhyUnused.LESS_MEMORY: "it has less free memory",
    WhyUnused.SLOWER: "it is slower",
    WhyUnused.DISPLAY: "it draws the screen",
    WhyUnused.ONE_TRAINS: "one GPU trains at a time",
}


def gpu_views(choice: GpuChoice) -> tuple[GpuView, ...]:
    """Return the GPUs in the order of their indices for front ends; none where there is nothing to choose."""
    if choice.chosen is None or not choice.unused:
        return ()
    views = [_unused(gpu, why) for gpu, why in choice.unused]
    chosen = choice.chosen
    views.append(
        GpuView(index=chosen.index, name=chosen.name, text=f"GPU {chosen.index} ({chosen.name}) trains.")
    )
    return tuple(sorted(views, key=lambda view: view.index))


def _unused(gpu: GpuReading, why: WhyUnused) -> GpuView:
    text = f"GPU {gpu.index} ({gpu.name}) is not used: {_WHY[why]}."
    return GpuView(index=gpu.index, name=gpu.name, why_unused=why, text=text)
