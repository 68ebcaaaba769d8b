"""Decides by which summary a peer knows its swarm, and follows commits that come later than the summary."""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

import hivemind
from hivemind.p2p import PeerID
from hivemind.utils import get_dht_time
from hivemind.utils.timed_storage import MAX_DHT_TIME_DISCREPANCY_SECONDS
from pydantic import ValidationError

from core.run.look_schedule import SHARD_RENEWAL_SECONDS, SUMMARY_SECONDS
from core.swarm.lookup.gossip import pull
from core.swarm.membership.checking import contradiction
from core.swarm.membership.cohorts import moved_on
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import SummaryRecord

_log = logging.getLogger(__name__)

_DOUBTED_SECONDS = 3600.0
"""Seconds for which a summariser is not believed whose summary was contradicted: chance may have contradicted it."""
_ASK_SECONDS = 60.0
"""Seconds between two calls for a summary in a swarm that has none so far."""
_FRESH_SECONDS = 6 * SUMMARY_SECONDS
"""Age of a summary in seconds up to which it tells of the swarm as it is; later a peer draws a sample of its own."""
_FOLLOWED_SECONDS = 2 * SHARD_RENEWAL_SECONDS
"""Seconds after a commit for which summaries are taken to be of before it; peers publish at once after it."""


class SummaryChoice:
    """The summary that a peer goes by: the newest one of the summarisers that were not found to lie."""

    def __init__(self, dht_clock: Callable[[], float] = get_dht_time) -> None:
        """Begin with none; ``dht_clock`` gives the DHT time in seconds."""
        self._dht_clock = dht_clock
        self._liars: dict[bytes, float] = {}
        """DHT times until which summarisers are not believed, by their ids."""
        self._known: list[SummaryRecord] = []
        self.level = 0
        """Level at which this peer stores its record: that of the newest summary, however old."""

    def take(self, values: Iterable[Any]) -> None:
        """Take in the plain ``values`` of the summaries that the node holds."""
        found = []
        for value in values:
            with suppress(ValidationError):
                found.append(SummaryRecord.model_validate(value))
        now = self._dht_clock()
        self._liars = {peer: until for peer, until in self._liars.items() if until > now}
        latest = now + MAX_DHT_TIME_DISCREPANCY_SECONDS
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
                self._liars[summary.peer_id] = self._dht_clock() + _DOUBTED_SECONDS
                _log.warning(
                    "Peer %s is not believed about the swarm for an hour: %s.", PeerID(summary.peer_id), why
                )
        self._known = [item for item in self._known if item.peer_id not in self._liars]


class SummaryAsker:
    """Asks now and then whether there are summaries, without waiting for the answer: most swarms have none."""

    def __init__(self, dht: "hivemind.DHT", clock: Callable[[], float]) -> None:
        """Prepare to ask through ``dht``; ``clock`` gives monotonic seconds."""
        self._dht, self._clock = dht, clock
        self._asked: Future[tuple[list[Any], bool]] | None = None
        self._asked_at = float("-inf")

    def answered(self) -> list[Any]:
        """Return the plain values of the summaries, once an answer has come; ask again if it is time for that."""
        if self._asked is not None and self._asked.done():
            asked, self._asked = self._asked, None
            return asked.result()[0] if asked.exception() is None else []
        if self._asked is None and self._clock() - self._asked_at >= _ASK_SECONDS:
            self._asked_at, self._asked = self._clock(), pull(self._dht)
        return []


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
