"""What a volunteer's preferences let a run take of this machine: to plan it, to try it out, to fetch its files."""

from dataclasses import replace
from typing import Annotated, Self

from pydantic import Field

from client.machine.reading import cores, read_machine
from client.preferences.preferences import Preferences
from core.lines import Message
from core.memory.machine import Allowance, Machine, Sizes
from core.memory.planning import MemoryPlan
from core.rules import TrainingRules
from core.run_plan import plan_of

_NOTHING = Sizes(0, 0)


class Allowed(Message):
    """The most of each, in bytes where nothing else is said; None: all that is free."""

    threads: Annotated[int, Field(gt=0)]
    gpus: tuple[int, ...] | None = None
    """Those that may train, as the driver numbers them; None: all."""
    gpu_memory: int | None = None
    ram: int | None = None
    disk: int | None = None
    """For all runs together."""
    download: int | None = None
    """Bytes a second."""

    @classmethod
    def of(cls, preferences: Preferences) -> Self:
        return cls(
            threads=preferences.threads or max(1, cores() - 1),
            gpus=preferences.gpus,
            gpu_memory=preferences.vram_limit,
            ram=preferences.ram_limit,
            disk=preferences.disk_limit,
            download=preferences.download,
        )

    def plan(self, training: TrainingRules, held: Sizes = _NOTHING) -> MemoryPlan:
        """How this machine would train a run; ``held``: by a trainer that would make room for it."""
        machine = _freed(read_machine(gpus=self.gpus), held)
        return plan_of(training, machine, Allowance(self.gpu_memory, self.ram))


def _freed(machine: Machine, held: Sizes) -> Machine:
    gpu = None if machine.gpu_bytes is None else machine.gpu_bytes + held.gpu
    return replace(machine, gpu_bytes=gpu, ram_bytes=machine.ram_bytes + held.ram)
