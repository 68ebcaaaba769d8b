"""Epochs on their way to the ledger: found along the chain of commits, and kept until they are written."""

import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from coordinator.errors import DatabaseError, LedgerError
from coordinator.ledger.credit import CommittedEpoch
from core.swarm.rounds.summary import RoundSummary

_log = logging.getLogger(__name__)

LONGEST = 256
"""Epochs that are caught up on at once: peers keep the summaries of no more."""
Fetch = Callable[[bytes], Awaitable[RoundSummary | None]]
"""Fetches the summary of the round with that root, which proves it; None if no peer gives it."""

_WAITING = 512
"""Most epochs in memory, the newest."""
_WAITING_CONTRIBUTORS = 500_000
"""Most contributors of those epochs together, at about 0.4 kB each: 200 MB."""
_PATIENCE_SECONDS = 2.0
"""Seconds between attempts to reach a database that does not answer."""


@dataclass(frozen=True)
class Point:
    """A place in the chain."""

    epoch: int
    """Epochs done."""
    root: bytes
    """Root of the commit that made this epoch."""


@dataclass(frozen=True)
class Walk:
    """The epochs found between two points."""

    summaries: tuple[RoundSummary, ...]
    """Oldest first, each the parent of the next; the last one led to where the trainers stand."""
    is_whole: bool
    """True if no epoch is missing between the record and the first of them, on this branch or on another."""


async def walk_back(head: Point, recorded: Point, fetch: Fetch) -> Walk:
    """Return the rounds after ``recorded`` that led to ``head``, as far as some peer has their summaries.

    The root that half of the trainers stand at names the epoch before it, and so on. Every summary is proven by a
    root that the next summary proves, whichever peer gave them. A commit record that no peer applied is no epoch.
    """
    found: list[RoundSummary] = []
    point = head
    while point.epoch > recorded.epoch and len(found) < LONGEST:
        summary = await fetch(point.root)
        if summary is None or summary.record.epoch + 1 != point.epoch:
            break  # forgotten by all, or a head of another epoch than its peers say
        found.append(summary)
        point = Point(summary.record.epoch, summary.record.parent)
    return Walk(tuple(reversed(found)), is_whole=point.epoch <= recorded.epoch)


class EpochQueue:
    """A queue of epochs for the ledger: kept while the database is away, and written in their order afterwards.

    It is for one thread at a time; entering an epoch twice must change nothing.
    """

    def __init__(
        self, enter: Callable[[CommittedEpoch], object], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Prepare a queue of epochs, which are written by ``enter``.

        ``enter`` raises DatabaseError while the database is away, and LedgerError for an epoch that makes no sense.
        """
        self._enter, self._clock = enter, clock
        self._waiting: deque[CommittedEpoch] = deque()
        self._contributors = 0
        self._again_at = clock()

    @property
    def waiting(self) -> int:
        """Epochs that are not written yet."""
        return len(self._waiting)

    def add(self, epoch: CommittedEpoch) -> None:
        """Queue an epoch, which the next ``settle`` that can writes."""
        self._waiting.append(epoch)
        self._contributors += len(epoch.contributors)
        while len(self._waiting) > _WAITING or self._contributors > _WAITING_CONTRIBUTORS:
            lost = self._next()
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
            else:
                _log.info("Epoch %d is in the ledger.", self._waiting[0].epoch)
            self._next()

    def _next(self) -> CommittedEpoch:
        """Take the oldest epoch out of the queue."""
        epoch = self._waiting.popleft()
        self._contributors -= len(epoch.contributors)
        return epoch
