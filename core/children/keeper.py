"""Keeps a child process going: starts it again when it ends out of order, for as long as that makes sense."""

from collections.abc import Callable
from typing import Generic

from pydantic import TypeAdapter

from core.children.outcome import Ending, Outcome
from core.children.supervisor import M, Program, Supervisor
from core.lines import Message

RESTARTS = 5


def worth_restarting(outcome: Outcome, restarts: int) -> bool:
    """Whether a process that ended out of order may do better the next time."""
    if outcome.ending is Ending.FAILED and outcome.failure and outcome.failure.code != "swarm":
        return False
    return outcome.ending is not Ending.GARBLED and restarts < RESTARTS


class Keeper(Generic[M]):
    """One child process over all its lives."""

    def __init__(
        self,
        program: Callable[[], Program],
        kinds: TypeAdapter[M],
        report: Callable[[M], None],
        lost: Callable[[Outcome, bool], None],
    ) -> None:
        """`program` gives what runs in the next life; `lost` hears of ends out of order, and of restarts."""
        self._program = program
        self._kinds = kinds
        self._report = report
        self._lost = lost
        self._supervisor: Supervisor[M] | None = None
        self._stopping = False

    async def run(self) -> None:
        """Return once the process has ended in order or was stopped; ClientError once it is given up."""
        restarts = 0
        while not self._stopping:
            self._supervisor = Supervisor(self._program(), self._kinds)
            outcome = await self._supervisor.run(self._report)
            if outcome.in_order:
                return
            again = not self._stopping and worth_restarting(outcome, restarts)
            self._lost(outcome, again)
            if not again and not self._stopping:
                raise outcome.error()
            restarts += 1

    async def send(self, message: Message) -> None:
        """Give the process, if it lives, an order."""
        if self._supervisor:
            await self._supervisor.send(message)

    async def stop(self, timeout: float) -> None:
        """Let the process end in order within `timeout` seconds, and start it no more."""
        self._stopping = True
        if self._supervisor:
            await self._supervisor.stop(timeout)
