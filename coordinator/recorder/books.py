"""Epochs on their way into the ledger: kept while the database is away, and written in their order afterwards."""

import logging
import time
from collections import deque
from collections.abc import Callable

from coordinator.errors import DatabaseError, LedgerError
from coordinator.ledger.credit import CommittedEpoch

_log = logging.getLogger(__name__)

_WAITING = 512
"""Epochs in memory, the newest; 5 kB each with 64 contributors."""
_PATIENCE_SECONDS = 2.0
"""Between attempts at a database that is away."""


class Books:
    """For one thread at a time; entering an epoch twice must change nothing."""

    def __init__(
        self, enter: Callable[[CommittedEpoch], object], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``enter`` raises DatabaseError while the database is away, LedgerError for what makes no sense."""
        self._enter, self._clock = enter, clock
        self._waiting: deque[CommittedEpoch] = deque()
        self._again_at = clock()

    @property
    def waiting(self) -> int:
        """Epochs that are not written yet."""
        return len(self._waiting)

    def add(self, epoch: CommittedEpoch) -> None:
        """Have an epoch written by the next ``settle`` that can."""
        self._waiting.append(epoch)
        if len(self._waiting) > _WAITING:
            lost = self._waiting.popleft()
            _log.error("Epoch %d is lost: the database has been away for too long.", lost.epoch)

    def settle(self) -> None:
        """Write what waits; what cannot be written now waits on."""
        if self._clock() < self._again_at:
            return
        while self._waiting:
            try:
                self._enter(self._waiting[0])
            except LedgerError as error:
                _log.error("Epoch %d is left out of the ledger: %s", self._waiting[0].epoch, error)
            except DatabaseError as error:
                _log.warning("%d epochs wait for the database: %s", len(self._waiting), error)
                self._again_at = self._clock() + _PATIENCE_SECONDS
                return
            self._waiting.popleft()
