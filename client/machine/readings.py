"""Readings of the machine at one moment; a value that cannot be read has a reason, and counts as busy."""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Known(Generic[T]):
    """A value, and its source."""

    value: T
    source: str
    """Name of the source for people, such as "X11 screen saver extension"."""


@dataclass(frozen=True)
class Unknown:
    """A value that no source reports."""

    why: str
    """A sentence for people: what was tried, and what to do."""


Reading = Known[T] | Unknown
NOT_READ = Unknown("It was not read yet.")


@dataclass(frozen=True)
class GpuReading:
    """One GPU."""

    index: int
    name: str
    used_by_others: float | None
    """Share of its time, 0 to 1, that other processes than ours compute; None: the driver does not report it."""
    memory_by_others: int
    """Memory that other programs use, in bytes."""
    memory_free: int
    memory_total: int
    celsius: float | None
    watts: float | None
    """Power drawn now, in watts."""
    joules: float | None = None
    """Energy in joules since the driver was loaded, to be read as differences; None: it is not reported."""
    throughput: float | None = None
    """Processing units times their highest clock in MHz, to compare GPUs by; None: it is not reported."""
    drives_display: bool | None = None
    """True if a screen is set up on it; None: it is not reported."""


@dataclass(frozen=True)
class Readings:
    """All that the policy looks at, beside preferences."""

    now: datetime
    """Local time, aware of its zone."""
    idle_seconds: Reading[float] = NOT_READ
    """Seconds since the last key or movement of the mouse."""
    locked: Reading[bool] = NOT_READ
    on_battery: Reading[bool] = NOT_READ
    battery_percent: Reading[float] = NOT_READ
    cpu_by_others: Reading[float] = NOT_READ
    """Share of all cores, 0 to 1, that processes other than ours use."""
    gpus: Reading[tuple[GpuReading, ...]] = NOT_READ
    """Readings of each GPU; empty if the machine has none."""
    full_screen: Reading[str | None] = NOT_READ
    """The application that fills the screen, such as a game; None: none does."""
    exclusive: Reading[tuple[str, ...]] = NOT_READ
    """Running programs among the volunteer's exclusive applications."""
    awake: Reading[tuple[str, ...]] = NOT_READ
    """Applications that keep the screen on, such as a video player."""
    cpu_celsius: Reading[float] = NOT_READ
    cpu_joules: Reading[float] = NOT_READ
    """Energy in joules that the processor used for our processes, to be read as differences."""
    metered: Reading[bool] = NOT_READ
    free_ram: Reading[int] = NOT_READ
    free_disk: Reading[int] = NOT_READ
    """Bytes where the runs lie."""
