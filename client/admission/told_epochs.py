"""What a run's coordinator tells of its epochs: asked now and then, waited for briefly, and done without."""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from client.admission.errands import AskHistory, HistoryFound
from client.api.errors import ClientError
from client.api.history import EpochPoint
from client.errands import Errands

_log = logging.getLogger(__name__)
POINTS = 1_000
"""Asked for; as many fit the line in which an errand answers."""
GOOD_FOR = timedelta(minutes=5)
"""What came after was seen here if this computer trains, and is not on a curve of the whole run if it does not."""
AGAIN_AFTER = timedelta(minutes=1)
"""Where there was no answer."""
_ERRAND_SECONDS = 30.0


class ToldEpochs:
    """Of one run; nothing is raised."""

    def __init__(
        self,
        errands: Errands,
        coordinator: str | None,
        now: Callable[[], datetime],
        patience: float = 5.0,
    ) -> None:
        """``patience``: seconds for which somebody who has no curve yet waits for one."""
        self._errands, self._coordinator, self._now, self._patience = errands, coordinator, now, patience
        self._known: tuple[EpochPoint, ...] = ()
        self._asked, self._rest = now() - GOOD_FOR, GOOD_FOR
        self._asking: asyncio.Task[None] | None = None

    async def newest(self) -> tuple[EpochPoint, ...]:
        """As last told, in their order; those that are old by now are asked for anew, for the next time."""
        if self._coordinator is not None and self._asking is None and self._is_due():
            self._asking = asyncio.create_task(self._ask(self._coordinator))
        if self._asking is not None and not self._known:
            await asyncio.wait({self._asking}, timeout=self._patience)
        return self._known

    async def close(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    def _is_due(self) -> bool:
        return not timedelta() <= self._now() - self._asked < self._rest

    async def _ask(self, coordinator: str) -> None:
        try:
            errand = AskHistory(coordinator=coordinator, points=POINTS)
            found = await self._errands.run(errand, HistoryFound, _ERRAND_SECONDS)
            self._known, self._rest = tuple(map(_point, found.epochs)), GOOD_FOR
        except ClientError as error:
            _log.info("The run's epochs cannot be seen: %s", error)
            self._rest = AGAIN_AFTER
        finally:
            self._asked, self._asking = self._now(), None


def _point(told: tuple[int, float, int, int, float]) -> EpochPoint:
    epoch, loss, samples, peers, seconds = told
    return EpochPoint(epoch=epoch, loss=loss, samples=samples, peers=peers, seconds=seconds)
