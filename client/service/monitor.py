"""Watches the machine for the daemon: it looks regularly, and notices input at once."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from client.machine.readings import Known, Reading, Readings, Unknown

SECONDS_BETWEEN_INPUTS = 0.5
"""Interval in which further input is not noticed, as it changes nothing."""
SECONDS_WHILE_BLIND = 5.0
"""Pause before a source of input is asked again that did not work."""


LOOK_WHILE_COMPUTING = 1.0
LOOK_WHILE_FROZEN_ON_GPU = 1.5
LOOK_WHILE_PAUSED = 5.0
LOOK_WHILE_OFF = 30.0
"""Seconds between two looks at the machine; a trainer that is frozen on a GPU holds memory that a game may need."""


def seconds_between_looks(*, has_run: bool, is_paused: bool, holds_gpu: bool) -> float:
    """Return the seconds for which a look stays valid."""
    if not has_run:
        return LOOK_WHILE_OFF
    if not is_paused:
        return LOOK_WHILE_COMPUTING
    return LOOK_WHILE_FROZEN_ON_GPU if holds_gpu else LOOK_WHILE_PAUSED


class MachineSource(Protocol):
    """Source of readings of the machine that the client runs on."""

    async def read(self) -> Readings:
        """Return all readings, without waiting for slow ones."""

    async def until_active(self) -> Reading[float]:
        """Return at the first input after the call, or once no source works, with the idle time as it is then."""


@dataclass(frozen=True)
class Reactions:
    """Callbacks, called on the event loop."""

    on_look: Callable[[], Awaitable[None]]
    """Callback after each look."""
    on_input: Callable[[], None]
    """Callback at an input while the monitor is armed, and when no source of input works any more."""
    seconds_to_next_look: Callable[[], float]


class Monitor:
    """``readings`` are the newest whenever a reaction is called."""

    def __init__(self, machine: MachineSource, now: Callable[[], datetime]) -> None:
        self.readings = Readings(now=now())
        self.has_looked = False
        """True once the machine was looked at; a decision before that rests on no readings."""
        self._machine, self._now = machine, now
        self._last_input: float | None = None
        self._look_again, self._armed = asyncio.Event(), asyncio.Event()

    async def live(self, reactions: Reactions) -> None:
        """Look at the machine and watch for input, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._look_around(reactions))
            tasks.create_task(self._watch_input(reactions))

    def look(self) -> None:
        """Look at the machine again, soon."""
        self._look_again.set()

    def arm(self, armed: bool) -> None:
        """Watch for input only while it would make a difference."""
        (self._armed.set if armed else self._armed.clear)()

    async def _look_around(self, reactions: Reactions) -> None:
        while True:
            self._look_again.clear()
            self.readings = self._no_older_than_input(await self._machine.read())
            self.has_looked = True
            await reactions.on_look()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(reactions.seconds_to_next_look()):
                    await self._look_again.wait()

    async def _watch_input(self, reactions: Reactions) -> None:
        while True:
            await self._armed.wait()
            found = await self._machine.until_active()
            self._last_input = asyncio.get_running_loop().time()
            self.readings = replace(self.readings, idle_seconds=found, now=self._now())
            reactions.on_input()
            blind = isinstance(found, Unknown)
            await asyncio.sleep(SECONDS_WHILE_BLIND if blind else SECONDS_BETWEEN_INPUTS)

    def _no_older_than_input(self, found: Readings) -> Readings:
        """Correct the readings for an input that came while they were taken."""
        if self._last_input is None or isinstance(found.idle_seconds, Unknown):
            return found
        since = asyncio.get_running_loop().time() - self._last_input
        idle = found.idle_seconds
        return replace(found, idle_seconds=Known(min(idle.value, since), idle.source))
