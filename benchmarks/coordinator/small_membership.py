"""What each peer of a small swarm passes to know the others, whose records all read.

All peers are real: each has a DHT node with a libp2p daemon on loopback, and the tracker of the app, which publishes
its record and looks at the others as often as rounds need it. They train nothing. Their records grow by the clock, as
those of trainers that commit an epoch every five minutes. Others can connect to a quarter of the peers, and to an
entrance, which has no record. Bytes are those on the wire, both ways, by the sockets of the daemons.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import hivemind
import psutil
from hivemind.utils import get_dht_time

from benchmarks.coordinator.bootstrap_load import MeasuredEntrance
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors, rounded
from core.admission.access_token import AccessToken, issue
from core.signing import SigningKey
from core.swarm.admission.admission import Admission
from core.swarm.dht import Network, start_dht
from core.swarm.membership.progress import ProgressTracker
from core.swarm.p2pd import allow_slow_starts
from core.swarm.wire.connections import ConnectionCount, WireBytes, connections_of
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.own_certificate import OwnCertificate
from core.swarm.wire.records import ProgressRecord

PEERS = (10,)
_PREFIX, _RUN = "benchmark", "ab" * 32
_EPOCH_SECONDS, _EPOCHS = 300.0, 1000
_SAMPLES_PER_SECOND = 1.0
_CALLED = 4
"""Number of peers among which one accepts connections."""
_KB = 1e3


class TrackedPeer:
    """A peer of which there are a node and its tracker."""

    def __init__(
        self,
        folder: Path,
        number: int,
        peers: int,
        entrance: str,
        admit: Callable[[PeerIdentity], Admission | None],
    ) -> None:
        self.is_called = number % _CALLED == 0
        network = Network(initial_peers=(entrance,), client_mode=not self.is_called, check_identity=False)
        identity = PeerIdentity.load_or_create(folder / f"identity{number}")
        admission = admit(identity)
        self.dht: hivemind.DHT = start_dht(
            network, identity, prefix=_PREFIX, total_epochs=_EPOCHS, admission=admission
        )
        target = int(peers * _SAMPLES_PER_SECOND * _EPOCH_SECONDS)
        self._tracker = ProgressTracker(
            self.dht, _PREFIX, identity.owner, target, certificate=OwnCertificate(admission)
        )
        self._peer_id = identity.peer_id.to_bytes()
        [daemon] = [child for child in psutil.Process(self.dht.pid).children() if "p2pd" in child.name()]
        self._count = ConnectionCount(partial(connections_of, daemon.pid))
        self._epoch = _epoch()
        self._tracker.start(self._record)

    def _record(self) -> ProgressRecord:
        epoch, since = self._epoch, get_dht_time() - self._epoch * _EPOCH_SECONDS
        return ProgressRecord(
            peer_id=self._peer_id,
            epoch=epoch % _EPOCHS,
            head=epoch.to_bytes(32),
            parameters=epoch.to_bytes(32),
            state=epoch.to_bytes(32),
            sketch=[float(part) for part in range(32)],
            samples=int(since * _SAMPLES_PER_SECOND),
            samples_per_second=_SAMPLES_PER_SECOND,
            epoch_seconds=since,
            time=get_dht_time(),
            reducing=self.is_called,
            auxiliary=False,
            synchronised=True,
            paused=False,
        )

    def move(self) -> None:
        """Go to the next epoch and tell the others at once if it has begun."""
        if (epoch := _epoch()) != self._epoch:
            self._epoch = epoch
            self._tracker.publish()

    @property
    def seen(self) -> int:
        """Number of the other peers that it sees."""
        return len(self._tracker.view.others) if self._tracker.view else 0

    def passed(self) -> WireBytes:
        """Return the bytes that its node has passed so far."""
        return self._count.look()

    def close(self) -> None:
        """End the tracker and the node."""
        self._tracker.stop()
        self.dht.shutdown()


def _epoch() -> int:
    return int(get_dht_time() / _EPOCH_SECONDS)


class OwnGate:
    """The gate of a run: it admits each peer as a user of its own."""

    def __init__(self) -> None:
        self._key = SigningKey.generate()

    def admit(self, identity: PeerIdentity) -> Admission:
        """Return the admission of a peer for the next hour."""
        peer, now = identity.peer_id.to_base58(), int(time.time())
        token = issue(AccessToken(_RUN, peer[-8:], peer, now, now + 3600), self._key)
        return Admission(gate=self._key.public_key, run=_RUN, peer=identity.peer_id, token=token)


def _admit_none(identity: PeerIdentity) -> None:
    """Admit no peer by name: the run is open."""


def measure(folder: Path, count: int, seconds: float, *, gated: bool = False) -> dict[str, Any]:
    """Return the row of ``count`` peers, measured for ``seconds`` after all see each other.

    If ``gated``, the run has a gate, and each record the certificate of its writer.
    """
    folder.mkdir()
    admit = OwnGate().admit if gated else _admit_none
    entrance = MeasuredEntrance(folder / "entrance", udp=False, admit=admit)
    peers = list[TrackedPeer]()
    [daemon] = [child for child in psutil.Process(entrance.dht.pid).children() if "p2pd" in child.name()]
    entered = ConnectionCount(partial(connections_of, daemon.pid))
    try:
        for number in range(count):
            peers.append(TrackedPeer(folder, number, count, entrance.address, admit))
        while min(peer.seen for peer in peers) < count - 1:
            time.sleep(1.0)
        before, entrance_before = [peer.passed() for peer in peers], entered.look()
        began = time.monotonic()
        while time.monotonic() < began + seconds:
            time.sleep(0.5)
            for peer in peers:
                peer.move()
        elapsed = time.monotonic() - began
        passed = [peer.passed() - then for peer, then in zip(peers, before, strict=True)]
        of_entrance = entered.look() - entrance_before
        least_seen = min(peer.seen for peer in peers)
    finally:
        for peer in peers:
            peer.close()
        entrance.close()
    rate = elapsed * _KB
    called = [item for peer, item in zip(peers, passed, strict=True) if peer.is_called]
    others = [item for peer, item in zip(peers, passed, strict=True) if not peer.is_called]
    return {
        "peers": count,
        "gated": gated,
        "nodes": len(called) + 1,
        "peer_up_kb_s": rounded(fmean(item.up for item in others) / rate, 3),
        "peer_down_kb_s": rounded(fmean(item.down for item in others) / rate, 3),
        "node_up_kb_s": rounded(fmean(item.up for item in called) / rate, 3),
        "node_down_kb_s": rounded(fmean(item.down for item in called) / rate, 3),
        "busiest_up_kb_s": rounded(max(item.up for item in called) / rate, 3),
        "entrance_up_kb_s": rounded(of_entrance.up / rate, 3),
        "least_seen": least_seen,
    }


def main(words: Sequence[str] | None = None) -> None:
    """Measure all rows, print them, and save them as ``membership_small.json``."""
    parser = argparse.ArgumentParser("python -m benchmarks.coordinator.small_membership", description=__doc__)
    parser.add_argument("--peers", type=int, nargs="*", default=list(PEERS))
    parser.add_argument("--seconds", type=float, default=_EPOCH_SECONDS, help="measured seconds of a row")
    parser.add_argument("--gated", action="store_true", help="give the run a gate")
    parser.add_argument("--beside", default="", help="other work on the machine, for the result")
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args(words)
    report = BenchmarkReport("membership_small", __doc__ or "")
    allow_slow_starts()
    rows = list[dict[str, Any]]()
    with reporting_errors(), tempfile.TemporaryDirectory(prefix="ib") as folder:
        for count in given.peers:
            rows.append(measure(Path(folder) / str(count), count, given.seconds, gated=given.gated))
            report.show(rows[-1:])
    report.write(rows, folder=given.out, seconds=given.seconds, beside=given.beside)


if __name__ == "__main__":
    main()
