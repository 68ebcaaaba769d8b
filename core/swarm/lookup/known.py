"""Remembers the records that other nodes gave, within bounds of time and memory: a node may give anything."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hivemind.dht import DHTID
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.routing import BinaryDHTValue, Subkey
from hivemind.p2p import PeerID
from hivemind.utils import get_dht_time

from core.swarm.lookup.news import KeptRecord

_MOST_BYTES, _LEAST_BYTES = 4 << 20, 512
"""Bytes of the records of one key that are remembered; a short record counts as the second."""
_MOST_BYTES_OF_ALL = 16 << 20
"""Bytes of the records of all keys that are remembered."""
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
    giver: PeerID
    """Node that gave it."""


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

    def take(self, key: DHTID, entries: Sequence[KeptRecord], giver: PeerID, seconds: float) -> None:
        """Remember those of the ``entries`` under ``key`` that expire later than what is known, within the bounds.

        Args:
            key: the key.
            entries: records under it.
            giver: the node that gave them.
            seconds: seconds for which they are remembered at most, whatever their expiration.
        """
        now, self._read_at[key] = self._dht_clock(), self._clock()
        records = {subkey: known for subkey, known in self._keys.get(key, {}).items() if known.until >= now}
        for subkey, value, expiration in entries:
            before = records.get(subkey)
            if before is None or before.expiration < expiration:
                until = min(expiration, now + seconds)
                size = max(len(value) + len(_dumps(subkey)), _LEAST_BYTES)
                records[subkey] = _RememberedValue(value, expiration, until, size, giver)
        self._keys[key] = _within_bounds(records)
        self._forget_unread()

    def _forget_unread(self) -> None:
        """Forget the keys that were not read for long; if all do not fit, those that were read last stay."""
        least, left = self._clock() - _READ_SECONDS, _MOST_BYTES_OF_ALL
        kept = dict[DHTID, dict[Subkey, _RememberedValue]]()
        for key in sorted(self._keys, key=self._read_at.__getitem__, reverse=True):
            left -= _size(self._keys[key])
            if left < 0 or self._read_at[key] < least:
                break
            kept[key] = self._keys[key]
        self._keys, self._read_at = kept, {key: self._read_at[key] for key in kept}


def _size(records: dict[Subkey, _RememberedValue]) -> int:
    return sum(known.size for known in records.values())


def _within_bounds(records: dict[Subkey, _RememberedValue]) -> dict[Subkey, _RememberedValue]:
    """Return as many of ``records`` as may be remembered: of each giver as many bytes, drawn at random.

    No property of a record tells a forged one, and a node that gives many does not displace what others give.
    """
    if _size(records) <= _MOST_BYTES:
        return records
    left, kept = _MOST_BYTES, dict[Subkey, _RememberedValue]()
    for subkey in _in_turn(records):
        if (left := left - records[subkey].size) < 0:
            break
        kept[subkey] = records[subkey]
    return kept


def _in_turn(records: dict[Subkey, _RememberedValue]) -> list[Subkey]:
    """Return the subkeys of ``records``, each giver's in random order, so that the bytes of all givers grow alike."""
    given, place = Counter[PeerID](), dict[Subkey, int]()
    for subkey in random.sample(list(records), len(records)):
        known = records[subkey]
        given[known.giver] += known.size
        place[subkey] = given[known.giver]
    return sorted(place, key=place.__getitem__)
