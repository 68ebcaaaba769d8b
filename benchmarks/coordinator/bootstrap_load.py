"""Memory and processor time that connections and progress records take at one bootstrap peer.

The peer is a DHT node of the swarm on loopback, which relays and checks others as a coordinator's does. Rows of the
kind *connections* have as many real libp2p daemons in client mode, which connect and say nothing. Rows of the kind
*records* have as many volunteers' records, each signed by a key of its own and renewed as often as the schedule of
looks says for a swarm of that size, by the call of real peers: it leaves the record and asks for those that are new.
These calls are real, and come by the connections that the row names, whose volunteers share them; the volunteers
themselves are one process that does not read the answers' records. All peers ask this one node, as they do where it
is the only entrance. Memory is the proportional set size of the node's process and of its libp2p daemon at the end;
processor shares are of one core.
"""

import argparse
import asyncio
import itertools
import math
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import hivemind
import psutil
from cryptography.hazmat.primitives.asymmetric import rsa
from hivemind.dht import DHTID
from hivemind.dht.crypto import RSASignatureValidator
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.validation import DHTRecord
from hivemind.p2p import P2P, PeerID
from hivemind.utils import get_dht_time
from hivemind.utils.crypto import RSAPrivateKey
from hivemind.utils.multiaddr import Multiaddr

from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors, rounded
from core.admission.peer_key import peer_hash
from core.children.processes import memory_held
from core.messages.reach import RelayBounds
from core.run.look_schedule import STORED_SECONDS, period
from core.swarm.admission.admission import Admission
from core.swarm.dht import Network, start_dht
from core.swarm.lookup.news import KeptRecord, NewsService, digest_of, question
from core.swarm.p2pd import allow_slow_starts
from core.swarm.reach.contacts import OwnContact
from core.swarm.wire.identity import PeerIdentity, owner_key
from core.swarm.wire.records import ProgressRecord, bounded, progress_key

CONNECTIONS = (0, 25, 50, 100)
RECORDS = (100, 500, 1000, 2000)
DAEMONS = 16
"""Connections by which the volunteers of a row of records call."""
_PREFIX = "benchmark"
_EPOCHS = 1000
_EPOCH_SECONDS = 300.0
_LEAST_PRIMES = 64
"""Primes that make all keys: any two of them are one, and a key of its own primes takes a tenth of a second."""
_EXPONENT = 65_537
_CALL_SECONDS = 30.0
_SETTLE_SECONDS = 3.0
_MB = 1e6
_dumps = DHTProtocol.serializer.dumps


@dataclass
class RecordOwner:
    """One volunteer, of whom there is only a record."""

    peer_id: bytes
    owner: bytes
    signer: RSASignatureValidator
    digest: bytes = b""
    """Digest of the record that it left last."""
    known: bytes = b""
    """Digests of the records that it knows since its last look."""


@dataclass
class LoadResult:
    """Outcome of the calls within the measured time."""

    seconds: list[float] = field(default_factory=list)
    """Seconds of each answered call."""
    received: int = 0
    """Bytes of the answers."""
    sent: int = 0
    """Bytes of the requests."""
    records: int = 0
    failed: int = 0


def volunteers(count: int) -> list[RecordOwner]:
    """Return volunteers with keys of the size that peers have."""
    primes = list[int]()
    while len(primes) < _LEAST_PRIMES or math.comb(len(primes), 2) < count:
        numbers = rsa.generate_private_key(_EXPONENT, 2048).private_numbers()
        primes += [numbers.p, numbers.q]
    return [_volunteer(*pair) for pair in itertools.islice(itertools.combinations(primes, 2), count)]


def _volunteer(p: int, q: int) -> RecordOwner:
    private = pow(_EXPONENT, -1, (p - 1) * (q - 1))
    numbers = rsa.RSAPrivateNumbers(
        p=p,
        q=q,
        d=private,
        dmp1=rsa.rsa_crt_dmp1(private, p),
        dmq1=rsa.rsa_crt_dmq1(private, q),
        iqmp=rsa.rsa_crt_iqmp(p, q),
        public_numbers=rsa.RSAPublicNumbers(_EXPONENT, p * q),
    )
    key = RSAPrivateKey.__new__(RSAPrivateKey)
    key._private_key = numbers.private_key(unsafe_skip_rsa_key_validation=True)
    owner = owner_key(key.get_public_key().to_bytes())
    peer_id = peer_hash(key._private_key.public_key())
    return RecordOwner(peer_id, owner, RSASignatureValidator(key))


class RecordLoad:
    """The calls of a number of volunteers, spread evenly over the period of their looks."""

    def __init__(self, daemons: Sequence[P2P], entrance: PeerID, crowd: Sequence[RecordOwner]) -> None:
        self._stubs = [NewsService.get_stub(daemon, entrance) for daemon in daemons]
        self._crowd, self._key = crowd, DHTID.generate(source=progress_key(_PREFIX))
        self._period = period(_EPOCH_SECONDS, epoch_seconds=_EPOCH_SECONDS, others=len(crowd) - 1)
        self.result = LoadResult()

    @property
    def period(self) -> float:
        """Seconds between two looks of a volunteer."""
        return self._period

    async def run(self, seconds: float) -> None:
        """Make all volunteers look for ``seconds``, each once a period; what came before no longer counts."""
        self.result = LoadResult()
        until = time.monotonic() + seconds
        async with asyncio.TaskGroup() as tasks:
            for number, one in enumerate(self._crowd):
                tasks.create_task(self._look(number, one, until))

    async def _look(self, number: int, one: RecordOwner, until: float) -> None:
        due = time.monotonic() + self._period * number / len(self._crowd)
        while due < until:
            await asyncio.sleep(due - time.monotonic())
            await self._call(number, one)
            due = max(due + self._period, time.monotonic())  # as a peer, which looks again after the answer

    async def _call(self, number: int, one: RecordOwner) -> None:
        record, result = self._record(one), self.result
        request = question(self._key, (), record)
        request.keys[1] = one.known
        one.digest = digest_of(record)
        known, began = b"".join(other.digest for other in self._crowd), time.monotonic()
        try:
            answer = await self._stubs[number % len(self._stubs)].rpc_news(request, timeout=_CALL_SECONDS)
        except Exception:  # noqa: BLE001 - whatever ends it, the volunteer has no answer
            result.failed += 1
            return
        one.known = known
        result.seconds.append(time.monotonic() - began)
        result.sent += request.ByteSize()
        result.received += answer.ByteSize()
        result.records += len(answer.results)

    def _record(self, one: RecordOwner) -> KeptRecord:
        progress = ProgressRecord(
            peer_id=one.peer_id,
            epoch=7,
            head=random.randbytes(32),
            parameters=random.randbytes(32),
            state=random.randbytes(32),
            sketch=[random.gauss(0, 1) for _ in range(16)],
            samples=random.randrange(1000),
            samples_per_second=random.random(),
            epoch_seconds=_EPOCH_SECONDS / 2,
            time=get_dht_time(),
            looks_every=self._period,
            reducing=False,
            auxiliary=False,
            synchronised=True,
            paused=False,
        )
        value, expires = _dumps(bounded(progress.pack())), get_dht_time() + STORED_SECONDS
        unsigned = DHTRecord(self._key.to_bytes(), _dumps(one.owner), value, expires)
        return one.owner, one.signer.sign_value(unsigned), expires


class MeasuredEntrance:
    """A bootstrap peer, or another node by which it entered, and the processes that it consists of."""

    def __init__(
        self,
        folder: Path,
        initial_peers: tuple[str, ...] = (),
        *,
        udp: bool = True,
        admit: Callable[[PeerIdentity], Admission | None] = lambda identity: None,
    ) -> None:
        network = Network(
            initial_peers=initial_peers,
            udp=udp,
            contact=OwnContact(),
            relay=RelayBounds(),
            checks_others=True,
            check_identity=False,
        )
        self.identity = PeerIdentity.load_or_create(folder)
        self.dht: hivemind.DHT = start_dht(
            network,
            self.identity,
            prefix=_PREFIX,
            total_epochs=_EPOCHS,
            admission=admit(self.identity),
        )
        self.peer_id = self.identity.peer_id
        self.node_id: DHTID = self.dht.run_coroutine(_node_id)
        visible = (str(item) for item in self.dht.get_visible_maddrs())
        self.address = next(item for item in visible if "/tcp/" in item)
        self.node = psutil.Process(self.dht.pid)
        [self.daemon] = [child for child in self.node.children() if "p2pd" in child.name()]

    def close(self) -> None:
        self.dht.shutdown()

    def connected(self) -> int:
        """Return the number of peers that are connected now."""
        count: int = self.dht.run_coroutine(_connected)
        return count

    def memory(self) -> tuple[float, float]:
        """Return the megabytes of the node's process and of its daemon."""
        node, daemon = (memory_held([process.pid]).size / _MB for process in (self.node, self.daemon))
        return node, daemon

    def processor(self) -> tuple[float, float]:
        """Return the seconds that both have computed."""
        node, daemon = (sum(process.cpu_times()[:2]) for process in (self.node, self.daemon))
        return node, daemon

    async def client(self) -> P2P:
        """Return a daemon that has connected."""
        return await P2P.create(
            initial_peers=[Multiaddr(self.address)], dht_mode="client", no_listen=True, nat_port_map=False
        )


async def _node_id(_: hivemind.DHT, node: Any) -> DHTID:
    found: DHTID = node.node_id
    return found


async def _connected(_: hivemind.DHT, node: Any) -> int:
    return len(await node.p2p.list_peers())


async def _shares(entrance: MeasuredEntrance, work: Any) -> tuple[float, list[float]]:
    """Do ``work``; return its seconds, and the shares of a core that the node and its daemon took meanwhile."""
    before, began = entrance.processor(), time.monotonic()
    await work
    seconds = time.monotonic() - began
    return seconds, [(now - then) / seconds for then, now in zip(before, entrance.processor(), strict=True)]


async def connections(folder: Path, counts: Sequence[int], seconds: float) -> list[dict[str, Any]]:
    """Return the rows of real connections that say nothing, of which more and more are opened."""
    entrance, rows, daemons = MeasuredEntrance(folder), list[dict[str, Any]](), list[P2P]()
    try:
        for count in counts:
            while len(daemons) < count:
                daemons.append(await entrance.client())
            await asyncio.sleep(_SETTLE_SECONDS)
            took, (node, daemon) = await _shares(entrance, asyncio.sleep(seconds))
            rows.append(_row("connections", 0, entrance, took, node, daemon, None))
    finally:
        await asyncio.gather(*(item.shutdown() for item in daemons))
        entrance.close()
    return rows


async def records(folder: Path, count: int, seconds: float) -> dict[str, Any]:
    """Return the row of ``count`` records, measured at a new node after each volunteer has looked once."""
    entrance, crowd, daemons = MeasuredEntrance(folder), volunteers(count), list[P2P]()
    try:
        daemons = [await entrance.client() for _ in range(DAEMONS)]
        load = RecordLoad(daemons, entrance.peer_id, crowd)
        await load.run(load.period)
        took, (node, daemon) = await _shares(entrance, load.run(seconds))
        return _row("records", count, entrance, took, node, daemon, load)
    finally:
        await asyncio.gather(*(item.shutdown() for item in daemons))
        entrance.close()


def _row(
    kind: str,
    count: int,
    entrance: MeasuredEntrance,
    seconds: float,
    node: float,
    daemon: float,
    load: RecordLoad | None,
) -> dict[str, Any]:
    node_mb, daemon_mb = entrance.memory()
    result = load.result if load else LoadResult()
    answered = len(result.seconds)
    return {
        "kind": kind,
        "connections": entrance.connected(),
        "records": count,
        "node_mb": rounded(node_mb, 3),
        "daemon_mb": rounded(daemon_mb, 3),
        "node_share": rounded(node, 3),
        "daemon_share": rounded(daemon, 3),
        "wanted_a_second": rounded(count / load.period, 3) if load else 0.0,
        "answered_a_second": rounded(answered / seconds, 3),
        "call_s": rounded(median(result.seconds), 3) if answered else 0.0,
        "up_kb_s": rounded(result.received / seconds / 1e3, 3),
        "down_kb_s": rounded(result.sent / seconds / 1e3, 3),
        "records_an_answer": rounded(result.records / answered, 3) if answered else 0.0,
        "failed": result.failed,
    }


async def _measure(given: argparse.Namespace, folder: Path, report: BenchmarkReport) -> list[dict[str, Any]]:
    rows = await connections(folder / "connections", given.connections, given.seconds / 2)
    report.show(rows)
    for count in given.records:
        rows.append(await records(folder / f"records{count}", count, given.seconds))
        report.show(rows[-1:])
    return rows


def main(words: Sequence[str] | None = None) -> None:
    """Measure all rows, print them, and save them as ``bootstrap_load.json``."""
    parser = argparse.ArgumentParser("python -m benchmarks.coordinator.bootstrap_load", description=__doc__)
    parser.add_argument("--connections", type=int, nargs="*", default=list(CONNECTIONS))
    parser.add_argument("--records", type=int, nargs="*", default=list(RECORDS))
    parser.add_argument("--seconds", type=float, default=60.0, help="measured seconds of a row of records")
    parser.add_argument("--beside", default="", help="other work on the machine, for the result")
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args(words)
    report = BenchmarkReport("bootstrap_load", __doc__ or "")
    allow_slow_starts()
    with reporting_errors(), tempfile.TemporaryDirectory(prefix="ib") as folder:
        rows = asyncio.run(_measure(given, Path(folder), report))
    report.write(rows, folder=given.out, seconds=given.seconds, beside=given.beside)


if __name__ == "__main__":
    main()
