"""User activity by systemd-logind's idle hint: the last resort, as some desktops never set it or only after minutes.

A desktop that never sets it makes the computer count as used always: that is safe, and `idlebrush doctor` shows
which source is in use.
"""

import time
from collections.abc import Mapping

from client.api.errors import BusError, SourceLost
from client.machine.activity.polling import PolledSource
from client.machine.activity.session import LOGIND, session_path
from client.machine.activity.source import REMEDY
from client.machine.bus import Bus


async def open_logind(system: Bus, environment: Mapping[str, str]) -> PolledSource:
    """SourceLost if logind does not know the session."""

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
