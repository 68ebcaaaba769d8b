"""Stops a trainer's processes at once, lets a running round settle at a tenth of a core, and keeps them quiet.

The process that computes is stopped by the kernel, in the middle of whatever it does. DHT, averager and libp2p daemon
are processes of their own: they go on at the lowest priority, within a share of one core that is enforced by
stopping them whenever they have had more.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from core.children.handles import ProcessHandles, handles_of_system
from core.tasks import end_tasks

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Share:
    """Share of one core that processes may use, and how closely they are watched."""

    share: float
    """Share of one core's time that the processes may use together."""
    tick: float
    """Seconds between two readings of the processor time that the processes used."""
    burst: float = 0.02
    """Largest processor time in seconds that the processes may have saved up."""
    rest: float = 0.0
    """Seconds at the beginning in which no process computes."""
    family: float = 1.0
    """Seconds between two listings of the processes."""

    def saved(self, before: float, used: float, elapsed: float) -> float:
        """Return the seconds of computing that are left of ``before``, after ``used`` within ``elapsed``.

        Processes have to wait while it is below 0.
        """
        return min(self.burst, before + self.share * elapsed - used)


SETTLING = Share(0.1, tick=0.02, rest=0.3)
"""Share of the processor while a round settles: a user who returns has the machine at once, and the round goes on."""
SETTLING_SECONDS = 30.0
"""Seconds after which the trainer is made quiet, settled or not."""
QUIET = Share(0.02, tick=5.0, burst=1.0, family=10.0)
"""A DHT node answers the others for as long as it is there; this is far more than that takes."""


@dataclass
class _CpuMeter:
    """Counts what processes compute between looks; one has to be there at both."""

    cpu_seconds: Callable[[int], float]
    _seen: dict[int, float] = field(default_factory=dict)

    def used(self, pids: Iterable[int]) -> float:
        """Return the seconds that the processes have computed since the last look."""
        before, self._seen = self._seen, {pid: self.cpu_seconds(pid) for pid in pids}
        return sum(max(0.0, now - before.get(pid, now)) for pid, now in self._seen.items())


class Freezer(Protocol):
    """Stops and wakes one trainer's processes, wherever they run."""

    def freeze(self) -> None:
        """Stop computing, now."""

    def thaw(self) -> None:
        """Wake all processes, and stop limiting them."""

    async def settle(self, settled: asyncio.Event, seconds: float = SETTLING_SECONDS) -> None:
        """Give all processes what a running round needs, until ``settled`` is set or ``seconds`` have passed."""

    async def keep_quiet(self) -> None:
        """Stop the computing process, and let the others do no more than answer; until cancelled."""

    async def leave_quietly(self) -> None:
        """Limit all processes to the pace of a settling round while they end, until cancelled or thawed."""

    def close(self) -> None:
        """Release the processes; later calls stop and wake none."""


async def settle_within(settled: asyncio.Event, seconds: float) -> None:
    """Wait until ``settled`` is set as a round has ended, or ``seconds`` have passed, which is logged."""
    try:
        async with asyncio.timeout(seconds):
            await settled.wait()
    except TimeoutError:
        _log.warning(
            "The running round was not over after %.0f s; the paused trainer is kept quiet.", seconds
        )


@dataclass
class LocalFreezer:
    """Freezer of processes of this system; holds nothing of those that have ended."""

    computing: int
    """Id of the process that computes; the processes that it has started are looked up when they are needed."""
    family: Callable[[], Iterable[int]]
    """All process ids of the trainer, the computing one included."""
    clock: Callable[[], float] = time.monotonic
    handles: ProcessHandles = field(default_factory=handles_of_system)
    _stopped: set[int] = field(default_factory=set)
    _thaws: int = 0

    def __post_init__(self) -> None:
        self.handles.take(self.computing)

    def freeze(self) -> None:
        """Stop computing, now."""
        self._stop(self.computing)

    def thaw(self) -> None:
        """Wake all processes, and stop limiting them."""
        self._thaws += 1
        for pid in list(self._stopped):
            self._go_on(pid)
        self.handles.drop_ended()

    async def settle(self, settled: asyncio.Event, seconds: float = SETTLING_SECONDS) -> None:
        """Give all processes what a running round needs, until ``settled`` is set or ``seconds`` have passed."""
        governing = asyncio.ensure_future(self._govern(SETTLING, self._members, self._thaws))
        try:
            await settle_within(settled, seconds)
        finally:
            await end_tasks([governing])

    async def keep_quiet(self) -> None:
        """Stop the computing process, and let the others do no more than answer; until cancelled."""
        self._stop(self.computing)
        await self._govern(QUIET, lambda: self._members() - {self.computing}, self._thaws)

    async def leave_quietly(self) -> None:
        """Limit all processes to the pace of a settling round while they end, until cancelled or thawed."""
        await self._govern(SETTLING, self._members, self._thaws)

    def close(self) -> None:
        """Release all handles; later calls stop and wake no process."""
        self._thaws += 1
        self._stopped.clear()
        self.handles.close()

    async def _govern(self, rule: Share, members: Callable[[], set[int]], thaws: int) -> None:
        """Limit processes by a rule until they are thawed; ``thaws`` is the count before, as a thaw may precede
        the first step.
        """
        meter = _CpuMeter(self.handles.cpu_seconds)
        saved, before, next_look = -rule.share * rule.rest, self.clock(), float("-inf")
        pids: set[int] = set()
        while thaws == self._thaws:
            now = self.clock()
            if now >= next_look:
                pids, next_look = members(), now + rule.family
            saved, before = rule.saved(saved, meter.used(pids), now - before), now
            for pid in pids:
                (self._go_on if saved >= 0 else self._stop)(pid)
            await asyncio.sleep(rule.tick)

    def _members(self) -> set[int]:
        """Return all that are there now, and hold each."""
        self.handles.drop_ended()
        self._stopped.intersection_update(self.handles.pids)
        new = set(self.family()).difference(self.handles.pids)
        for pid in new:
            self.handles.take(pid)
        # One may have ended before it was taken, and its number may belong to another process now.
        for pid in new.difference(self.family() if new else ()):
            self.handles.drop(pid)
        return set(self.handles.pids)

    def _stop(self, pid: int) -> None:
        if pid not in self._stopped:
            self._stopped.add(pid)
            self.handles.stop(pid)

    def _go_on(self, pid: int) -> None:
        if pid in self._stopped:
            self._stopped.discard(pid)
            self.handles.go_on(pid)
