"""The sources of Linux: the services of D-Bus, the display, and the kernel's sensors."""

from collections.abc import Mapping

from client.api.errors import DisplayError
from client.machine.activity.choice import SourceCandidate, choose
from client.machine.activity.gnome import GnomeSource
from client.machine.activity.logind import login_environment, open_logind
from client.machine.activity.screen_saver import open_screen_saver, read_lock
from client.machine.activity.source import IdleSource
from client.machine.activity.wayland import WaylandSource
from client.machine.activity.x11 import X11Source
from client.machine.bus import Bus, session_bus, system_bus
from client.machine.display.desktop import Desktop, is_wayland
from client.machine.sensors.inhibitors import Inhibitors
from client.machine.sensors.power import Power, read_metered
from client.machine.sensors.temperature import ProcessorTemperature
from client.machine.systems.sources import SystemSources, beside
from client.side_thread import SideThread


def linux_sources(environment: Mapping[str, str]) -> SystemSources:
    """Prepare to read; buses and display are connected to at the first reading that needs them."""
    system, session = system_bus(environment), session_bus(environment)
    desktop, sensors = Desktop(environment), SideThread("sensors")

    async def close() -> None:
        sensors.close()
        await desktop.close()
        await system.close()
        await session.close()

    return SystemSources(
        activity=lambda: activity_candidates(environment, session, system),
        locked=lambda: read_lock(session, system, environment),
        full_screen=desktop.read,
        power=Power(system).read,
        awake=Inhibitors(system, session).read,
        cpu_celsius=beside(sensors, ProcessorTemperature().read),
        metered=lambda: read_metered(system),
        close=close,
    )


def activity_candidates(environment: Mapping[str, str], session: Bus, system: Bus) -> list[SourceCandidate]:
    """Return the sources of activity that this desktop may have, the best one first."""
    others = [
        SourceCandidate("display of the login", lambda: _open_of_login(environment, session)),
        SourceCandidate("screen saver service", lambda: open_screen_saver(session)),
        SourceCandidate("systemd-logind", lambda: open_logind(system, environment)),
    ]
    gnome = SourceCandidate("GNOME", lambda: GnomeSource.open(session))
    display = _displays(environment)
    return [gnome, *display, *others] if is_wayland(environment) else [*display, gnome, *others]


def _displays(environment: Mapping[str, str]) -> list[SourceCandidate]:
    # Beside Wayland, X11's idle time counts only what goes to windows of X11.
    if is_wayland(environment):
        return [SourceCandidate("Wayland", lambda: WaylandSource.open(environment))]
    return [SourceCandidate("X11", lambda: X11Source.open(environment))] if environment.get("DISPLAY") else []


async def _open_of_login(environment: Mapping[str, str], session: Bus) -> IdleSource:
    choice = await choose(_displays(await login_environment(session, environment)))
    if choice.source is None:
        raise DisplayError("It does not answer.", " ".join(choice.refusals))
    return choice.source
