"""Where systemd-logind keeps the user's session on this machine."""

import os
from collections.abc import Mapping

from client.machine.bus import Bus

LOGIND = "org.freedesktop.login1"
_MANAGER = (LOGIND, "/org/freedesktop/login1", f"{LOGIND}.Manager")


async def session_path(system: Bus, environment: Mapping[str, str]) -> str:
    """The session that we run in; started outside of all, the one with the user's display. BusError if none."""
    if number := environment.get("XDG_SESSION_ID"):
        return await system.value(str, *_MANAGER, "GetSession", "s", number)
    user = await system.value(str, *_MANAGER, "GetUser", "u", os.getuid())
    _, path = await system.get(LOGIND, user, f"{LOGIND}.User", "Display")
    return str(path)
