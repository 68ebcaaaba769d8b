"""Sources that are asked every second, for systems that tell of no activity by themselves."""

import asyncio
from collections.abc import Awaitable, Callable

INTERVAL = 1.0
"""Seconds."""


class PolledSource:
    """An idle source around a question."""

    is_event = False

    def __init__(
        self,
        name: str,
        idle_seconds: Callable[[], Awaitable[float]],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`idle_seconds` raises SourceLost once it cannot tell."""
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
        """Nothing is held."""
