"""User activity on GNOME: Mutter counts the idle time, and signals its end to programs that asked for it."""

import contextlib
import time
from collections.abc import AsyncIterator
from typing import Self

from client.api.errors import BusError, SourceLost
from client.machine.activity.source import REMEDY
from client.machine.bus import Bus

_MONITOR = (
    "org.gnome.Mutter.IdleMonitor",
    "/org/gnome/Mutter/IdleMonitor/Core",
    "org.gnome.Mutter.IdleMonitor",
)


class GnomeSource:
    """Idle time by Mutter's monitor."""

    name = "GNOME idle monitor"
    is_event = True

    def __init__(self, session: Bus) -> None:
        """Prepare to ask the monitor; `open` makes a source and tries it."""
        self._bus = session

    @classmethod
    async def open(cls, session: Bus) -> Self:
        """Open the monitor of that session; raise SourceLost if there is none."""
        source = cls(session)
        await source.idle_seconds()
        return source

    async def idle_seconds(self) -> float:
        try:
            milliseconds = await self._bus.value(int, *_MONITOR, "GetIdletime")
        except BusError as error:
            raise SourceLost(error.what, REMEDY) from error
        return milliseconds / 1000

    async def until_active(self) -> None:
        called = time.monotonic()
        try:
            async with self._bus.signals(*_MONITOR, "WatchFired") as fired, self._watch() as watch:
                # Before the watch was set there may have been a movement.
                if await self.idle_seconds() < time.monotonic() - called:
                    return
                async for body in fired:
                    if body == (watch,):
                        return
        except BusError as error:
            raise SourceLost(error.what, REMEDY) from error

    async def close(self) -> None:
        """Stop watching; the bus stays open, as it belongs to the caller."""

    @contextlib.asynccontextmanager
    async def _watch(self) -> AsyncIterator[int]:
        watch = await self._bus.value(int, *_MONITOR, "AddUserActiveWatch")
        try:
            yield watch
        finally:
            # One that fired is gone already, and Mutter ignores what it does not know.
            with contextlib.suppress(BusError):
                await self._bus.call(*_MONITOR, "RemoveWatch", "u", watch)
