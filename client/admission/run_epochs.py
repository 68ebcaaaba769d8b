"""Asks a run's coordinator for the run's epochs now and then, and does without them if it does not answer soon."""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from client.admission.tasks import AskHistory, HistoryFound
from client.api.errors import ClientError
from client.api.history import EpochPoint
from client.tasks import TaskRunner
from core.tasks import end_tasks

_log = logging.getLogger(__name__)
POINTS = 1_000
"""Number of points requested: the most that fit the line in which a task answers."""
GOOD_FOR = timedelta(minutes=5)
"""Time for which an answer is used: later epochs were seen here if this computer trains, and hardly matter
otherwise.
"""
AGAIN_AFTER = timedelta(minutes=1)
"""Interval after an attempt that failed."""
_TASK_SECONDS = 30.0


class RunEpochs:
    """Epochs of one run, as its coordinator reports them; raises nothing."""

    def __init__(
        self,
        tasks: TaskRunner,
        coordinator: str | None,
        now: Callable[[], datetime],
        patience: float = 5.0,
    ) -> None:
        """Prepare to ask; ``patience``: seconds that the first request for a curve waits for the coordinator."""
        self._tasks, self._coordinator, self._now, self._patience = tasks, coordinator, now, patience
        self._known: tuple[EpochPoint, ...] = ()
        self._asked, self._rest = now() - GOOD_FOR, GOOD_FOR
        self._asking: asyncio.Task[None] | None = None

    async def newest(self) -> tuple[EpochPoint, ...]:
        """Return the epochs as last reported, in order; old ones are requested again, for the next call."""
        if self._coordinator is not None and self._asking is None and self._is_due():
            self._asking = asyncio.create_task(self._ask(self._coordinator))
        if self._asking is not None and not self._known:
            await asyncio.wait({self._asking}, timeout=self._patience)
        return self._known

    async def close(self) -> None:
        if self._asking is not None:
            await end_tasks([self._asking])

    def _is_due(self) -> bool:
        return not timedelta() <= self._now() - self._asked < self._rest

    async def _ask(self, coordinator: str) -> None:
        try:
            task = AskHistory(coordinator=coordinator, points=POINTS)
            found = await self._tasks.run(task, HistoryFound, _TASK_SECONDS)
            self._known, self._rest = tuple(map(_point, found.epochs)), GOOD_FOR
        except ClientError as error:
            _log.info("The run's epochs cannot be read: %s", error)
            self._rest = AGAIN_AFTER
        finally:
            self._asked, self._asking = self._now(), None


def _point(row: tuple[int, float, int, int, float]) -> EpochPoint:
    epoch, loss, samples, peers, seconds = row
    return EpochPoint(epoch=epoch, loss=loss, samples=samples, peers=peers, seconds=seconds)
