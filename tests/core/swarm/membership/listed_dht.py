"""A stand-in for the DHT of a swarm of any size, whose records lie in the shards of one level."""

import asyncio
import random
from collections.abc import Generator
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

from core.swarm.lookup.reader import KeyLook
from core.swarm.membership.summarising import summarise
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import shard_keys, shard_of
from tests.core.swarm.builders import HandClock, identity, progress

PREFIX = "tiny"
ENTRANCE = identity(1)


class ListedAnswer(Future[Any]):
    """A future that can be waited for by a thread and by a coroutine, as those of the DHT can."""

    def __await__(self) -> Generator[Any, None, Any]:
        return asyncio.wrap_future(self).__await__()


def answered(result: object) -> ListedAnswer:
    future = ListedAnswer()
    future.set_result(result)
    return future


class ListedDHT:
    """Stands in for the DHT of a swarm of so many others, whose records lie in the shards of one level."""

    initial_peers = (f"/ip4/127.0.0.1/tcp/1/p2p/{ENTRANCE.peer_id.to_base58()}",)

    def __init__(self, clock: HandClock, others: int, level: int) -> None:
        self.clock, self.others, self.level = clock, others, level
        self.summaries = list[dict[str, Any]]()
        self.admitted = frozenset[bytes]()
        self.is_cut_off, self.stored = False, 0
        """True while no node answers a store, and the number of records that were to be stored."""

    def run_coroutine(self, work: Any, return_future: bool) -> ListedAnswer:
        if "deputies" in work.keywords:
            self.admitted = work.keywords["deputies"].peers
            return answered((self.summaries, True))
        self.stored += 1
        return answered(KeyLook(self._found(work.keywords["key"]), is_answered=not self.is_cut_off))

    def get(self, key: str, latest: bool, return_future: bool) -> ListedAnswer:
        return answered(self._found(key))

    def _found(self, key: str) -> Any:
        keys = shard_keys(PREFIX, self.level)
        records = [item for item in self.records() if keys[shard_of(item.peer_id, self.level)] == key]
        return SimpleNamespace(
            value={item.peer_id: SimpleNamespace(value=item.model_dump()) for item in records}
        )

    def records(self) -> list[ProgressRecord]:
        return [
            progress(number, time=self.clock.now, looks_every=30.0) for number in range(1, 1 + self.others)
        ]

    def summary(self, peers: int, level: int) -> dict[str, Any]:
        return summarise(
            self.records()[:peers],
            peer_id=ENTRANCE.peer_id.to_bytes(),
            level=level,
            now=self.clock.now,
            chance=random.Random(1),
        ).pack()
