"""User activity by systemd-logind's idle hint: the last resort, as some desktops never set it or only after minutes.

A desktop that never sets it makes the computer count as used always: that is safe, and `idlebrush doctor` shows
which source is in use.
"""

import os
import time
from collections.abc import Mapping

from client.api.errors import BusError, DisplayError, SourceLost
from client.machine.activity.polling import PolledSource
from client.machine.activity.source import REMEDY
from client.machine.bus import Bus

LOGIND = "org.freedesktop.login1"
_MANAGER = (LOGIND, "/org/freedesktop/login1", f"{LOGIND}.Manager")


async def session_path(system: Bus, environment: Mapping[str, str]) -> str:
    """Return the session that this process runs in; outside of all sessions, return the one with the user's display.

    Raise BusError if there is none.
    """
    if number := environment.get("XDG_SESSION_ID"):
        return await system.value(str, *_MANAGER, "GetSession", "s", number)
    user = await system.value(str, *_MANAGER, "GetUser", "u", os.getuid())
    _, path = await system.get(LOGIND, user, f"{LOGIND}.User", "Display")
    return str(path)


async def open_logind(system: Bus, environment: Mapping[str, str]) -> PolledSource:
    """Open logind's idle hint; raise SourceLost if logind does not know the session."""

    async def idle_seconds() -> float:
        try:
            return await _idle_seconds(system, environment)
        except BusError as error:
            raise SourceLost(error.what, REMEDY) from error

    await idle_seconds()
    return PolledSource("systemd-logind idle hint", idle_seconds)


async def _idle_seconds(system: Bus, environment: Mapping[str, str]) -> float:
    session = (LOGIND, await session_path(system, environment), f"{LOGIND}.Session")
    if not await system.get(*session, "IdleHint"):
        return 0.0
    since = int(await system.get(*session, "IdleSinceHintMonotonic"))
    return max(0.0, time.clock_gettime(time.CLOCK_MONOTONIC) - since / 1e6)


_SYSTEMD = ("org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager")
_DISPLAY_NAMES = ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_SESSION_TYPE", "XDG_SESSION_ID")


async def login_environment(session: Bus, environment: Mapping[str, str]) -> Mapping[str, str]:
    """Return `environment` with the display that desktops report to systemd at login.

    Raise DisplayError if that is no other one.
    """
    variables = dict(setting.partition("=")[::2] for setting in await session.get(*_SYSTEMD, "Environment"))
    display = {name: variables[name] for name in _DISPLAY_NAMES if name in variables}
    own = {name: environment[name] for name in _DISPLAY_NAMES if name in environment}
    if not display or display == own:
        raise DisplayError(
            "systemd knows of no other display.", "Start the client from within your desktop session."
        )
    return {**{name: value for name, value in environment.items() if name not in _DISPLAY_NAMES}, **display}
