"""Reads the records of a swarm out of all their shards, for those that need every one: the summarisers."""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import hivemind
from hivemind.utils import get_dht_time

from core.swarm.lookup import gossip
from core.swarm.membership.summary_choice import SummaryAsker, SummaryChoice
from core.swarm.membership.swarm_view import timely
from core.swarm.neighbours import entrances
from core.swarm.wire.records import ProgressRecord, parse_all
from core.swarm.wire.summaries import (
    HIGHEST_LEVEL,
    LARGEST_UNSHARDED,
    SUMMARY_STORED_SECONDS,
    level_for,
    shard_keys,
)

_AT_ONCE = 8
"""Shards that are read at a time."""
_ANSWER_SECONDS = 20
"""Seconds that the DHT's process may be silent; a dead one would stay silent for ever."""
_PROBES = 3
"""Readings at which all levels are looked at while there is no summary: the first one may come before any contact."""
_DOUBTS = 3
"""Readings in a row that are not believed which find less than half of the peers."""


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
        own: bytes | None = None,
        stated: Callable[[], int] | None = None,
        level_of: Callable[[int, int], int] = level_for,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to read.

        Args:
            dht: a running DHT node.
            prefix: the run's DHT prefix.
            own: id of this peer if others enter the swarm by it; None for any other peer.
            stated: gives the level at which peers store their records, for a reader that knows it; None: it is that
                of the newest summary of an entrance.
            level_of: gives the level for a number of peers and the present level.
            clock: gives monotonic seconds.
        """
        self._dht, self._prefix, self._clock = dht, prefix, clock
        self.levels = ShardLevels(level_of=level_of)
        trusted = {peer.to_bytes() for peer in entrances(dht)} | ({own} if own is not None else set())
        self._summaries, self._asker = SummaryChoice(trusted, prefix), SummaryAsker(dht, clock)
        self._stated, self._last = stated, list[ProgressRecord]()
        self._probes, self._doubts = 0, 0
        self._is_closed, self._is_ending = False, False

    def read(self) -> list[ProgressRecord]:
        """Return the newest record of each peer that is there, and follow the size of the swarm.

        Raises TimeoutError if the DHT's process does not answer, or `close` or `end_soon` was called.
        """
        now = self._clock()
        self._follow_summaries(now)
        self._last = self._read(now)
        return self._last

    @property
    def writing(self) -> frozenset[bytes]:
        """Ids of the entrances whose summaries are known."""
        return self._summaries.writing

    def close(self) -> None:
        """End a reading that is under way in another thread, at once."""
        self._is_closed = True

    def end_soon(self) -> None:
        """End a reading that is under way in another thread, after the answers to what it has asked for."""
        self._is_ending = True

    def _read(self, now: float) -> list[ProgressRecord]:
        keys = [key for level in self.levels.to_read(now) for key in shard_keys(self._prefix, level)]
        found = newest_of(record for records in self._all(keys) for record in records)
        records = [record for record in timely(found, get_dht_time()) if not record.leaving]
        if self._is_doubtful(records):
            return timely(self._last, get_dht_time())
        self.levels.follow(len(records), now)
        return records

    def _is_doubtful(self, records: Sequence[ProgressRecord]) -> bool:
        """Return true if far fewer peers are there than last time, until it was so several times in a row.

        A line that was cut shows an empty swarm, which must not be told to all as the truth.
        """
        is_drop = len(self._last) > LARGEST_UNSHARDED and 2 * len(records) < len(self._last)
        self._doubts = self._doubts + 1 if is_drop else 0
        return 0 < self._doubts <= _DOUBTS

    def _follow_summaries(self, now: float) -> None:
        """Learn the level from the newest summary: this reader may have begun later, or count the peers otherwise."""
        if self._stated is not None:
            self.levels.change(self._stated(), now)
            return
        if self.levels.present:
            values, _ = self._answer(gossip.pull(self._dht, self._summaries.admitted))
        else:
            values = self._asker.answered(self._summaries.admitted)
        self._summaries.take(values)
        if self._summaries.newest is not None:
            self.levels.change(self._summaries.level, now)
        elif not self.levels.present and self._probes < _PROBES:
            self._probes += 1
            self._probe(now)

    def _probe(self, now: float) -> None:
        """Look for records at all levels: summaries may have expired before this reader began."""
        levels = range(1, HIGHEST_LEVEL + 1)
        found = [
            list(records) for records in self._all([shard_keys(self._prefix, level)[0] for level in levels])
        ]
        counts = {
            level: len(timely(records, get_dht_time())) for level, records in zip(levels, found, strict=True)
        }
        level = max(levels, key=counts.__getitem__)
        if counts[level]:
            self.levels.change(level, now)

    def _all(self, keys: Sequence[str]) -> Iterable[Iterable[ProgressRecord]]:
        for at in range(0, len(keys), _AT_ONCE):
            if self._is_ending:
                raise TimeoutError
            asked = [self._ask(key) for key in keys[at : at + _AT_ONCE]]
            for future in asked:
                found = self._answer(future)
                yield parse_all(ProgressRecord, found.value if found else None).values()

    def _ask(self, key: str) -> "Future[Any]":
        asked: Future[Any] = self._dht.get(key, latest=True, return_future=True)
        return asked

    def _answer(self, asked: "Future[Any]") -> Any:
        """Return what was asked for; raise TimeoutError if that takes too long, or this reader was closed."""
        for _ in range(_ANSWER_SECONDS):
            with suppress(TimeoutError):
                return asked.result(timeout=1.0)
            if self._is_closed:
                break
        raise TimeoutError
