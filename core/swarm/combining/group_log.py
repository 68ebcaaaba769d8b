"""The records of groups in the DHT: one key for the run, a subkey for the head of each group."""

import time
from collections import deque
from collections.abc import Sequence
from typing import Protocol

import hivemind
from hivemind.utils import get_dht_time

from core.swarm.wire.group_records import GROUP_SECONDS, GroupRecord, group_key
from core.swarm.wire.own_certificate import OPEN_RUN, OwnCertificate
from core.swarm.wire.records import bounded, parse_all

_REMEMBERED_STORES = 16


class GroupLog(Protocol):
    """The place where heads read each other's records, and write their own."""

    async def read(self) -> Sequence[GroupRecord]:
        """Return all well-formed records that the log has now."""

    async def write(self, record: GroupRecord) -> bool:
        """Store ``record`` over this peer's earlier one; return true if any peer stored it."""


class DHTGroupLog:
    """The log of one run's groups in its DHT."""

    def __init__(
        self,
        dht: "hivemind.DHT",
        prefix: str,
        owner: bytes,
        *,
        seconds: float,
        certificate: OwnCertificate = OPEN_RUN,
    ) -> None:
        """Use ``dht`` for the run whose DHT prefix is ``prefix``; ``owner`` is this peer's owner key.

        A record has the ``certificate``, and ends after ``seconds``, those of a round, or earlier: a round that
        failed is tried again at once.
        """
        self._seconds, self._certificate = min(seconds, GROUP_SECONDS), certificate
        self._dht, self._key, self._owner = dht, group_key(prefix), owner
        self.store_seconds: deque[float] = deque(maxlen=_REMEMBERED_STORES)
        """Seconds that each of the last stores took: most peers write no commit, from which they would know it."""

    async def read(self) -> Sequence[GroupRecord]:
        """Return all well-formed records that the DHT has now."""
        found = await self._dht.get(self._key, latest=True, return_future=True)
        return list(parse_all(GroupRecord, found.value if found else None).values())

    async def write(self, record: GroupRecord) -> bool:
        """Store ``record`` under this peer's own key, over its earlier one; return true if any peer stored it."""
        began, now = time.monotonic(), get_dht_time()
        certified, until = self._certificate.on(record, now=now, until=now + self._seconds)
        stored = await self._dht.store(
            self._key,
            subkey=self._owner,
            value=bounded(certified.pack()),
            expiration_time=until,
            return_future=True,
        )
        self.store_seconds.append(time.monotonic() - began)
        return bool(stored)
