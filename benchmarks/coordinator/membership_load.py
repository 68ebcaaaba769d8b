"""What a peer of a large swarm passes to know the others: its record in a shard, and summaries from partners.

The nodes are real DHT nodes on loopback, each with a libp2p daemon: an entrance, which also reads all shards and
signs a summary every half a minute, and keepers, as trainers with an open port are. With ``--deputies``, so many of
the keepers read and sign in place of the entrance, every one and a half minutes. The volunteers are records only,
each signed by a key of its own: they leave it with three of the nodes nearest to their shard and ask a partner for a
newer summary, by the calls and as often as real peers do. They are one process, and share connections, so that these
cost less than a home's own would. A further node, which keeps nothing, looks once a second as the recorder does: by
summaries, and by an audit of four shards every half a minute. Bytes are those on the wire, both ways, by the sockets
of the daemons. *recorder_records_s* are the records that the audits read, for each second.
*node_up_kb_s* is what the busiest node sends. *at_a_quarter_kb_s* is computed from the mean of the nodes that do not
summarise: what a node would send if a quarter of the peers were nodes. *summariser_up_kb_s* and
*summariser_down_kb_s* are what the busiest summariser passes, with its part as a keeper. *summary_s* are the seconds
in which a summariser reads all shards and signs. Shares are of one core.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import Any

import hivemind
import psutil
from hivemind.dht import DHTID
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.validation import DHTRecord
from hivemind.p2p import P2P, PeerID
from hivemind.proto import dht_pb2
from hivemind.utils import get_dht_time

from benchmarks.coordinator.bootstrap_load import DAEMONS, MeasuredEntrance, RecordOwner, volunteers
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors, rounded
from core.run.look_schedule import (
    DEPUTY_SECONDS,
    PULL_SECONDS,
    SHARD_RENEWAL_SECONDS,
    STORED_SECONDS,
    SUMMARY_SECONDS,
)
from core.swarm.dht import Network, start_dht
from core.swarm.lookup.gossip import AdmittedDeputies, GossipService, name_of, pull
from core.swarm.lookup.news import NewsService, entries_in, question
from core.swarm.lookup.reader import majority
from core.swarm.membership.observing import AuditRate, SwarmObserver
from core.swarm.membership.summariser import Summariser
from core.swarm.p2pd import allow_slow_starts
from core.swarm.wire.connections import ConnectionCount, WireBytes, connections_of
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import ProgressRecord, bounded
from core.swarm.wire.summaries import SummaryRecord, shard_keys, shard_of, summary_key

PEERS = (100, 400, 1000)
KEEPERS = 6
_PREFIX = "benchmark"
_REPLICAS = 5
_CALL_SECONDS = 30.0
_APART_SECONDS = 5.0
"""Seconds between the first turns of two deputies."""
_KB = 1e3
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


@dataclass
class MembershipLoad:
    """The calls of all volunteers, spread evenly over their periods."""

    nodes: Sequence[MeasuredEntrance]
    daemons: Sequence[P2P]
    crowd: Sequence[SummaryReader]
    ages: list[float] = field(default_factory=list)
    """Ages in seconds of the summaries that volunteers know, at each call."""
    failed: int = 0

    def __post_init__(self) -> None:
        self._place = DHTID.generate(source=summary_key(_PREFIX))
        ids = [PeerID(node.peer_id.to_bytes()) for node in self.nodes]
        self._news = [[NewsService.get_stub(daemon, peer) for peer in ids] for daemon in self.daemons]
        self._gossip = [[GossipService.get_stub(daemon, peer) for peer in ids] for daemon in self.daemons]
        self._near: dict[str, list[int]] = {}

    async def run(self, seconds: float) -> None:
        """Make all volunteers publish and ask for ``seconds``."""
        self.ages, self.failed = [], 0
        until = time.monotonic() + seconds
        async with asyncio.TaskGroup() as tasks:
            for number, one in enumerate(self.crowd):
                for call, period in ((self._store, SHARD_RENEWAL_SECONDS), (self._pull, PULL_SECONDS)):
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
        key = shard_keys(_PREFIX, one.level)[shard_of(one.owner.peer_id, one.level)]
        place = DHTID.generate(source=key)
        value, expires = _dumps(bounded(_progress(one.owner.peer_id).pack())), get_dht_time() + STORED_SECONDS
        unsigned = DHTRecord(place.to_bytes(), _dumps(one.owner.owner), value, expires)
        record = one.owner.owner, one.owner.signer.sign_value(unsigned), expires
        keeping = self._nearest(key, place)
        for node in random.sample(keeping, majority(len(keeping))):
            stub = self._news[number % len(self.daemons)][node]
            await stub.rpc_news(question(place, None, record), timeout=_CALL_SECONDS)

    def _nearest(self, key: str, place: DHTID) -> list[int]:
        if key not in self._near:
            order = sorted(
                range(len(self.nodes)), key=lambda node: place.xor_distance(self.nodes[node].node_id)
            )
            self._near[key] = order[:_REPLICAS]
        return self._near[key]

    async def _pull(self, number: int, one: SummaryReader) -> None:
        request = dht_pb2.StoreRequest(keys=[self._place.to_bytes()])
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


def _progress(peer_id: bytes) -> ProgressRecord:
    return ProgressRecord(
        peer_id=peer_id,
        epoch=7,
        head=bytes(32),
        parameters=bytes(32),
        state=random.randbytes(32),
        sketch=[random.gauss(0, 1) for _ in range(16)],
        samples=random.randrange(1000),
        samples_per_second=random.random(),
        epoch_seconds=150.0,
        time=get_dht_time(),
        looks_every=SHARD_RENEWAL_SECONDS,
        reducing=random.random() < 0.25,
        auxiliary=False,
        synchronised=True,
        paused=False,
    )


class KeptNodes:
    """The real nodes: the entrance with its summariser, and the keepers, which ask for summaries as peers do.

    With deputies, so many keepers summarise in its place.
    """

    def __init__(self, folder: Path, keepers: int, deputies: int = 0) -> None:
        folder.mkdir()
        self.entrance = MeasuredEntrance(folder / "entrance", udp=False)
        self.nodes = [self.entrance]
        for number in range(keepers):
            self.nodes.append(
                MeasuredEntrance(folder / f"keeper{number}", (self.entrance.address,), udp=False)
            )
        writing = self.nodes[1 : 1 + deputies] or [self.entrance]
        self.summarisers = [Summariser(node.dht, _PREFIX, node.identity) for node in writing]
        self.writing = {id(node) for node in writing}
        self.seconds = DEPUTY_SECONDS if deputies else SUMMARY_SECONDS
        """Seconds between two summaries of one node."""
        ids = frozenset(node.peer_id.to_bytes() for node in writing) if deputies else frozenset[bytes]()
        self._admitted = AdmittedDeputies(ids)
        self._counts = [ConnectionCount(partial(connections_of, node.daemon.pid)) for node in self.nodes]

    def passed(self) -> list[WireBytes]:
        """Return the bytes that each node has passed so far."""
        return [count.look() for count in self._counts]

    async def keep_up(self, until: float) -> None:
        """Let the keepers ask for summaries, each from one of the nodes, until that monotonic time."""
        while time.monotonic() < until:
            for node in self.nodes[not self._admitted.peers :]:
                await asyncio.to_thread(pull(node.dht, self._admitted).result, _CALL_SECONDS)
            await asyncio.sleep(PULL_SECONDS)

    def close(self) -> None:
        for node in reversed(self.nodes):
            node.close()


class ObservingNode:
    """A node in client mode by which the swarm is followed as the recorder follows it."""

    def __init__(self, folder: Path, address: str) -> None:
        network = Network(initial_peers=(address,), client_mode=True, check_identity=False)
        identity = PeerIdentity.load_or_create(folder / "recorder")
        self.dht: hivemind.DHT = start_dht(network, identity, prefix=_PREFIX, total_epochs=1000)
        # The level is known and all records are in their shards before the measured time begins.
        rate = AuditRate(settled_seconds=SHARD_RENEWAL_SECONDS)
        self._observer = SwarmObserver(self.dht, _PREFIX, rate=rate)
        [daemon] = [child for child in psutil.Process(self.dht.pid).children() if "p2pd" in child.name()]
        self._count = ConnectionCount(partial(connections_of, daemon.pid))
        self.records = self.calls = 0
        """Records that the audits have read, and shards."""

    def passed(self) -> WireBytes:
        """Return the bytes that the node has passed so far."""
        return self._count.look()

    async def follow(self, until: float) -> None:
        """Look once a second until that monotonic time."""
        while time.monotonic() < until:
            found = await self._observer.look()
            if self._observer.level:
                self.records += sum(len(reading.records) for reading in found.readings)
                self.calls += len(found.readings)
            await asyncio.sleep(1.0)

    def close(self) -> None:
        self.dht.shutdown()


async def _summarise(
    summariser: Summariser, seconds: float, wait: float, until: float, took: list[float]
) -> None:
    await asyncio.sleep(wait)
    while time.monotonic() < until:
        began = time.monotonic()
        await asyncio.to_thread(summariser.turn)
        took.append(time.monotonic() - began)
        await asyncio.sleep(max(0.0, seconds - took[-1]))


async def measure(
    folder: Path, count: int, seconds: float, keepers: int, deputies: int = 0
) -> dict[str, Any]:
    """Return the row of ``count`` volunteers, measured after all know a summary."""
    kept, daemons = KeptNodes(folder, keepers, deputies), list[P2P]()
    recorder = ObservingNode(folder, kept.entrance.address)
    crowd = [
        SummaryReader(owner, random.sample(range(keepers + 1), min(3, keepers + 1)))
        for owner in volunteers(count)
    ]
    try:
        daemons = [await kept.entrance.client() for _ in range(DAEMONS)]
        counts = [ConnectionCount(partial(connections_of, item._child.pid)) for item in daemons]
        load, took = MembershipLoad(kept.nodes, daemons, crowd), list[float]()
        until = time.monotonic() + 2 * SHARD_RENEWAL_SECONDS + seconds
        works = [
            _summarise(item, kept.seconds, _APART_SECONDS * number, until, took)
            for number, item in enumerate(kept.summarisers)
        ]
        works += [kept.keep_up(until), recorder.follow(until)]
        beside = [asyncio.create_task(work) for work in works]
        await load.run(2 * SHARD_RENEWAL_SECONDS)
        before, own = kept.passed(), [item.look() for item in counts]
        followed, records, calls = recorder.passed(), recorder.records, recorder.calls
        processors, began = [node.processor() for node in kept.nodes], time.monotonic()
        await load.run(seconds)
        passed = [now - then for then, now in zip(before, kept.passed(), strict=True)]
        crowd_passed = [item.look() - then for then, item in zip(own, counts, strict=True)]
        shares = [
            sum(now) - sum(then)
            for then, now in zip(processors, (node.processor() for node in kept.nodes), strict=True)
        ]
        elapsed = time.monotonic() - began
        observed = _observed(
            recorder.passed() - followed, recorder.records - records, recorder.calls - calls, elapsed
        )
        await asyncio.gather(*beside)
    finally:
        await asyncio.gather(*(item.shutdown() for item in daemons))
        recorder.close()
        kept.close()
    writers = [number for number, node in enumerate(kept.nodes) if id(node) in kept.writing]
    processor = [share / elapsed for share in shares]
    row = _row(count, crowd, load, passed, crowd_passed, processor, took, writers, elapsed)
    return row | observed


def _observed(passed: WireBytes, records: int, calls: int, seconds: float) -> dict[str, Any]:
    return {
        "recorder_up_kb_s": rounded(passed.up / seconds / _KB, 3),
        "recorder_down_kb_s": rounded(passed.down / seconds / _KB, 3),
        "recorder_shards_s": rounded(calls / seconds, 3),
        "recorder_records_s": rounded(records / seconds, 3),
    }


def _row(
    count: int,
    crowd: Sequence[SummaryReader],
    load: MembershipLoad,
    nodes: Sequence[WireBytes],
    own: Sequence[WireBytes],
    shares: Sequence[float],
    took: Sequence[float],
    writers: Sequence[int],
    seconds: float,
) -> dict[str, Any]:
    rate = seconds * _KB
    keepers = [node for number, node in enumerate(nodes) if number not in writers]
    writing = [nodes[number] for number in writers]
    return {
        "peers": count,
        "nodes": len(nodes),
        "level": crowd[0].level,
        "peer_up_kb_s": rounded(sum(item.up for item in own) / count / rate, 3),
        "peer_down_kb_s": rounded(sum(item.down for item in own) / count / rate, 3),
        "node_up_kb_s": rounded(max(item.up for item in nodes) / rate, 3),
        "keeper_up_kb_s": rounded(fmean(item.up for item in keepers) / rate, 3),
        "at_a_quarter_kb_s": rounded(fmean(item.up for item in keepers) / rate * len(nodes) / (count / 4), 3),
        "summariser_up_kb_s": rounded(max(item.up for item in writing) / rate, 3),
        "summariser_down_kb_s": rounded(max(item.down for item in writing) / rate, 3),
        "node_share": rounded(max(shares), 3),
        "summary_s": rounded(median(took), 3),
        "age_s": rounded(median(load.ages), 3) if load.ages else 0.0,
        "oldest_s": rounded(max(load.ages), 3) if load.ages else 0.0,
        "failed": load.failed,
    }


def main(words: Sequence[str] | None = None) -> None:
    """Measure all rows, print them, and save them as ``membership_load.json``; those with deputies elsewhere."""
    parser = argparse.ArgumentParser("python -m benchmarks.coordinator.membership_load", description=__doc__)
    parser.add_argument("--peers", type=int, nargs="*", default=list(PEERS))
    parser.add_argument("--keepers", type=int, default=KEEPERS, help="nodes beside the entrance")
    parser.add_argument("--deputies", type=int, default=0, help="keepers that summarise for the entrance")
    parser.add_argument("--seconds", type=float, default=60.0, help="measured seconds of a row")
    parser.add_argument("--beside", default="", help="other work on the machine, for the result")
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args(words)
    name = "membership_deputies" if given.deputies else "membership_load"
    report = BenchmarkReport(name, __doc__ or "")
    allow_slow_starts()
    rows = list[dict[str, Any]]()
    with reporting_errors(), tempfile.TemporaryDirectory(prefix="ib") as folder:
        for count in given.peers:
            work = measure(Path(folder) / str(count), count, given.seconds, given.keepers, given.deputies)
            rows.append(asyncio.run(work))
            report.show(rows[-1:])
    settings = {name: getattr(given, name) for name in ("seconds", "keepers", "deputies", "beside")}
    report.write(rows, folder=given.out, **settings)


if __name__ == "__main__":
    main()
