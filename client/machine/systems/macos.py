"""The sources of macOS: functions of its frameworks. No Mac has run them yet."""

from collections.abc import Callable
from typing import Any

from client.machine.activity.choice import SourceCandidate
from client.machine.activity.polling import open_macos
from client.machine.activity.source import IdleSource
from client.machine.macos.full_screen import read_full_screen
from client.machine.macos.sensors import CPU_CELSIUS, METERED, read_awake
from client.machine.macos.session import read_lock
from client.machine.sensors.power import read_supplies
from client.machine.systems.sources import SystemSources, beside
from client.side_thread import SideThread


def macos_sources(battery: Callable[[], Any] | None = None) -> SystemSources:
    """Prepare to read; `battery`: as ``psutil.sensors_battery``, None: psutil's own."""
    thread = SideThread("system")

    async def close() -> None:
        thread.close()

    return SystemSources(
        activity=lambda: [SourceCandidate("macOS", _open_activity)],
        locked=beside(thread, read_lock),
        full_screen=beside(thread, read_full_screen),
        power=beside(thread, lambda: read_supplies(battery)),
        awake=beside(thread, read_awake),
        cpu_celsius=beside(thread, lambda: CPU_CELSIUS),
        metered=beside(thread, lambda: METERED),
        close=close,
    )


async def _open_activity() -> IdleSource:
    return open_macos()
