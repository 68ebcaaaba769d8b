"""Limits of what a run may take of this machine, by the volunteer's preferences: to plan, measure and download."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import Field

from core.messages.lines import Message
from core.run.rules import TrainingRules

# What reads this machine is imported where it does: processes that only pass limits on start without it.
if TYPE_CHECKING:
    from client.preferences.preferences import Preferences
    from core.memory.machine import MachineResources, Sizes
    from core.memory.planning import MemoryPlan


class ResourceLimits(Message):
    """Limits of what training may take, in bytes if nothing else is said; None: all that is free."""

    threads: Annotated[int, Field(gt=0)]
    gpus: tuple[int, ...] | None = None
    """GPUs that may train, as the driver numbers them; None: all."""
    gpu_memory: int | None = None
    ram: int | None = None
    disk: int | None = None
    """Bytes on the disk, for all runs together."""
    download: int | None = None
    """Download limit in bytes per second."""

    @classmethod
    def of(cls, preferences: "Preferences") -> Self:
        from client.machine.capacity import cores

        return cls(
            threads=preferences.threads or max(1, cores() - 1),
            gpus=preferences.gpus,
            gpu_memory=preferences.vram_limit,
            ram=preferences.ram_limit,
            disk=preferences.disk_limit,
            download=preferences.download,
        )

    def plan(self, training: TrainingRules, held: "Sizes | None" = None) -> "MemoryPlan":
        """Plan the memory of this machine for a run; ``held``: memory of a trainer that would make room for it."""
        from client.machine.capacity import read_machine
        from core.memory.machine import Allowance
        from core.run.plan import plan_of

        machine = read_machine(gpus=self.gpus)
        allowance = Allowance(self.gpu_memory, self.ram)
        return plan_of(training, _freed(machine, held) if held else machine, allowance)


def _freed(machine: "MachineResources", held: "Sizes") -> "MachineResources":
    gpu = None if machine.gpu_bytes is None else machine.gpu_bytes + held.gpu
    return replace(machine, gpu_bytes=gpu, ram_bytes=machine.ram_bytes + held.ram)
