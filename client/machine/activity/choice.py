"""Which source of the user's activity is the best one that works here, and why those before it do not."""

import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass

from client.api.errors import ClientError
from client.machine.activity.gnome import GnomeSource
from client.machine.activity.logind import open_logind
from client.machine.activity.screen_saver import open_screen_saver
from client.machine.activity.source import IdleSource
from client.machine.activity.wayland import WaylandSource
from client.machine.activity.x11 import X11Source
from client.machine.bus import Bus
from client.machine.desktop import is_wayland


@dataclass(frozen=True)
class Candidate:
    """A source that may work here."""

    name: str
    open: Callable[[], Awaitable[IdleSource]]
    """Raises ClientError or OSError if it does not."""


@dataclass(frozen=True)
class Choice:
    """What came of trying them in order."""

    source: IdleSource | None
    refusals: tuple[str, ...]
    """For people: each source that was tried in vain, and why."""


def candidates(
    environment: Mapping[str, str], session: Bus, system: Bus, platform: str = sys.platform
) -> list[Candidate]:
    """The best one first."""
    if platform == "darwin":
        return [Candidate("macOS", _open_macos)]
    if platform == "win32":
        return [Candidate("Windows", _open_windows)]
    gnome = Candidate("GNOME", lambda: GnomeSource.open(session))
    screen_saver = Candidate("screen saver service", lambda: open_screen_saver(session))
    logind = Candidate("systemd-logind", lambda: open_logind(system, environment))
    if is_wayland(environment):
        # X11's idle time is left out: beside Wayland it counts only what goes to windows of X11.
        wayland = Candidate("Wayland", lambda: WaylandSource.open(environment))
        return [gnome, wayland, screen_saver, logind]
    if environment.get("DISPLAY"):
        return [Candidate("X11", lambda: X11Source.open(environment)), gnome, screen_saver, logind]
    return [gnome, screen_saver, logind]


async def choose(tried: Iterable[Candidate]) -> Choice:
    """The first that opens."""
    refusals: list[str] = []
    for candidate in tried:
        try:
            return Choice(await candidate.open(), tuple(refusals))
        except (ClientError, OSError) as error:
            refusals.append(f"{candidate.name}: {error.what if isinstance(error, ClientError) else error}")
    return Choice(None, tuple(refusals))


async def _open_macos() -> IdleSource:
    from client.machine.activity.macos import open_macos

    return open_macos()


async def _open_windows() -> IdleSource:
    from client.machine.activity.windows import open_windows

    return open_windows()
