"""Remembers the records that other nodes gave, within bounds of time and memory: a node may give anything."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hivemind.dht import DHTID
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.routing import BinaryDHTValue, Subkey
from hivemind.utils import get_dht_time

from core.swarm.lookup.news import KeptRecord

_MOST_RECORDS, _MOST_BYTES = 8192, 4 << 20
"""Records of one key that are remembered, and their bytes."""
_MOST_SECONDS = 6 * 3600.0
"""Seconds for which a record is remembered, whatever its expiration; announcements are stored for as long."""
_READ_SECONDS = 600.0
"""Seconds after which the records of a key that is no longer read are forgotten."""
_dumps = DHTProtocol.serializer.dumps


@dataclass(frozen=True)
class _RememberedValue:
    value: BinaryDHTValue
    expiration: float
    until: float
    """DHT time until which it is remembered."""
    size: int


class KnownRecords:
    """The records by their keys and subkeys; of two with the same, the one that expires later."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        dht_clock: Callable[[], float] = get_dht_time,
    ) -> None:
        """Begin with none; ``clock`` gives monotonic seconds, ``dht_clock`` the DHT time in seconds."""
        self._clock, self._dht_clock = clock, dht_clock
        self._keys: dict[DHTID, dict[Subkey, _RememberedValue]] = {}
        self._read_at: dict[DHTID, float] = {}

    def of(self, key: DHTID) -> Iterator[KeptRecord]:
        """Yield the records under ``key`` that have not expired; the key counts as read."""
        now, self._read_at[key] = self._dht_clock(), self._clock()
        for subkey, known in list(self._keys.get(key, {}).items()):
            if known.until >= now:
                yield subkey, known.value, known.expiration

    def take(self, key: DHTID, entries: Sequence[KeptRecord]) -> None:
        """Remember those of the ``entries`` under ``key`` that expire later than what is known, within the bounds."""
        now, self._read_at[key] = self._dht_clock(), self._clock()
        records = {subkey: known for subkey, known in self._keys.get(key, {}).items() if known.until >= now}
        for subkey, value, expiration in entries:
            before = records.get(subkey)
            if before is None or before.expiration < expiration:
                until, size = min(expiration, now + _MOST_SECONDS), len(value) + len(_dumps(subkey))
                records[subkey] = _RememberedValue(value, expiration, until, size)
        self._keys[key] = _within_bounds(records)
        self._forget_unread()

    def _forget_unread(self) -> None:
        least = self._clock() - _READ_SECONDS
        self._read_at = {key: read_at for key, read_at in self._read_at.items() if read_at >= least}
        self._keys = {key: records for key, records in self._keys.items() if key in self._read_at}


def _within_bounds(records: dict[Subkey, _RememberedValue]) -> dict[Subkey, _RememberedValue]:
    """Return as many of ``records`` as may be remembered, those that expire last."""
    if len(records) <= _MOST_RECORDS and sum(known.size for known in records.values()) <= _MOST_BYTES:
        return records
    left, kept = _MOST_BYTES, dict[Subkey, _RememberedValue]()
    for subkey, known in sorted(records.items(), key=lambda item: item[1].until, reverse=True):
        if len(kept) == _MOST_RECORDS or (left := left - known.size) < 0:
            break
        kept[subkey] = known
    return kept
