"""Sources that are asked every second, for systems that do not signal activity."""

import asyncio
import ctypes
from collections.abc import Awaitable, Callable
from typing import Any

from client.machine.macos.core_foundation import framework

INTERVAL = 1.0
"""Seconds between polls of a source."""


class PolledSource:
    """An idle source around a question."""

    is_event = False

    def __init__(
        self,
        name: str,
        idle_seconds: Callable[[], Awaitable[float]],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Prepare to ask by `idle_seconds`, which raises SourceLost once it does not work."""
        self.name = name
        self._ask = idle_seconds
        self._sleep = sleep

    async def idle_seconds(self) -> float:
        return await self._ask()

    async def until_active(self) -> None:
        before = await self._ask()
        await self._sleep(INTERVAL)
        # Some systems tell whole seconds: that the time has not grown means nothing, that it shrank does.
        while (now := await self._ask()) >= max(before, INTERVAL):
            before = now
            await self._sleep(INTERVAL)

    async def close(self) -> None:
        """Release nothing, because nothing is held."""


_COMBINED_SESSION_STATE = 0
_ANY_INPUT_EVENT = 0xFFFFFFFF


def open_macos(library: Any = None) -> PolledSource:
    """Open macOS's event source; raise OSError if this is no macOS.

    `library`: that framework, by default the system's.
    """
    quartz = library or framework("ApplicationServices")
    seconds_since = quartz.CGEventSourceSecondsSinceLastEventType
    seconds_since.restype = ctypes.c_double
    seconds_since.argtypes = (ctypes.c_int32, ctypes.c_uint32)

    async def idle_seconds() -> float:
        return float(seconds_since(_COMBINED_SESSION_STATE, _ANY_INPUT_EVENT))

    return PolledSource("macOS event source", idle_seconds)
