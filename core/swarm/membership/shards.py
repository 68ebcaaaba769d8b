"""Reads the records of a swarm out of all their shards, for those that need every one: organisers and summarisers."""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import hivemind
from hivemind.utils import get_dht_time

from core.swarm.ending import answer
from core.swarm.lookup import gossip
from core.swarm.membership.summary_choice import SummaryChoice
from core.swarm.membership.swarm_view import timely
from core.swarm.wire.records import ProgressRecord, parse_all
from core.swarm.wire.summaries import SUMMARY_STORED_SECONDS, level_for, shard_keys

_AT_ONCE = 8
"""Shards that are read at a time."""
_ANSWER_SECONDS = 20.0
"""Seconds that the DHT's process may be silent; a dead one would stay silent for ever."""


def newest_of(records: Iterable[ProgressRecord]) -> list[ProgressRecord]:
    """Return the newest of ``records`` for each peer: one that has changed its shard has left two."""
    newest: dict[bytes, ProgressRecord] = {}
    for record in records:
        known = newest.get(record.peer_id)
        if known is None or known.time < record.time:
            newest[record.peer_id] = record
    return list(newest.values())


@dataclass
class ShardLevels:
    """The levels at which records of a swarm may lie, as one reader follows its size."""

    present: int = 0
    """Level at which peers are to store their records."""
    before: int = 0
    """Level, a number without a unit, at which they did before the last change."""
    changed_at: float = float("-inf")
    """Monotonic seconds of the last change."""
    level_of: Callable[[int, int], int] = level_for
    """Gives the level for a number of peers and the present level."""

    def to_read(self, now: float) -> list[int]:
        """Return the levels at which records may lie at ``now``, in monotonic seconds.

        Newcomers who have no summary yet store theirs at level 0, and others find out that the level has changed.
        """
        recent = now - self.changed_at < SUMMARY_STORED_SECONDS
        return sorted({0, self.present, *([self.before] if recent else [])})

    def follow(self, peers: int, now: float) -> None:
        """Choose the level for a swarm of ``peers`` at ``now``, in monotonic seconds."""
        self.change(self.level_of(peers, self.present), now)

    def change(self, level: int, now: float) -> None:
        """Go to ``level`` at ``now``, in monotonic seconds."""
        if level != self.present:
            self.before, self.present, self.changed_at = self.present, level, now


class ShardReader:
    """Reads the records of all shards of a run."""

    def __init__(
        self,
        dht: "hivemind.DHT",
        prefix: str,
        *,
        least_seconds: float = 0.0,
        level_of: Callable[[int, int], int] = level_for,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to read.

        Args:
            dht: a running DHT node.
            prefix: the run's DHT prefix.
            least_seconds: seconds, at least, between two readings of a large swarm.
            level_of: gives the level for a number of peers and the present level.
            clock: gives monotonic seconds.
        """
        self._dht, self._prefix, self._least_seconds, self._clock = dht, prefix, least_seconds, clock
        self.levels = ShardLevels(level_of=level_of)
        self._summaries = SummaryChoice()
        self._read_at, self._last = float("-inf"), list[ProgressRecord]()

    def read(self) -> list[ProgressRecord]:
        """Return the newest record of each peer that is there, and follow the size of the swarm.

        Of a large swarm it may be what was read a while ago. Raises TimeoutError if the DHT's process does not
        answer.
        """
        now = self._clock()
        if self.levels.present and now - self._read_at < self._least_seconds:
            return timely(self._last, get_dht_time())
        self._read_at, self._last = now, self._read(now)
        return self._last

    def _read(self, now: float) -> list[ProgressRecord]:
        self._follow_summaries(now)
        keys = [key for level in self.levels.to_read(now) for key in shard_keys(self._prefix, level)]
        found = [record for key_records in self._all(keys) for record in key_records]
        records = [record for record in timely(newest_of(found), get_dht_time()) if not record.leaving]
        self.levels.follow(len(records), now)
        return records

    def _follow_summaries(self, now: float) -> None:
        """Learn the level from the newest summary: this reader may have begun later, or count the peers otherwise."""
        values, _ = answer(gossip.pull(self._dht), _ANSWER_SECONDS)
        self._summaries.take(values)
        if self._summaries.newest is not None:
            self.levels.change(self._summaries.level, now)

    def _all(self, keys: Sequence[str]) -> Iterable[Iterable[ProgressRecord]]:
        for at in range(0, len(keys), _AT_ONCE):
            asked = [self._ask(key) for key in keys[at : at + _AT_ONCE]]
            for future in asked:
                found = answer(future, _ANSWER_SECONDS)
                yield parse_all(ProgressRecord, found.value if found else None).values()

    def _ask(self, key: str) -> "Future[Any]":
        asked: Future[Any] = self._dht.get(key, latest=True, return_future=True)
        return asked
