"""Restarts a child process when it fails, until a policy says to stop."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Generic

from pydantic import TypeAdapter

from core.children.outcome import Ending, Outcome
from core.children.program import Program
from core.children.supervisor import M, Supervisor
from core.messages.lines import Message

RESTARTS = 5
FORGIVEN_SECONDS = 3600.0
"""Seconds after which an abnormal exit no longer counts."""

Again = Callable[[Outcome, int], float | None]
"""Rule for restarts: it returns the seconds until the next life, or None if there is none.

It is given the outcome of the last life, and the number of lives that ended in the last hour, that one
included.
"""


def worth_restarting(outcome: Outcome, restarts: int) -> bool:
    """Return true if a process that ended abnormally may do better the next time.

    ``outcome`` is that of its last life; ``restarts`` is the number of restarts that count.
    """
    if outcome.ending is Ending.FAILED and outcome.failure and outcome.failure.code != "swarm":
        return False
    return outcome.ending is not Ending.GARBLED and restarts < RESTARTS


def at_once(outcome: Outcome, ends: int) -> float | None:
    """Return 0.0 to restart at once, or None to stop: the rule for work that a user waits for.

    ``outcome`` is that of the last life; ``ends`` is the number of lives that ended in the last hour, that
    one included.
    """
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
        """Prepare the process; `run` starts it.

        Args:
            program: Returns the program of the next life.
            kinds: Type adapter of the child's messages.
            report: Called with each message of the child.
            lost: Called after an abnormal end with its outcome, and with true if the process starts again.
            again: Rule for restarts.
        """
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
        """Run the process until it has ended in order or was stopped.

        Raises ChildError once it is given up, or if it cannot be started.
        """
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

    @property
    def child(self) -> int | None:
        """Id of the process, once it has reported it; None while there is none."""
        return self._supervisor.child if self._supervisor else None

    async def send(self, message: Message) -> None:
        """Send ``message`` to the process, if it lives."""
        if self._supervisor:
            await self._supervisor.send(message)

    async def renew(self, timeout: float) -> None:
        """End the process in order within `timeout` seconds, and start it again at once."""
        self._renewing = True
        self._called.set()
        if self._supervisor:
            await self._supervisor.stop(timeout)

    async def stop(self, timeout: float) -> None:
        """Stop the process in order within `timeout` seconds, and do not start it again."""
        self._stopping = True
        self._called.set()
        if self._supervisor:
            await self._supervisor.stop(timeout)

    async def _goes_on(self, outcome: Outcome, ends: int) -> bool:
        """Wait until a restart is due and return true, or false at the end; raises ChildError if it can't go on."""
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
