"""Signs records of any content by any key, and has every node of the swarm store them, past the own node's rules."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from hivemind.dht import DHTID
from hivemind.dht.crypto import RSASignatureValidator
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.validation import DHTRecord
from hivemind.utils import get_dht_time

from benchmarks.hostility.seat import PeerSeat
from core.admission.gate_certificate import GateCertificate
from core.run.manifest import RunManifest
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import ProgressRecord, Record, parse_all, progress_key

_CALL_SECONDS = 10.0
_dumps = DHTProtocol.serializer.dumps

StoredValue = tuple[str, bytes | None, bytes, float]
"""DHT key, packed subkey (None for a value without one), packed value, and the DHT time at which it ends."""


class RecordForger:
    """An admitted DHT node whose owner writes what it likes."""

    def __init__(self, seat: PeerSeat, number: int = 0) -> None:
        """Enter the swarm from ``seat``, or as the further peer of its user with that ``number``."""
        self.manifest = RunManifest.load(seat.manifest)
        self.dht = seat.enter_dht(number)
        self._seat = seat

    @property
    def prefix(self) -> str:
        """DHT prefix of the run."""
        return self.manifest.dht_prefix

    def certificate(self, number: int = 0) -> bytes:
        """Return the packed certificate of the peer of the seat's user with that ``number``."""
        return GateCertificate.of_token(self._seat.tokens[number]).pack()

    def progress(self) -> list[ProgressRecord]:
        """Return the records of progress that the swarm has now."""
        found = self.dht.get(progress_key(self.prefix), latest=True)
        return list(parse_all(ProgressRecord, found.value if found else None).values())

    def leading(self, *, without: Sequence[bytes] = ()) -> ProgressRecord | None:
        """Return the record of the trainer that is furthest, without those of some ids; None if there is none."""
        trainers = [item for item in self.progress() if item.synchronised and item.peer_id not in without]
        return max(trainers, key=lambda item: item.epoch, default=None)

    def write(self, key: str, record: Record, identity: PeerIdentity, seconds: float) -> None:
        """Sign ``record`` by the key of ``identity``, and have it stored under ``key`` for ``seconds``."""
        self.send([signed_value(key, record, identity, seconds)])

    def send(self, values: Sequence[StoredValue]) -> None:
        """Send every known node ``values`` to store, which fit a DHT process's arguments: some 10 kB in all."""
        self.dht.run_coroutine(partial(_send, values=list(values)), return_future=True).result(_CALL_SECONDS)


def signed_value(key: str, record: Record, identity: PeerIdentity, seconds: float) -> StoredValue:
    """Return the ``record`` under ``key`` and the owner key of ``identity``, signed by it, for ``seconds``."""
    return signed_until(key, record, identity, get_dht_time() + seconds)


def signed_until(key: str, record: Record, identity: PeerIdentity, expires: float) -> StoredValue:
    """Return the same for a record that ends at the DHT time ``expires``."""
    value = _dumps(record.pack())
    unsigned = DHTRecord(DHTID.generate(source=key).to_bytes(), _dumps(identity.owner), value, expires)
    return key, identity.owner, RSASignatureValidator(identity.private_key).sign_value(unsigned), expires


def plain_value(key: str, value: Any, seconds: float) -> StoredValue:
    """Return an unsigned ``value`` without a subkey under ``key``, for ``seconds``."""
    return key, None, _dumps(value), get_dht_time() + seconds


async def _send(dht: Any, node: Any, *, values: list[StoredValue]) -> None:
    keys = [DHTID.generate(source=key) for key, _, _, _ in values]
    subkeys, contents, ends = zip(*((item[1], item[2], item[3]) for item in values), strict=True)
    for peer in set(node.protocol.routing_table.uid_to_peer_id.values()):
        await node.protocol.call_store(peer, keys, list(contents), list(ends), list(subkeys))
