"""Keeps account of a trainer while it lives: its contribution, the energy that it uses, the memory that it holds."""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from client.contribution.stats import Contribution
from client.joining.run_card import RunCard
from client.machine.sensors.ram import disk_used
from client.preferences.preferences import Preferences
from client.service.power.energy import EnergyCounters, used_between, with_price
from client.service.trainer.state import State, is_alive
from client.service.trainer.training import Training
from client.side_thread import in_thread
from core.children.processes import HeldMemory

_log = logging.getLogger(__name__)
MEMORY_EVERY = timedelta(minutes=1)
_WHILE_FROZEN = timedelta(minutes=10)


class Accounting:
    """Records what the trainer contributes and takes, at every look at the machine."""

    def __init__(
        self,
        contribution: Contribution,
        now: Callable[[], datetime],
        memory_every: timedelta = MEMORY_EVERY,
    ) -> None:
        self.contribution, self._now, self._memory_every = contribution, now, memory_every
        self._memory_seen = now()
        self._counters: EnergyCounters | None = None
        self._looking: asyncio.Task[None] | None = None
        self._knows_no_sharing = False
        self.memory_held = 0
        """Bytes of RAM that the trainer held when it was last looked at; 0 without one."""

    def keep(
        self, card: RunCard, training: Training, counters: EnergyCounters, preferences: Preferences
    ) -> None:
        """Take a look.

        Args:
            card: The run that is trained.
            training: Its trainer.
            counters: Energy as of now.
            preferences: Choices of the volunteer.
        """
        self._count_energy(card, training, counters, preferences)
        ram_limit = preferences.ram_limit
        if not is_alive(training.state):
            self.memory_held = 0
        every = _WHILE_FROZEN if self.memory_held and training.state is State.FROZEN else self._memory_every
        # a clock that was set back must not put it off
        if not timedelta() <= self._now() - self._memory_seen < every:
            self._memory_seen = self._now()
            if self._looking is None or self._looking.done():
                self._looking = asyncio.create_task(self._watch_memory(training, ram_limit))

    async def _watch_memory(self, training: Training, ram_limit: int | None) -> None:
        if (trainer := training.trainer) is None:
            return
        held = await trainer.memory_held()
        if training.trainer is trainer and held is not None:
            self.memory_held = held.size
            training.watch_memory(held.size, ram_limit if held.is_exact else None)
            self._say_of_limit(held, ram_limit)

    def _say_of_limit(self, held: HeldMemory, ram_limit: int | None) -> None:
        """Log once that a limit is planned with, but cannot be watched."""
        if ram_limit is not None and not held.is_exact and not self._knows_no_sharing:
            self._knows_no_sharing = True
            _log.warning(
                "ram-limit is used for planning but cannot be enforced:"
                " this system does not report shared memory separately."
            )

    def _count_energy(
        self, card: RunCard, training: Training, counters: EnergyCounters, preferences: Preferences
    ) -> None:
        """Count the energy that was used since the last look, while it trains."""
        before, self._counters = self._counters, counters
        if before is not None and training.state in (State.TRAINING, State.FINISHING):
            used = with_price(used_between(before, counters), preferences, counters.at)
            self.contribution.add_energy(card.trained, used, counters.at)


COUNT_EVERY = timedelta(minutes=10)


class DiskUse:
    """Measures the disk use of all files below a folder; its methods belong to the event loop's thread."""

    def __init__(
        self, folder: Path, now: Callable[[], datetime], count: Callable[[Path], int] = disk_used
    ) -> None:
        self.bytes = 0
        """Bytes as of the last count; 0 before the first."""
        self._folder, self._now, self._count = folder, now, count
        self._began: datetime | None = None
        self._counting: asyncio.Task[None] | None = None

    def look(self) -> None:
        """Begin another count if it is time to, and the last count is over."""
        if self._counting is not None and not self._counting.done():
            return
        if self._is_due():
            self._began = self._now()
            self._counting = asyncio.create_task(self._count_again())

    def _is_due(self) -> bool:
        # a clock that was set back must not put it off
        return self._began is None or not timedelta() <= self._now() - self._began < COUNT_EVERY

    async def _count_again(self) -> None:
        self.bytes = await in_thread(lambda: self._count(self._folder))
