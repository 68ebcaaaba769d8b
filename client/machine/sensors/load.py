"""Measures how busy other programs keep the processor: all use, less that of our processes."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import psutil

from client.machine.processes import OurProcesses
from client.machine.readings import Known, Reading, Unknown

_WINDOW = 5.0
"""Seconds that are averaged over, so that a moment's work, such as opening a page, is not taken for load."""
_SHORTEST = 0.5
"""Seconds that must lie between two samples: the kernel counts in hundredths."""
_SOURCE = "processor time of all processes"
_NOT_YET = Unknown("It is measured between two moments, and the second is still to come.")


@dataclass(frozen=True)
class CpuSample:
    """Seconds of processor time, of all cores together, since the system was started."""

    busy: float
    idle: float
    ours: float
    """Part of `busy` that our processes used, with the children that they have collected."""


def share_of_others(before: CpuSample, after: CpuSample) -> float | None:
    """Return the share of all cores that others used between two samples; None: no time passed.

    Where one of our processes ended and was not collected yet, its time is missing from `ours` for once, and
    where the sources were read a little apart, ours may exceed all: hence the bounds.
    """
    busy, idle = after.busy - before.busy, after.idle - before.idle
    if busy + idle <= 0:
        return None
    return min(1.0, max(0.0, (busy - max(0.0, after.ours - before.ours)) / (busy + idle)))


class Load:
    """A moving average over a few seconds."""

    def __init__(
        self,
        ours: OurProcesses,
        clock: Callable[[], float],
        sample: Callable[[frozenset[int]], CpuSample] | None = None,
    ) -> None:
        self._ours = ours
        self._clock = clock
        self._sample = sample or CpuSampler().sample
        self._samples: deque[tuple[float, CpuSample]] = deque()
        self._latest: Reading[float] = _NOT_YET

    def read(self) -> Reading[float]:
        """Return the share of all cores that others use.

        While it is not settled which processes are the client's own, the last share is returned.
        """
        now = self._clock()
        if not self._ours.settled:
            self._samples.clear()
        elif not self._samples or now >= self._samples[-1][0] + _SHORTEST:
            self._add(now)
        return self._latest

    @property
    def newest(self) -> CpuSample | None:
        """Newest sample; None: there is none, or it is not settled which processes are the client's own."""
        return self._samples[-1][1] if self._samples else None

    def _add(self, now: float) -> None:
        self._samples.append((now, self._sample(self._ours.members())))
        while len(self._samples) > 2 and self._samples[1][0] <= now - _WINDOW:
            self._samples.popleft()
        share = share_of_others(self._samples[0][1], self._samples[-1][1])
        if share is not None:
            self._latest = Known(share, _SOURCE)


class CpuSampler:
    """Reads samples of the real machine."""

    def __init__(self) -> None:
        self._known: dict[int, psutil.Process] = {}

    def sample(self, ours: frozenset[int]) -> CpuSample:
        """Sample of this moment, with the use of the processes with these IDs."""
        all_cores = psutil.cpu_times()
        idle = all_cores.idle + getattr(all_cores, "iowait", 0.0)
        # Guests' time is counted in user and nice; time that a hypervisor took was not used on this machine.
        counted_elsewhere = ("guest", "guest_nice", "steal")
        total = sum(all_cores) - sum(getattr(all_cores, name, 0.0) for name in counted_elsewhere)
        self._known = {pid: self._known[pid] for pid in ours & self._known.keys()}
        return CpuSample(busy=total - idle, idle=idle, ours=sum(self._used(pid) for pid in ours))

    def _used(self, pid: int) -> float:
        try:
            if pid not in self._known:
                self._known[pid] = psutil.Process(pid)
            return sum(self._known[pid].cpu_times()[:4])
        except psutil.Error:
            return 0.0
