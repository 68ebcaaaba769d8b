"""Inputs of the rules beside the preferences: the machine's readings, the trainer, and the past."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from client.machine.readings import GpuReading, Known, Reading, Readings
from client.policy.hysteresis import Latch
from client.policy.reasons import PauseReason
from core.run.least_version import UpdateNeeded

T = TypeVar("T")


@dataclass(frozen=True)
class Situation:
    """One moment."""

    readings: Readings
    on_gpu: bool
    """True if the trainer uses a GPU, or would."""
    cores: int
    """Cores that training may be spread over."""
    consent: bool
    """The volunteer said yes to training."""
    gpu_index: int | None = None
    """The GPU that it uses or would use; None: any of those that the preferences allow."""
    paused: bool = False
    """True if the volunteer has paused training until they resume it."""
    snoozed_until: datetime | None = None
    """End of the volunteer's pause, with its time zone."""
    measuring_speed: bool = False
    """A run that the volunteer looks at is measured, which needs the memory."""
    update_needed: UpdateNeeded | None = None
    """The update without which the run's next trainer is not started."""
    month_bytes: int = 0
    """Bytes sent and received in this calendar month."""
    own_gpu_memory: int = 0
    """Bytes that the trainer holds now."""
    own_ram: int = 0
    """Bytes that the trainer holds now."""
    disk_used: int = 0
    """Bytes of all runs."""
    gpu_watts_by_share: float | None = None
    """Average power in watts to which the share of the time holds the GPU; None: nothing does, or its driver."""


@dataclass(frozen=True)
class HeldByTrainer:
    """Memory that the trainer and others held, by which it resumes only where there is room again."""

    gpu: int = 0
    ram: int = 0
    gpu_by_others: Mapping[int, int] = field(default_factory=dict)
    """Least memory that other programs held since the trainer took memory, by the GPU's index."""


def known(reading: Reading[T]) -> T | None:
    """Return the value, or None if it is unknown."""
    return reading.value if isinstance(reading, Known) else None


def training_gpus(situation: Situation, allowed: tuple[int, ...] | None) -> tuple[GpuReading, ...]:
    """Return the GPU that trains, or those that may; none where training is on the processor."""
    if not situation.on_gpu:
        return ()
    used, wanted = situation.gpu_index, allowed
    if used is not None and (allowed is None or used in allowed):  # else it was a trainer's before this one
        wanted = (used,)
    gpus = known(situation.readings.gpus) or ()
    return tuple(gpu for gpu in gpus if wanted is None or gpu.index in wanted)


def remember_held(
    latches: Mapping[PauseReason, Latch], held: HeldByTrainer, situation: Situation
) -> HeldByTrainer:
    """Return the memory that is held now; once memory ran short, what was held before.

    Args:
        latches: Reasons as of the last decision.
        held: Memory that was held at the last decision.
        situation: State of machine and trainer.
    """
    gpu_short, ram_short = (
        (latch := latches.get(code)) is not None and latch.on
        for code in (PauseReason.GPU_MEMORY_NEEDED, PauseReason.RAM_NEEDED)
    )
    own_gpu, own_ram = situation.own_gpu_memory, situation.own_ram
    by_others = {gpu.index: gpu.memory_by_others for gpu in known(situation.readings.gpus) or ()}
    if own_gpu or gpu_short:
        least = {index: min(now, held.gpu_by_others.get(index, now)) for index, now in by_others.items()}
        by_others = {**held.gpu_by_others, **least}  # a driver that is lost for a while tells of none
    return HeldByTrainer(
        gpu=max(held.gpu, own_gpu) if gpu_short else own_gpu,
        ram=max(held.ram, own_ram) if ram_short else own_ram,
        gpu_by_others=by_others,
    )
