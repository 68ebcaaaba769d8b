"""Keeps a child process going: starts it again when it ends out of order, for as long as that makes sense."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Generic

from pydantic import TypeAdapter

from core.children.outcome import Ending, Outcome
from core.children.program import Program
from core.children.supervisor import M, Supervisor
from core.lines import Message

RESTARTS = 5
FORGIVEN_SECONDS = 3600.0
"""After which the end of a life no longer counts."""

Again = Callable[[Outcome, int], float | None]
"""Seconds until the next life, given how the last one ended and how many did in the last hour, it included.

None: that was the last one.
"""


def worth_restarting(outcome: Outcome, restarts: int) -> bool:
    """Whether a process that ended out of order may do better the next time."""
    if outcome.ending is Ending.FAILED and outcome.failure and outcome.failure.code != "swarm":
        return False
    return outcome.ending is not Ending.GARBLED and restarts < RESTARTS


def at_once(outcome: Outcome, ends: int) -> float | None:
    """For work that somebody waits for: it ends in order, or is started again a few times."""
    return 0.0 if not outcome.in_order and worth_restarting(outcome, ends - 1) else None


class Keeper(Generic[M]):
    """One child process over all its lives."""

    def __init__(
        self,
        program: Callable[[], Program],
        kinds: TypeAdapter[M],
        report: Callable[[M], None],
        lost: Callable[[Outcome, bool], None],
        again: Again = at_once,
    ) -> None:
        """`program` gives what runs in the next life; `lost` hears of ends out of order, and of restarts."""
        self._program = program
        self._kinds = kinds
        self._report = report
        self._lost = lost
        self._again = again
        self._supervisor: Supervisor[M] | None = None
        self._renewing = False
        self._stopping = False
        self._called = asyncio.Event()

    async def run(self) -> None:
        """Return once the process has ended in order or was stopped; ChildError once it is given up."""
        ends: list[float] = []
        while not self._stopping:
            self._renewing = False
            self._called.clear()
            self._supervisor = Supervisor(self._program(), self._kinds)
            outcome = await self._supervisor.run(self._report)
            if self._renewing and not self._stopping:
                continue
            now = asyncio.get_running_loop().time()
            ends = [end for end in ends if now - end < FORGIVEN_SECONDS] + [now]
            if not await self._goes_on(outcome, len(ends)):
                return

    async def send(self, message: Message) -> None:
        """Give the process, if it lives, an order."""
        if self._supervisor:
            await self._supervisor.send(message)

    async def renew(self, timeout: float) -> None:
        """Have the process end in order within `timeout` seconds, and begin its next life at once."""
        self._renewing = True
        self._called.set()
        if self._supervisor:
            await self._supervisor.stop(timeout)

    async def stop(self, timeout: float) -> None:
        """Let the process end in order within `timeout` seconds, and start it no more."""
        self._stopping = True
        self._called.set()
        if self._supervisor:
            await self._supervisor.stop(timeout)

    async def _goes_on(self, outcome: Outcome, ends: int) -> bool:
        """Whether it lives again, once it is time to; ChildError if it should, and cannot."""
        pause = None if self._stopping else self._again(outcome, ends)
        if not outcome.in_order:
            self._lost(outcome, pause is not None)
        if pause is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._called.wait(), pause)
            return True
        if outcome.in_order or self._stopping:
            return False
        raise outcome.error()
