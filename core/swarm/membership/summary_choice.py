"""Decides by which summary a peer knows its swarm, and follows commits that come later than the summary."""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from hivemind.p2p import PeerID
from hivemind.utils import get_dht_time
from hivemind.utils.timed_storage import MAX_DHT_TIME_DISCREPANCY_SECONDS
from pydantic import ValidationError

from core.run.look_schedule import SHARD_RENEWAL_SECONDS, SUMMARY_SECONDS
from core.swarm.membership.checking import contradiction
from core.swarm.membership.cohorts import moved_on
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import SummaryRecord

_log = logging.getLogger(__name__)

_FRESH_SECONDS = 6 * SUMMARY_SECONDS
"""Age of a summary in seconds up to which it tells of the swarm as it is; later a peer draws a sample of its own."""
_FOLLOWED_SECONDS = 2 * SHARD_RENEWAL_SECONDS
"""Seconds after a commit for which summaries are taken to be of before it; peers publish at once after it."""


class SummaryChoice:
    """The summary that a peer goes by: the newest one of the summarisers that were not found to lie."""

    def __init__(self, dht_clock: Callable[[], float] = get_dht_time) -> None:
        """Begin with none; ``dht_clock`` gives the DHT time in seconds."""
        self._dht_clock = dht_clock
        self._liars: set[bytes] = set()
        self._known: list[SummaryRecord] = []
        self.level = 0
        """Level at which this peer stores its record: that of the newest summary, however old."""

    def take(self, values: Iterable[Any]) -> None:
        """Take in the plain ``values`` of the summaries that the node holds."""
        found = []
        for value in values:
            with suppress(ValidationError):
                found.append(SummaryRecord.model_validate(value))
        latest = self._dht_clock() + MAX_DHT_TIME_DISCREPANCY_SECONDS
        self._known = [item for item in found if item.time <= latest and item.peer_id not in self._liars]
        if self.newest is not None:
            self.level = self.newest.level

    @property
    def newest(self) -> SummaryRecord | None:
        """The newest summary, however old; None without one."""
        return max(self._known, key=lambda item: item.time, default=None)

    @property
    def fresh(self) -> SummaryRecord | None:
        """The newest summary if it tells of the swarm as it is; None without one."""
        newest = self.newest
        is_fresh = newest is not None and self._dht_clock() - newest.time <= _FRESH_SECONDS
        return newest if is_fresh else None

    def check(self, drawn: Sequence[ProgressRecord], shards: int) -> None:
        """Drop the summarisers whose summary contradicts the records ``drawn`` from that number of ``shards``."""
        for summary in self._known:
            if (why := contradiction(summary, drawn, shards)) is not None:
                self._liars.add(summary.peer_id)
                _log.warning(
                    "Peer %s is no longer believed about the swarm: %s.", PeerID(summary.peer_id), why
                )
        self._known = [item for item in self._known if item.peer_id not in self._liars]


class FollowedCommits:
    """The last commits that this peer has followed, by which a summary from before them is read."""

    def __init__(self) -> None:
        """Begin without any."""
        self._last: ProgressRecord | None = None
        self._moves = deque[tuple[tuple[int, bytes], ProgressRecord]](maxlen=4)

    def note(self, own: ProgressRecord) -> None:
        """Note the place of this peer in its record ``own``."""
        last, self._last = self._last, own
        if last is not None and own.synchronised and last.synchronised and own.epoch == last.epoch + 1:
            self._moves.append(((last.epoch, last.head), own))

    def applied(self, others: Sequence[ProgressRecord], seen: float, now: float) -> Sequence[ProgressRecord]:
        """Return the ``others`` of a summary, those at the beginning of a commit moved to its end.

        Args:
            others: the cohorts.
            seen: DHT time in seconds at which they had been read.
            now: the present DHT time in seconds.
        """
        for before, own in self._moves:
            landed = own.time - own.epoch_seconds
            if seen < landed + _FOLLOWED_SECONDS and now >= landed:
                others = moved_on(others, before, own.model_copy(update={"time": landed}))
        return others
