"""Watches for signs of life of a child, and gives it up after too long a silence.

Ticks are counted instead of reading a clock: while this process is frozen itself, no silence adds up.
"""

import asyncio
import contextlib
from collections.abc import Callable

from core.children.program import Patience

_STARVED = 0.5
"""Share of a tick for which a child waited for the processor that shows that it could not have said anything."""
_STARVED_PACE = 0.1
"""Share of a starved child's silence that counts; not zero, because a child that hangs may be starved as well."""
_WORTH_A_LOOK = 0.2
"""Share of the allowed silence after which the watchdog checks if the child is starved."""
_LOOK_WHILE_HELD = 5.0
"""Seconds between two looks at whether the guard is there: usually the end of the channel shows it."""


class Watchdog:
    """Watches one child."""

    def __init__(self, patience: Patience, starved: Callable[[int], float]) -> None:
        """Begin to watch.

        Args:
            patience: Time limits.
            starved: Returns the seconds for which a process has waited for the processor so far.
        """
        self._patience, self._starved = patience, starved
        self._allowed_silence = patience.first_message
        self._silence = self._idle = 0.0
        self._running = 0.0
        """Seconds since the child last continued; its own clock does not know how long it was stopped."""
        self._waited = 0.0
        """Seconds for which the child had waited for the processor at the last look."""
        self._let_go = asyncio.Event()
        self._let_go.set()
        self.child: int | None = None
        """The process that computes, once it is known."""

    def heard(self) -> None:
        """Note that the child has sent a message."""
        self._silence, self._allowed_silence = 0.0, self._patience.silence

    def heard_of_idling(self, seconds: float) -> None:
        """Note that the child's main loop has given no sign of life for ``seconds``."""
        self._idle = min(seconds, self._running)

    def hold(self, is_held: bool) -> None:
        """Begin (``is_held``) or end a time in which the child is stopped on purpose.

        No sign of life is expected meanwhile.
        """
        self._silence = self._idle = self._running = 0.0
        (self._let_go.clear if is_held else self._let_go.set)()

    async def is_given_up(self, has_ended: Callable[[], bool]) -> bool:
        """Wait until the child was silent for too long, or until it has ended.

        ``has_ended`` returns true once it has. The result is true for a child that was silent for too long.
        """
        while self._silence < self._allowed_silence and self._idle < self._patience.idle:
            if self._let_go.is_set():
                await self._tick()
            else:
                await self._until_let_go(_LOOK_WHILE_HELD)
            if has_ended():
                return False
        return True

    async def _tick(self) -> None:
        await asyncio.sleep(self._patience.tick)
        self._silence += self._patience.tick * (_STARVED_PACE if self._is_starved() else 1.0)
        self._running += self._patience.tick

    def _is_starved(self) -> bool:
        """Return true if other programs had the processor since the last look; looks begin at a missed heartbeat."""
        if self.child is None or self._silence < _WORTH_A_LOOK * self._allowed_silence:
            return False
        before, self._waited = self._waited, self._starved(self.child)
        return self._waited - before > _STARVED * self._patience.tick

    async def _until_let_go(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._let_go.wait()
