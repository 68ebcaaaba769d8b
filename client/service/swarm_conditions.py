"""Decides whether this computer can have a swarm of its own, and what its second trainer may do: pure."""

from dataclasses import replace

from client.api.runs import SwarmObstacle
from client.demo.messages import SwarmLimits
from client.machine.readings import Known, Readings
from client.policy.policy import Budget, Decision, Effect
from client.service.trainer.launching import trainer_budget
from core.memory.units import format_size

CORES = 2
"""Processor cores that the two trainers of the swarm need."""
FREE_RAM = 3 << 30
"""Bytes of RAM that have to be free for its two trainers and its coordinator; they hold up to 2.5 GB together."""
SENTENCES = {
    SwarmObstacle.SYSTEM: "On Windows, a swarm on this computer is not possible yet.",
    SwarmObstacle.PACKAGES: "A swarm on this computer needs the packages for training, which are not installed yet.",
    SwarmObstacle.CORES: f"A swarm on this computer needs {CORES} processor cores.",
    SwarmObstacle.RAM: f"A swarm on this computer needs {format_size(FREE_RAM)} of free RAM.",
}
"""Words for each obstacle, where a volunteer asks for a swarm all the same."""


def obstacle(readings: Readings, cores: int, *, is_local: bool, has_packages: bool) -> SwarmObstacle | None:
    """Return the reason why this computer cannot have a swarm of its own; None if it can.

    Args:
        readings: Readings of the machine.
        cores: Its processor cores.
        is_local: True if trainers live on this system, false if in a distribution of Linux beside it.
        has_packages: True if what trains is installed.
    """
    if not is_local:
        return SwarmObstacle.SYSTEM
    if not has_packages:
        return SwarmObstacle.PACKAGES
    if cores < CORES:
        return SwarmObstacle.CORES
    free = readings.free_ram
    return SwarmObstacle.RAM if isinstance(free, Known) and free.value < FREE_RAM else None


def limits_of(decision: Decision) -> SwarmLimits:
    """Return what the second trainer may do by the policy's ``decision``; it has one thread, and no line to cap."""
    allowed: Budget = replace(decision.budget, threads=1, upload=None, download=None)
    return SwarmLimits(
        is_paused=decision.effect >= Effect.PAUSE, budget=trainer_budget(allowed), ram=decision.budget.ram
    )
