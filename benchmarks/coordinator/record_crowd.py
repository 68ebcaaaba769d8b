"""The volunteers of a large swarm of whom there are signed records, and the calls of real peers."""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from hivemind.dht import DHTID
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.validation import DHTRecord
from hivemind.p2p import P2P, PeerID
from hivemind.utils import get_dht_time

from benchmarks.coordinator.bootstrap_load import MeasuredEntrance, RecordOwner
from core.messages.reach import Reach
from core.run.look_schedule import PULL_SECONDS, SHARD_RENEWAL_SECONDS, STORED_SECONDS
from core.swarm.lookup.gossip import GossipService, name_of
from core.swarm.lookup.news import KeptRecord, NewsService, asking, entries_in, question
from core.swarm.lookup.reader import majority
from core.swarm.wire.device_class import DeviceClass
from core.swarm.wire.records import ProgressRecord, bounded
from core.swarm.wire.summaries import SummaryRecord, shard_keys, shard_of, summary_key

PREFIX = "benchmark"
_REPLICAS = 5
_CALL_SECONDS = 30.0
_CHECK_SECONDS = 600.0
"""Seconds between two readings of a shard by one volunteer, on average."""
_EPOCH = 7
_BEHIND = 0.1
"""Share of the peers that are an epoch behind."""
_REACHES = {
    Reach.DIRECT: 5,
    Reach.MAPPED: 15,
    Reach.PUNCHED: 50,
    Reach.RELAYED: 15,
    Reach.OUTGOING: 10,
    Reach.UNCHECKED: 5,
}
"""Ways to be reached, and of a hundred peers those that are reached so."""
_SKETCH = [random.Random(1).gauss(0, 1) for _ in range(32)]
_dumps, _loads = DHTProtocol.serializer.dumps, DHTProtocol.serializer.loads


@dataclass
class SummaryReader:
    """One volunteer, of whom there are a record and the summary that it knows."""

    owner: RecordOwner
    partners: list[int]
    """Numbers of the nodes that it asks for summaries."""
    known: dict[bytes, float] = field(default_factory=dict)
    """Names of the summaries that it knows, and their expirations."""
    level: int = 0
    made_at: float = 0.0
    """DHT time of the summary that it knows."""


def signed_record(one: RecordOwner, key: str) -> KeptRecord:
    """Return a new progress record of ``one``, signed for that DHT key."""
    place = DHTID.generate(source=key)
    value, expires = _dumps(bounded(_progress(one.peer_id).pack())), get_dht_time() + STORED_SECONDS
    unsigned = DHTRecord(place.to_bytes(), _dumps(one.owner), value, expires)
    return one.owner, one.signer.sign_value(unsigned), expires


def _progress(peer_id: bytes) -> ProgressRecord:
    """Return a record as a peer writes it; the id decides what stays the same, and the place is one of two."""
    own = random.Random(peer_id)
    epoch = _EPOCH - (own.random() < _BEHIND)
    (reach,) = own.choices(list(_REACHES), list(_REACHES.values()))
    return ProgressRecord(
        peer_id=peer_id,
        epoch=epoch,
        head=bytes([epoch]) * 32,
        parameters=bytes([epoch]) * 32,
        state=random.Random(epoch).randbytes(32),
        sketch=_SKETCH,
        samples=random.randrange(1000),
        samples_per_second=random.random(),
        epoch_seconds=150.0 * random.random(),
        time=get_dht_time(),
        looks_every=SHARD_RENEWAL_SECONDS,
        reducing=reach in (Reach.DIRECT, Reach.MAPPED),
        gives=reach is not Reach.OUTGOING,
        device=own.choice(list(DeviceClass)),
        reach=reach,
        auxiliary=False,
        synchronised=True,
        paused=random.random() < 0.05,
    )


@dataclass
class MembershipLoad:
    """The calls of all volunteers, spread evenly over their periods."""

    nodes: Sequence[MeasuredEntrance]
    daemons: Sequence[P2P]
    crowd: Sequence[SummaryReader]
    part: int = 1
    """Number of shards among which one has peers; those that do are the first ones."""
    ages: list[float] = field(default_factory=list)
    """Ages in seconds of the summaries that volunteers know, at each call."""
    failed: int = 0
    checked: int = 0
    """Records that volunteers have read as checks."""

    def __post_init__(self) -> None:
        self._place = DHTID.generate(source=summary_key(PREFIX))
        ids = [PeerID(node.peer_id.to_bytes()) for node in self.nodes]
        self._news = [[NewsService.get_stub(daemon, peer) for peer in ids] for daemon in self.daemons]
        self._gossip = [[GossipService.get_stub(daemon, peer) for peer in ids] for daemon in self.daemons]
        self._near: dict[str, list[int]] = {}

    async def run(self, seconds: float) -> None:
        """Make all volunteers publish, ask and check for ``seconds``."""
        self.ages, self.failed, self.checked = [], 0, 0
        until = time.monotonic() + seconds
        calls = (
            (self._store, SHARD_RENEWAL_SECONDS),
            (self._pull, PULL_SECONDS),
            (self._check, _CHECK_SECONDS),
        )
        async with asyncio.TaskGroup() as tasks:
            for number, one in enumerate(self.crowd):
                for call, period in calls:
                    tasks.create_task(self._repeat(partial(call, number, one), period, number, until))

    async def _repeat(self, call: Any, period: float, number: int, until: float) -> None:
        due = time.monotonic() + period * number / len(self.crowd)
        while due < until:
            await asyncio.sleep(due - time.monotonic())
            try:
                await call()
            except Exception:  # noqa: BLE001 - whatever ends it, the volunteer has no answer
                self.failed += 1
            due = max(due + period, time.monotonic())

    async def _store(self, number: int, one: SummaryReader) -> None:
        key = shard_keys(PREFIX, one.level)[shard_of(one.owner.peer_id, one.level)]
        record = signed_record(one.owner, key)
        keeping = self.nearest(key)
        for node in random.sample(keeping, majority(len(keeping))):
            request = question(DHTID.generate(source=key), None, record)
            await self._news[number % len(self.daemons)][node].rpc_news(request, timeout=_CALL_SECONDS)

    def nearest(self, key: str) -> list[int]:
        """Return the numbers of the nodes that keep the DHT key."""
        if key not in self._near:
            place = DHTID.generate(source=key)
            order = sorted(
                range(len(self.nodes)), key=lambda node: place.xor_distance(self.nodes[node].node_id)
            )
            self._near[key] = order[:_REPLICAS]
        return self._near[key]

    async def _pull(self, number: int, one: SummaryReader) -> None:
        request = asking(self._place)
        request.subkeys.extend(one.known)
        request.expiration_time.extend(one.known.values())
        stub = self._gossip[number % len(self.daemons)][random.choice(one.partners)]
        response = await stub.rpc_newer(request, timeout=_CALL_SECONDS)
        for subkey, value, expiration in entries_in(response):
            self._learn(one, subkey, value, expiration)
        if one.made_at:
            self.ages.append(get_dht_time() - one.made_at)

    def _learn(self, one: SummaryReader, subkey: Any, value: bytes, expiration: float) -> None:
        record = DHTRecord(self._place.to_bytes(), _dumps(subkey), value, expiration)
        found = SummaryRecord.model_validate(_loads(one.owner.signer.strip_value(record)))
        one.level, one.made_at = found.level, max(one.made_at, found.time)
        one.known[name_of(subkey)] = expiration

    async def _check(self, number: int, one: SummaryReader) -> None:
        """Read a drawn shard from a majority of its nodes, one after the other, so that no record comes twice."""
        key = random.choice(shard_keys(PREFIX, one.level)[: max(1, (1 << one.level) // self.part)])
        keeping, known = self.nearest(key), list[KeptRecord]()
        for node in random.sample(keeping, majority(len(keeping))):
            request = question(DHTID.generate(source=key), known)
            stub = self._news[number % len(self.daemons)][node]
            known += entries_in(await stub.rpc_news(request, timeout=_CALL_SECONDS))
        self.checked += len(known)
