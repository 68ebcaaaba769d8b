"""Looks at a swarm for a peer that publishes nothing: by all records, or by summaries and an audit of shards."""

import asyncio
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import hivemind
from hivemind.utils import get_dht_time

from core.run.look_schedule import PULL_SECONDS, STORED_SECONDS
from core.swarm.lookup.gossip import pull
from core.swarm.membership.cohorts import cohorts_in, scaled
from core.swarm.membership.deputies import DEPUTY_RULES, DeputyRules
from core.swarm.membership.level_search import UnshardedSwarm
from core.swarm.membership.summary_choice import SummaryAsker, SummaryChoice
from core.swarm.membership.swarm_view import present_in, timely
from core.swarm.neighbours import entrances
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import shard_keys, shard_of
from core.tasks import within

_ANSWER_SECONDS = 20.0
"""Seconds that the DHT's process may be silent; a dead one would stay silent for ever."""


@dataclass(frozen=True)
class AuditRate:
    """The part of a large swarm that an observer reads, which does not depend on the number of its peers."""

    shards: int = 4
    """Number of shards that are drawn for one audit, of up to 32 records on average."""
    wanted: int = 4
    """Largest number of shards that are read beside them, since peers in them are asked for."""
    seconds: float = 30.0
    """Seconds, at least, from one audit to the next."""
    settled_seconds: float = STORED_SECONDS
    """Seconds after a change of the level in which no audit counts: peers learn of the change one after another."""


@dataclass(frozen=True)
class ShardReading:
    """The records that one shard had when it was read; at level 0 the one shard has those of all peers."""

    level: int
    """Level of the shard, a number without a unit."""
    shard: int
    """Number of the shard among those of its level."""
    time: float
    """DHT time in seconds at which the shard was read."""
    records: tuple[ProgressRecord, ...]

    def covers(self, peer_id: bytes) -> bool:
        """Return true if the record of the peer with the id ``peer_id`` would be among these."""
        return shard_of(peer_id, self.level) == self.shard


@dataclass(frozen=True)
class ObservedSwarm:
    """The swarm as one look of an observer has found it."""

    peers: Sequence[ProgressRecord]
    """The records of all peers, or the cohorts of a summary."""
    readings: Sequence[ShardReading]
    """The shards that were read at this look: that of all peers, or those that were drawn, if an audit was due."""


class SwarmObserver:
    """The looks of an observer; ``look`` is awaited by one task at a time, and may be cancelled."""

    def __init__(
        self,
        dht: "hivemind.DHT",
        prefix: str,
        *,
        rate: AuditRate = AuditRate(),
        rules: DeputyRules = DEPUTY_RULES,
        clock: Callable[[], float] = time.monotonic,
        dht_clock: Callable[[], float] = get_dht_time,
        chance: random.Random | None = None,
    ) -> None:
        """Prepare to look.

        Args:
            dht: a running DHT node.
            prefix: the run's DHT prefix.
            rate: shards of a large swarm that are read in a time.
            rules: the rules by which deputies are drawn and believed, which are those of the peers.
            clock: gives monotonic seconds.
            dht_clock: gives the DHT time in seconds.
            chance: draws the shards; peers must not be able to tell which come next.
        """
        self._dht, self._prefix, self._rate = dht, prefix, rate
        self._clock, self._dht_clock = clock, dht_clock
        self._chance = chance or random.SystemRandom()
        trusted = [peer.to_bytes() for peer in entrances(dht)]
        self._summaries = SummaryChoice(trusted, prefix, dht_clock=dht_clock, rules=rules)
        self._asker = SummaryAsker(dht, clock)
        self._unsharded = UnshardedSwarm(
            prefix, self._summaries, rules=rules, clock=clock, dht_clock=dht_clock, chance=self._chance
        )
        self._level = 0
        self._pulled_at = self._audit_at = self._settled_at = float("-inf")
        self._audited: dict[int, ShardReading] = {}
        """The last reading of each shard that was drawn lately."""
        self._wanted: set[int] = set()
        """Shards of the peers that were asked for, which were not read since."""

    @property
    def level(self) -> int:
        """Level at which peers store their records; 0 in a swarm whose records are all read."""
        return self._level

    async def look(self) -> ObservedSwarm:
        """Return the swarm as it is now; in a large one, ask for a newer summary and audit shards if that is due.

        Raises TimeoutError if the DHT's process does not answer.
        """
        if self._level == 0:
            self._take(self._asker.answered(self._summaries.admitted))
        if self._level == 0:
            reading = await self._read(0)
            await self._follow_records(reading)
            if self._level == 0:
                return ObservedSwarm(reading.records, (reading,))
        await self._pull_if_due()
        readings = await self._audit_if_due()
        return ObservedSwarm(self._peers(), readings)

    def want(self, peers: Iterable[bytes]) -> None:
        """Read the shards of ``peers`` (their ids) at the next audits of a large swarm, a few at each."""
        if self._level:
            self._wanted |= {shard_of(peer, self._level) for peer in peers}

    async def _follow_records(self, reading: ShardReading) -> None:
        """Leave level 0 if records show a large swarm that no summary tells of, or draw deputies from its peers."""
        if (key := self._unsharded.search.shard_due()) is not None:
            self._unsharded.search.note_shard(await self._records(key))
        self._unsharded.follow(reading.records)
        self._change_level()

    async def _pull_if_due(self) -> None:
        if self._clock() - self._pulled_at >= PULL_SECONDS:
            self._pulled_at = self._clock()
            values, _ = await _answered(pull(self._dht, self._summaries.admitted))
            self._take(values)

    def _take(self, values: Sequence[Any]) -> None:
        if values:
            self._summaries.take(values)
            self._change_level()

    def _change_level(self) -> None:
        if self._summaries.level != self._level:
            self._level = self._summaries.level
            self._audited.clear()
            self._wanted.clear()
            self._unsharded.search.begin()
            self._settled_at = self._clock() + self._rate.settled_seconds

    async def _audit_if_due(self) -> tuple[ShardReading, ...]:
        """Read shards that are drawn or wanted, and hold the summaries against the records of those drawn.

        Just after a change of the level, shards only show who is there, and only where no summary does.
        """
        is_settled = self._clock() >= self._settled_at
        is_wanted = is_settled or self._summaries.fresh is None
        if self._level == 0 or not is_wanted or self._clock() < self._audit_at:
            return ()
        self._audit_at = self._clock() + self._rate.seconds
        drawn, others = await self._audit(self._rate.wanted if is_settled else 0)
        self._remember(drawn)
        if not is_settled:
            return ()
        self._summaries.check([record for reading in drawn for record in reading.records], len(drawn))
        self._change_level()
        return *drawn, *others

    async def _audit(self, most_wanted: int) -> tuple[list[ShardReading], list[ShardReading]]:
        """Return the shards that were drawn now, and up to ``most_wanted`` others that were wanted."""
        drawn = self._chance.sample(range(1 << self._level), min(self._rate.shards, 1 << self._level))
        others = sorted(self._wanted.difference(drawn))
        more = self._chance.sample(others, min(most_wanted, len(others)))
        found = await asyncio.gather(*map(self._read, (*drawn, *more)))
        if most_wanted:
            self._wanted.difference_update(drawn, more)
        # A shard without any record tells that it could not be read, rather than that none of its peers is there.
        first, rest = found[: len(drawn)], found[len(drawn) :]
        return [item for item in first if item.records], [item for item in rest if item.records]

    def _remember(self, drawn: Sequence[ShardReading]) -> None:
        """Remember the shards that were drawn, by which the swarm is known without a summary."""
        oldest = self._dht_clock() - STORED_SECONDS
        kept = {shard: item for shard, item in self._audited.items() if item.time >= oldest}
        self._audited = kept | {reading.shard: reading for reading in drawn}

    async def _read(self, shard: int) -> ShardReading:
        level = self._level
        records = await self._records(shard_keys(self._prefix, level)[shard])
        return ShardReading(level, shard, self._dht_clock(), records)

    async def _records(self, key: str) -> tuple[ProgressRecord, ...]:
        """Return the records of the peers that are there under the DHT key."""
        found = await _answered(self._dht.get(key, latest=True, return_future=True))
        return tuple(present_in(found, self._dht_clock()))

    def _peers(self) -> Sequence[ProgressRecord]:
        """Return the cohorts of the newest summary; without a fresh one, the shards drawn lately stand for all."""
        if (summary := self._summaries.fresh) is not None:
            return cohorts_in(summary)
        drawn = [record for reading in self._audited.values() for record in reading.records]
        factor = (1 << self._level) // max(1, len(self._audited))
        return scaled(timely(drawn, self._dht_clock()), max(1, factor))


async def _answered(asked: Any) -> Any:
    """Return what was ``asked`` of the DHT's process; raise TimeoutError if it does not answer."""
    return await within(_ANSWER_SECONDS, asked)
