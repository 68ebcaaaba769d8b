"""Situations for tests of the policy: a calm machine that nobody uses, and what differs from it."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from client.machine.readings import GpuReading, Known, Readings, Unknown
from client.policy.policy import Situation

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 2, 12, tzinfo=BERLIN)
"""Time of every situation: noon of a Monday."""
GIB = 1 << 30
UNKNOWN = Unknown("Nobody could tell.")
GPU = GpuReading(
    index=0,
    name="a card",
    used_by_others=0.02,
    memory_by_others=GIB // 2,
    memory_free=7 * GIB,
    memory_total=8 * GIB,
    celsius=50.0,
    watts=100.0,
)
CALM = Readings(
    now=NOW,
    idle_seconds=Known(3600.0, "test"),
    locked=Known(False, "test"),
    on_battery=Known(False, "test"),
    battery_percent=Known(100.0, "test"),
    cpu_by_others=Known(0.02, "test"),
    gpus=Known((GPU,), "test"),
    full_screen=Known(None, "test"),
    exclusive=Known((), "test"),
    awake=Known((), "test"),
    cpu_celsius=Known(50.0, "test"),
    metered=Known(False, "test"),
    free_ram=Known(16 * GIB, "test"),
    free_disk=Known(100 * GIB, "test"),
)


def readings(seconds: float = 0.0, **values: object) -> Readings:
    """Calm but for these values, so many seconds after `NOW`."""
    measured: dict[str, Any] = {
        name: value if isinstance(value, Unknown) else Known(value, "test") for name, value in values.items()
    }
    return replace(CALM, now=NOW + timedelta(seconds=seconds), **measured)


def situation(measured: Readings = CALM, **values: Any) -> Situation:
    """A volunteer who agreed, and a trainer on the processor."""
    return replace(Situation(measured, on_gpu=False, cores=8, consent=True), **values)


def gpus(**values: Any) -> tuple[GpuReading, ...]:
    """The one card, but for these values."""
    return (replace(GPU, **values),)
