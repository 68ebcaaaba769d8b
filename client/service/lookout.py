"""What the daemon sees of the machine: it looks again and again, and is told of input at once."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from client.machine.readings import Known, Reading, Readings, Unknown

SECONDS_BETWEEN_INPUTS = 0.5
"""While input changes nothing it need not be heard of more often."""
SECONDS_WHILE_BLIND = 5.0
"""Until somebody is asked for input again who could not tell."""


LOOK_WHILE_COMPUTING = 1.0
LOOK_WHILE_FROZEN_ON_GPU = 1.5
LOOK_WHILE_PAUSED = 5.0
LOOK_WHILE_OFF = 30.0
"""Seconds between two looks at the machine; a trainer that is frozen on a GPU holds memory that a game may need."""


def seconds_between_looks(*, has_run: bool, is_paused: bool, holds_gpu: bool) -> float:
    """How long a look is good for."""
    if not has_run:
        return LOOK_WHILE_OFF
    if not is_paused:
        return LOOK_WHILE_COMPUTING
    return LOOK_WHILE_FROZEN_ON_GPU if holds_gpu else LOOK_WHILE_PAUSED


class Machine(Protocol):
    """What tells of the machine that the client runs on."""

    async def read(self) -> Readings:
        """All of it, within a moment."""

    async def until_active(self) -> Reading[float]:
        """Return at the first input after the call, or once nobody can tell, with the idle time as it is then."""


@dataclass(frozen=True)
class Reactions:
    """What is called on the event loop."""

    on_look: Callable[[], Awaitable[None]]
    """After each look."""
    on_input: Callable[[], None]
    """At an input while the lookout is armed, and where nobody can tell of one any more."""
    seconds_to_next_look: Callable[[], float]


class Lookout:
    """``readings`` are the newest whenever a reaction is called."""

    def __init__(self, machine: Machine, reactions: Reactions, now: Callable[[], datetime]) -> None:
        self.readings = Readings(now=now())
        self.has_looked = False
        """Whether the machine has been looked at; before, every decision is one about nothing."""
        self._machine, self._reactions, self._now = machine, reactions, now
        self._last_input: float | None = None
        self._look_again, self._armed = asyncio.Event(), asyncio.Event()

    async def live(self) -> None:
        """Until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._look_around())
            tasks.create_task(self._watch_input())

    def look(self) -> None:
        """Look at the machine again, soon."""
        self._look_again.set()

    def arm(self, armed: bool) -> None:
        """Watch for input only while it would make a difference."""
        (self._armed.set if armed else self._armed.clear)()

    async def _look_around(self) -> None:
        while True:
            self._look_again.clear()
            self.readings = self._no_older_than_input(await self._machine.read())
            self.has_looked = True
            await self._reactions.on_look()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._reactions.seconds_to_next_look()):
                    await self._look_again.wait()

    async def _watch_input(self) -> None:
        while True:
            await self._armed.wait()
            found = await self._machine.until_active()
            self._last_input = asyncio.get_running_loop().time()
            self.readings = replace(self.readings, idle_seconds=found, now=self._now())
            self._reactions.on_input()
            blind = isinstance(found, Unknown)
            await asyncio.sleep(SECONDS_WHILE_BLIND if blind else SECONDS_BETWEEN_INPUTS)

    def _no_older_than_input(self, found: Readings) -> Readings:
        """Readings that were begun before an input came know nothing of it."""
        if self._last_input is None or isinstance(found.idle_seconds, Unknown):
            return found
        since = asyncio.get_running_loop().time() - self._last_input
        idle = found.idle_seconds
        return replace(found, idle_seconds=Known(min(idle.value, since), idle.source))
