"""The sources of Windows: functions of its system libraries. Tried under Wine, and with stand-ins."""

from collections.abc import Callable
from typing import Any

from client.machine.activity.choice import SourceCandidate
from client.machine.activity.source import IdleSource
from client.machine.sensors.power import read_supplies
from client.machine.systems.sources import SystemSources, beside
from client.machine.windows.libraries import Libraries, SystemLibraries
from client.machine.windows.network import read_metered
from client.machine.windows.screen import read_awake, read_full_screen
from client.machine.windows.session import open_last_input, read_lock
from client.machine.windows.temperature import read_temperature
from client.side_thread import SideThread


def windows_sources(
    libraries: Libraries | None = None, battery: Callable[[], Any] | None = None
) -> SystemSources:
    """Prepare to read.

    The last input is asked for in the event loop: Windows keeps it in the process's own session, and answers within
    microseconds.

    Args:
        libraries: Libraries to ask; None: the system's.
        battery: As ``psutil.sensors_battery``; None: psutil's own.
    """
    asked = libraries or SystemLibraries()
    # Services that other programs add counters and networks to may hang; the session's own answers do not wait.
    session, services = SideThread("session"), SideThread("services")

    async def open_activity() -> IdleSource:
        return open_last_input(asked)

    async def close() -> None:
        session.close()
        services.close()

    return SystemSources(
        activity=lambda: [SourceCandidate("Windows", open_activity)],
        locked=beside(session, lambda: read_lock(asked)),
        full_screen=beside(session, lambda: read_full_screen(asked)),
        power=beside(session, lambda: read_supplies(battery)),
        awake=beside(session, lambda: read_awake(asked)),
        cpu_celsius=beside(services, lambda: read_temperature(asked)),
        metered=beside(services, lambda: read_metered(asked)),
        close=close,
    )
