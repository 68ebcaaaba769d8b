"""Commit records in the DHT: one key for the run, a subkey for each writer."""

import time
from collections import Counter, deque
from collections.abc import Sequence

import hivemind
from hivemind.p2p import PeerID
from hivemind.utils import get_dht_time

from core.swarm.wire.identity import peer_id_of
from core.swarm.wire.own_certificate import OPEN_RUN, OwnCertificate
from core.swarm.wire.records import COMMIT_SECONDS, CommitRecord, bounded, commit_key, parse_all

_DOUBTS = 3
"""Number of failed attempts to get a record's bytes after which they count as lost with the peers that had them."""

_REMEMBERED_ROOTS, _REMEMBERED_DOUBTS = 32, 1024
DoubtedRecord = tuple[bytes, bytes, float]
"""Root, group and samples of a record that is doubted."""


def _doubted(record: CommitRecord) -> DoubtedRecord:
    return record.root, record.group, record.samples


class DHTCommitLog:
    """Reads and writes commit records; remembers who wrote them and how long a store takes."""

    def __init__(
        self, dht: "hivemind.DHT", prefix: str, owner: bytes, certificate: OwnCertificate = OPEN_RUN
    ) -> None:
        """Use the commit records in ``dht`` of the run whose DHT prefix is ``prefix``.

        ``owner`` is this peer's owner key, under which its record is stored, with its ``certificate``; empty for a
        log that is only read.
        """
        self._dht, self._key, self._owner = dht, commit_key(prefix), owner
        self._certificate = certificate
        self.writers: dict[bytes, list[PeerID]] = {}
        """Writers of the roots seen last; a writer's next record replaces its last one in the DHT."""
        self.by_writer: dict[bytes, CommitRecord] = {}
        """The records that were read last, by the ids of their writers."""
        self.store_seconds: deque[float] = deque(maxlen=16)
        self._doubts = Counter[DoubtedRecord]()

    async def read(self) -> Sequence[CommitRecord]:
        """Return all well-formed records that the DHT has now, without those that are doubted too often."""
        found = await self._dht.get(self._key, latest=True, return_future=True)
        records = parse_all(CommitRecord, found.value if found else None)
        self.by_writer = {}
        for owner, record in records.items():
            writer = peer_id_of(owner)
            if writer is not None:
                self.by_writer[writer.to_bytes()] = record
            if writer is not None and writer not in self.writers.setdefault(record.root, []):
                self.writers[record.root].append(writer)
        for root in list(self.writers)[:-_REMEMBERED_ROOTS]:
            del self.writers[root]
        return [record for record in records.values() if self._doubts[_doubted(record)] < _DOUBTS]

    def doubt(self, record: CommitRecord) -> None:
        """Note that no peer gave the bytes that ``record`` names.

        Peers that commit an epoch and then all vanish take its bytes with them. The others must not wait for
        ever: they average that epoch again, and a peer that returns finds itself on the branch that fewer
        peers hold. Another record with the same root is not doubted for it: anyone can copy a root beside a group or
        samples that it does not cover.
        """
        self._doubts[_doubted(record)] += 1
        for oldest in list(self._doubts)[:-_REMEMBERED_DOUBTS]:
            del self._doubts[oldest]

    async def write(self, record: CommitRecord) -> bool:
        """Store ``record`` under this peer's own key, over its earlier one; return true if any peer stored it."""
        began, now = time.monotonic(), get_dht_time()
        certified, until = self._certificate.on(record, now=now, until=now + COMMIT_SECONDS)
        stored = await self._dht.store(
            self._key,
            subkey=self._owner,
            value=bounded(certified.pack()),
            expiration_time=until,
            return_future=True,
        )
        self.store_seconds.append(time.monotonic() - began)
        return bool(stored)
