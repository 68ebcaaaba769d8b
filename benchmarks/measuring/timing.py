"""Times alternatives side by side, so that other load on the machine affects all of them alike."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Duration:
    """Duration of one repeat, in seconds."""

    wall: float
    cpu: float
    """CPU seconds of the whole process: the cost of the work, independent of other programs' demand for the
    cores."""


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
    """Return the median of either clock."""
    return Duration(median(item.wall for item in durations), median(item.cpu for item in durations))


def timed(work: Callable[[], object]) -> Duration:
    """Return the duration of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Duration(time.perf_counter() - wall, time.process_time() - cpu)
