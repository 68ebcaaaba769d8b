"""Keeps account of a trainer while it lives: its contribution, the energy of its GPUs, the memory that it holds."""

from collections.abc import Callable
from datetime import datetime, timedelta

from client.contribution.stats import Contribution
from client.joining.run_card import RunCard
from client.machine.readings import GpuReading
from client.service.state import State, is_alive
from client.service.training import Training
from core.children import processes

MEMORY_EVERY = timedelta(minutes=1)


class Books:
    """Written at every look at the machine."""

    def __init__(self, contribution: Contribution, now: Callable[[], datetime]) -> None:
        self.contribution, self._now = contribution, now
        self._memory_seen = now()
        self._joules: tuple[int, float] | None = None
        self.memory_held = 0
        """Bytes of RAM that the trainer held when it was last looked at; 0 without one."""

    def keep(self, card: RunCard, training: Training, gpu: GpuReading | None, ram_limit: int | None) -> None:
        """After a look: ``gpu`` is the one that trains, ``ram_limit`` what the volunteer allows."""
        self._count_energy(card, training, gpu)
        if not is_alive(training.state):
            self.memory_held = 0
        # a clock that was set back must not put it off
        if not timedelta() <= self._now() - self._memory_seen < MEMORY_EVERY:
            self._memory_seen = self._now()
            self._watch_memory(training, ram_limit)

    def _watch_memory(self, training: Training, ram_limit: int | None) -> None:
        if training.life is not None:
            self.memory_held = processes.memory_held(training.life.supervisor.family)
            training.watch_memory(self.memory_held, ram_limit)

    def _count_energy(self, card: RunCard, training: Training, gpu: GpuReading | None) -> None:
        """What the GPU has drawn since the last look, while it trains."""
        before, self._joules = self._joules, (gpu.index, gpu.joules) if gpu and gpu.joules else None
        if before is None or self._joules is None or before[0] != self._joules[0]:
            return
        if training.state in (State.TRAINING, State.FINISHING):
            self.contribution.add_energy(card.trained, self._joules[1] - before[1], self._now())
