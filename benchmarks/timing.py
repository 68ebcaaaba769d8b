"""Times alternatives side by side, so that what else the machine does falls on all of them alike."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Duration:
    """One repeat, in seconds."""

    wall: float
    cpu: float
    """Of the whole process: what the work costs, however many other programs want the cores."""


def interleave(works: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, list[Duration]]:
    """Time every work once, then every work again, and so on, after one untimed round of all."""
    for work in works.values():
        work()
    taken: dict[str, list[Duration]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            taken[name].append(timed(work))
    return taken


def typical(durations: list[Duration]) -> Duration:
    """The median of either clock."""
    return Duration(median(item.wall for item in durations), median(item.cpu for item in durations))


def timed(work: Callable[[], object]) -> Duration:
    """How long one call takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Duration(time.perf_counter() - wall, time.process_time() - cpu)
