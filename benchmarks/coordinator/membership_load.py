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
summarise: what a node would send to others if a quarter of the peers were nodes; *own_and_quarter_kb_s* adds what a
peer sends for itself. *nodes_for_1000* are the nodes that share the load of 1,000 peers, of whom none is a node, so
that they send 50 kB/s each. *summariser_up_kb_s* and *summariser_down_kb_s* are what the
busiest summariser passes, with its part as a keeper. *summary_s* are the seconds in which a summariser reads all
shards and signs. Shares are of one core.

The records are as mixed as those of a large swarm: several classes of devices and ways to be reached, a tenth of the
peers an epoch behind. Each volunteer reads a drawn shard every ten minutes on average, as a check.

With ``--part 8`` only the volunteers of every eighth shard are there: the level, their calls and the summaries are
those of the whole swarm. The summariser asks for all shards, and finds the others empty. *whole* is the number of
peers of the whole swarm; there is no recorder then. ``--reading`` lays the records of all peers into the memory of
the nodes, and has the summariser read them once: the row has its seconds and bytes.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import Any

import hivemind
import psutil
from hivemind.dht import DHTID
from hivemind.p2p import P2P

from benchmarks.coordinator.bootstrap_load import DAEMONS, MeasuredEntrance, volunteers
from benchmarks.coordinator.record_crowd import PREFIX, MembershipLoad, SummaryReader, signed_record
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors, rounded
from core.run.look_schedule import DEPUTY_SECONDS, PULL_SECONDS, SHARD_RENEWAL_SECONDS, SUMMARY_SECONDS
from core.swarm.dht import Network, start_dht
from core.swarm.lookup.gossip import AdmittedDeputies, pull
from core.swarm.lookup.news import KeptRecord
from core.swarm.membership.observing import AuditRate, SwarmObserver
from core.swarm.membership.summariser import Summariser
from core.swarm.p2pd import allow_slow_starts
from core.swarm.wire.connections import ConnectionCount, WireBytes, connections_of
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.summaries import SummaryRecord, level_for, shard_keys, shard_of

PEERS = (100, 400, 1000)
KEEPERS = 6
_CALL_SECONDS = 30.0
_MOST_SENT_KB_S = 50.0
"""Kilobytes a second that no node is to pass."""
_LAID_AT_ONCE = 6
"""Records that a node's process takes at a time: it dies of arguments above 16 KiB."""
_APART_SECONDS = 5.0
"""Seconds between the first turns of two deputies."""
_KB = 1e3


class KeptNodes:
    """The real nodes: the entrance with its summariser, and the keepers, which ask for summaries as peers do.

    With deputies, so many keepers summarise in its place.
    """

    def __init__(self, folder: Path, keepers: int, deputies: int = 0, level: int | None = None) -> None:
        """Start the nodes; summaries state the ``level`` if it is given, once there are enough records."""
        folder.mkdir()
        self.entrance = MeasuredEntrance(folder / "entrance", udp=False)
        self.nodes = [self.entrance]
        for number in range(keepers):
            self.nodes.append(
                MeasuredEntrance(folder / f"keeper{number}", (self.entrance.address,), udp=False)
            )
        writing = self.nodes[1 : 1 + deputies] or [self.entrance]
        of_size = level_for if level is None else partial(_level_of_whole, level)
        self.summarisers = [Summariser(node.dht, PREFIX, node.identity, level_of=of_size) for node in writing]
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


def _level_of_whole(level: int, peers: int, present: int) -> int:
    """Return the level of the whole swarm, if ``peers`` are enough for a summary that states it."""
    return level if peers >= 2 << level else present


class ObservingNode:
    """A node in client mode by which the swarm is followed as the recorder follows it."""

    def __init__(self, folder: Path, address: str) -> None:
        network = Network(initial_peers=(address,), client_mode=True, check_identity=False)
        identity = PeerIdentity.load_or_create(folder / "recorder")
        self.dht: hivemind.DHT = start_dht(network, identity, prefix=PREFIX, total_epochs=1000)
        # The level is known and all records are in their shards before the measured time begins.
        rate = AuditRate(settled_seconds=SHARD_RENEWAL_SECONDS)
        self._observer = SwarmObserver(self.dht, PREFIX, rate=rate)
        [daemon] = [child for child in psutil.Process(self.dht.pid).children() if "p2pd" in child.name()]
        self._count = ConnectionCount(partial(connections_of, daemon.pid))
        self._records = self._calls = 0

    def so_far(self) -> tuple[WireBytes, int, int]:
        """Return the bytes that the node has passed, and the records and shards that its audits have read."""
        return self._count.look(), self._records, self._calls

    def since(self, before: tuple[WireBytes, int, int], seconds: float) -> dict[str, Any]:
        """Return the part of a row that tells of the ``seconds`` since `so_far` gave ``before``."""
        passed, records, calls = self.so_far()
        sent = passed - before[0]
        return {
            "recorder_up_kb_s": rounded(sent.up / seconds / _KB, 3),
            "recorder_down_kb_s": rounded(sent.down / seconds / _KB, 3),
            "recorder_shards_s": rounded((calls - before[2]) / seconds, 3),
            "recorder_records_s": rounded((records - before[1]) / seconds, 3),
        }

    async def follow(self, until: float) -> None:
        """Look once a second until that monotonic time."""
        while time.monotonic() < until:
            found = await self._observer.look()
            if self._observer.level:
                self._records += sum(len(reading.records) for reading in found.readings)
                self._calls += len(found.readings)
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


def _crowd(count: int, nodes: int, part: int) -> list[SummaryReader]:
    """Return the volunteers of every ``part``-th shard in a swarm of ``count``."""
    level = level_for(count, 0)
    most = max(1, (1 << level) // part)
    owners = [owner for owner in volunteers(count) if shard_of(owner.peer_id, level) < most]
    return [SummaryReader(owner, random.sample(range(nodes), min(3, nodes))) for owner in owners]


async def measure(
    folder: Path, whole: int, seconds: float, keepers: int, deputies: int = 0, part: int = 1
) -> dict[str, Any]:
    """Return the row of a swarm of ``whole`` volunteers, measured after all know a summary.

    Of its shards every ``part``-th one has its volunteers.
    """
    level = level_for(whole, 0) if part > 1 else None
    kept, daemons = KeptNodes(folder, keepers, deputies, level), list[P2P]()
    recorder = ObservingNode(folder, kept.entrance.address) if part == 1 else None
    crowd = _crowd(whole, keepers + 1, part)
    try:
        daemons = [await kept.entrance.client() for _ in range(DAEMONS)]
        counts = [ConnectionCount(partial(connections_of, item._child.pid)) for item in daemons]
        load, took = MembershipLoad(kept.nodes, daemons, crowd, part), list[float]()
        until = time.monotonic() + 2 * SHARD_RENEWAL_SECONDS + seconds
        works = [
            _summarise(item, kept.seconds, _APART_SECONDS * number, until, took)
            for number, item in enumerate(kept.summarisers)
        ]
        works += [kept.keep_up(until), *([recorder.follow(until)] if recorder else [])]
        beside = [asyncio.create_task(work) for work in works]
        await load.run(2 * SHARD_RENEWAL_SECONDS)
        before, own = kept.passed(), [item.look() for item in counts]
        followed = recorder.so_far() if recorder else None
        processors, began = [node.processor() for node in kept.nodes], time.monotonic()
        await load.run(seconds)
        passed = [now - then for then, now in zip(before, kept.passed(), strict=True)]
        crowd_passed = [item.look() - then for then, item in zip(own, counts, strict=True)]
        shares = [
            sum(now) - sum(then)
            for then, now in zip(processors, (node.processor() for node in kept.nodes), strict=True)
        ]
        elapsed = time.monotonic() - began
        observed = recorder.since(followed, elapsed) if recorder and followed else {}
        await asyncio.gather(*beside)
    finally:
        await asyncio.gather(*(item.shutdown() for item in daemons))
        if recorder:
            recorder.close()
        kept.close()
    writers = [number for number, node in enumerate(kept.nodes) if id(node) in kept.writing]
    processor = [share / elapsed for share in shares]
    row = _row(crowd, load, passed, crowd_passed, processor, took, writers, elapsed)
    return {"whole": whole} | row | observed


def _row(
    crowd: Sequence[SummaryReader],
    load: MembershipLoad,
    nodes: Sequence[WireBytes],
    own: Sequence[WireBytes],
    shares: Sequence[float],
    took: Sequence[float],
    writers: Sequence[int],
    seconds: float,
) -> dict[str, Any]:
    count, rate = len(crowd), seconds * _KB
    peer_up = sum(item.up for item in own) / count / rate
    keepers = [node for number, node in enumerate(nodes) if number not in writers]
    writing = [nodes[number] for number in writers]
    quarter = fmean(item.up for item in keepers) / rate * len(nodes) / (count / 4)
    return {
        "peers": count,
        "nodes": len(nodes),
        "level": crowd[0].level,
        "peer_up_kb_s": rounded(peer_up, 3),
        "peer_down_kb_s": rounded(sum(item.down for item in own) / count / rate, 3),
        "node_up_kb_s": rounded(max(item.up for item in nodes) / rate, 3),
        "keeper_up_kb_s": rounded(fmean(item.up for item in keepers) / rate, 3),
        "at_a_quarter_kb_s": rounded(quarter, 3),
        "own_and_quarter_kb_s": rounded(quarter + peer_up, 3),
        "nodes_for_1000": rounded(quarter * 250 / _MOST_SENT_KB_S, 3),
        "summariser_up_kb_s": rounded(max(item.up for item in writing) / rate, 3),
        "summariser_down_kb_s": rounded(max(item.down for item in writing) / rate, 3),
        "node_share": rounded(max(shares), 3),
        "summary_s": rounded(median(took), 3),
        "age_s": rounded(median(load.ages), 3) if load.ages else 0.0,
        "oldest_s": rounded(max(load.ages), 3) if load.ages else 0.0,
        "checks_records_s": rounded(load.checked / seconds, 3),
        "failed": load.failed,
    }


async def _lay(_: hivemind.DHT, node: Any, *, place: bytes, records: Sequence[KeptRecord]) -> None:
    for subkey, value, expires in records:
        node.protocol.storage.store(DHTID.from_bytes(place), value, expires, subkey=subkey)


def _lay_all(kept: KeptNodes, load: MembershipLoad, level: int) -> None:
    """Put a new record of each volunteer into the memory of the nodes that keep its shard."""
    keys = shard_keys(PREFIX, level)
    shards: dict[str, list[KeptRecord]] = {key: [] for key in keys}
    for one in load.crowd:
        key = keys[shard_of(one.owner.peer_id, level)]
        shards[key].append(signed_record(one.owner, key))
    for key, records in shards.items():
        place = DHTID.generate(source=key).to_bytes()
        for node in load.nearest(key):
            for at in range(0, len(records), _LAID_AT_ONCE):
                kept.nodes[node].dht.run_coroutine(
                    partial(_lay, place=place, records=records[at : at + _LAID_AT_ONCE])
                )


async def measure_reading(folder: Path, count: int, keepers: int) -> dict[str, Any]:
    """Return the row of one reading of all records of ``count`` volunteers by a summariser that begins."""
    kept = KeptNodes(folder, keepers)
    try:
        load, level = MembershipLoad(kept.nodes, [], _crowd(count, keepers + 1, 1)), level_for(count, 0)
        await asyncio.to_thread(_lay_all, kept, load, level)
        before, processors, began = kept.passed(), [node.processor() for node in kept.nodes], time.monotonic()
        await asyncio.to_thread(kept.summarisers[0].turn)
        seconds = time.monotonic() - began
        passed = [now - then for then, now in zip(before, kept.passed(), strict=True)]
        computed = [
            sum(now) - sum(then)
            for then, now in zip(processors, (node.processor() for node in kept.nodes), strict=True)
        ]
        values, _ = await asyncio.to_thread(pull(kept.nodes[1].dht).result, _CALL_SECONDS)
    finally:
        kept.close()
    [found] = [SummaryRecord.model_validate(value) for value in values]
    return {
        "whole": count,
        "nodes": len(kept.nodes),
        "level": found.level,
        "counted": found.peers,
        "summary_s": rounded(seconds, 3),
        "read_mb": rounded(passed[0].down / 1e6, 3),
        "read_kb_s": rounded(passed[0].down / _KB / SUMMARY_SECONDS, 3),
        "keepers_sent_kb_s": rounded(fmean(item.up for item in passed[1:]) / _KB / SUMMARY_SECONDS, 3),
        "reader_processor_s": rounded(computed[0], 3),
    }


def main(words: Sequence[str] | None = None) -> None:
    """Measure all rows, print them, and save them: those with deputies, a part or a reading apart from others."""
    parser = argparse.ArgumentParser("python -m benchmarks.coordinator.membership_load", description=__doc__)
    parser.add_argument("--peers", type=int, nargs="*", default=list(PEERS))
    parser.add_argument("--keepers", type=int, default=KEEPERS, help="nodes beside the entrance")
    parser.add_argument("--deputies", type=int, default=0, help="keepers that summarise for the entrance")
    parser.add_argument("--part", type=int, default=1, help="every so many-th shard has its volunteers")
    parser.add_argument("--reading", action="store_true", help="measure one reading of all records alone")
    parser.add_argument("--seconds", type=float, default=60.0, help="measured seconds of a row")
    parser.add_argument("--beside", default="", help="other work on the machine, for the result")
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args(words)
    name = "membership_deputies" if given.deputies else "membership_load"
    if given.reading:
        name = "membership_reading"
    elif given.part > 1:
        name = "membership_part"
    report = BenchmarkReport(name, __doc__ or "")
    allow_slow_starts()
    rows = list[dict[str, Any]]()
    with reporting_errors(), tempfile.TemporaryDirectory(prefix="ib") as folder:
        for count in given.peers:
            where = Path(folder) / str(count)
            if given.reading:
                rows.append(asyncio.run(measure_reading(where, count, given.keepers)))
            else:
                work = measure(where, count, given.seconds, given.keepers, given.deputies, given.part)
                rows.append(asyncio.run(work))
            report.show(rows[-1:])
    settings = {name: getattr(given, name) for name in ("seconds", "keepers", "deputies", "part", "beside")}
    report.write(rows, folder=given.out, **settings)


if __name__ == "__main__":
    main()
