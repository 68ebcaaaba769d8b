"""Stops a trainer's processes at once, lets a running round settle at a tenth of a core, and keeps them quiet.

The process that computes is stopped by the kernel, in the middle of whatever it does. DHT, averager and libp2p daemon
are processes of their own: they go on at the lowest priority, within a share of one core that is enforced by
stopping them whenever they have had more.
"""

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from signal import SIGCONT, SIGSTOP, Signals


@dataclass(frozen=True)
class Share:
    """What processes may take of one core, averaged from the moment on at which it begins."""

    share: float
    tick: float
    """Seconds between two looks."""
    burst: float = 0.02
    """Seconds of computing that they may be ahead."""

    def allows(self, used: float, elapsed: float) -> bool:
        """Whether ``used`` seconds of computing are no more than their share of the time that has passed."""
        return used <= self.share * elapsed + self.burst


SETTLING = Share(0.1, tick=0.02)
SETTLING_SECONDS = 30.0
"""After which the trainer is quiet, settled or not."""
QUIET = Share(0.02, tick=1.0, burst=1.0)
"""A DHT node answers the others for as long as it is there; this is far more than that takes."""


_FAMILY_SECONDS = 1.0
"""Between two looks at which processes there are."""


def cpu_seconds(pid: int) -> float:
    """What a process has computed so far, to the nanosecond; 0 once it is gone."""
    try:
        return time.clock_gettime(~pid << 3 | 2)  # clock_getcpuclockid(3), as glibc makes it
    except OSError:
        return 0.0


def send_signal(pid: int, number: Signals) -> None:
    """Signal a process, if it is still there."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


@dataclass
class _Account:
    """What processes have computed since each was first looked at; those that ended keep what they had."""

    cpu_seconds: Callable[[int], float]
    _before: dict[int, float] = field(default_factory=dict)
    _used: dict[int, float] = field(default_factory=dict)

    def used(self, pids: Iterable[int]) -> float:
        for pid in pids:
            now = self.cpu_seconds(pid)
            used = now - self._before.setdefault(pid, now)
            self._used[pid] = max(used, self._used.get(pid, 0.0))
        return sum(self._used.values())


@dataclass
class Freezer:
    """One trainer's processes, stopped or running."""

    computing: int
    """The process that computes; what it has started is asked for when it is needed."""
    family: Callable[[], Iterable[int]]
    """All process ids of the trainer, the computing one included."""
    clock: Callable[[], float] = time.monotonic
    cpu_seconds: Callable[[int], float] = cpu_seconds
    signal: Callable[[int, Signals], None] = send_signal
    _stopped: set[int] = field(default_factory=set)
    _thaws: int = 0

    def freeze(self) -> None:
        """Stop computing, now."""
        self._stop(self.computing)

    def thaw(self) -> None:
        """Let all of them run; whoever governs them does so no more."""
        self._thaws += 1
        for pid in {*self.family(), *self._stopped, self.computing}:
            self._go_on(pid)

    async def settle(self, settled: asyncio.Event, seconds: float = SETTLING_SECONDS) -> None:
        """Let all of them do what a running round needs, until it is over or the time is."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                governing = asyncio.ensure_future(self._govern(SETTLING, lambda: list(self.family())))
                try:
                    await settled.wait()
                finally:
                    governing.cancel()
                    await asyncio.gather(governing, return_exceptions=True)

    async def keep_quiet(self) -> None:
        """Stop the computing process, and let the others do no more than answer; until cancelled."""
        self._stop(self.computing)
        await self._govern(QUIET, lambda: [pid for pid in self.family() if pid != self.computing])

    async def _govern(self, rule: Share, members: Callable[[], list[int]]) -> None:
        account, began, turns, thaws = _Account(self.cpu_seconds), self.clock(), 0, self._thaws
        pids: list[int] = []
        while thaws == self._thaws:
            if turns % max(1, round(_FAMILY_SECONDS / rule.tick)) == 0:
                pids = members()
            turns += 1
            is_allowed = rule.allows(account.used(pids), self.clock() - began)
            for pid in pids:
                (self._go_on if is_allowed else self._stop)(pid)
            await asyncio.sleep(rule.tick)

    def _stop(self, pid: int) -> None:
        if pid not in self._stopped:
            self._stopped.add(pid)
            self.signal(pid, SIGSTOP)

    def _go_on(self, pid: int) -> None:
        if pid in self._stopped:
            self._stopped.discard(pid)
            self.signal(pid, SIGCONT)
