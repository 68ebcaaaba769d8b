"""Keeps the records of others at a DHT node, within bounds by holder and in total.

hivemind's storage has no bound but a number of keys, by default none, each of which may have any number of records.
It also remembers each attempt to store until the time that the attempt named, and lets a record end early if anyone
stores it once more with an earlier end.
"""

import heapq
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from hivemind.dht import DHTID
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.routing import BinaryDHTValue, Subkey
from hivemind.dht.storage import DHTLocalStorage, DictionaryDHTValue
from hivemind.p2p import PeerID
from hivemind.utils import ValueWithExpiration, get_dht_time
from hivemind.utils.timed_storage import TimedStorage

from core.swarm.wire.identity import peer_id_of
from core.swarm.wire.records import MAX_RECORD_BYTES

_log = logging.getLogger(__name__)

_OVERHEAD_BYTES = 800
"""Bytes of memory that a record takes beside its own, at most; few if many lie under one key."""
_SIGNATURE_BYTES = 1024
"""Bytes of the longest signature, which is text by base64, and of what frames it."""
_SWEEP_SECONDS = 5.0
"""Seconds between two looks for records that have ended: each looks at all of them."""
_LOG_SECONDS = 600.0
_OF_THE_RUN = b"\0run"
"""Holder of what the run's organiser signed: no user has such a name."""
_dumps = DHTProtocol.serializer.dumps
_Name = tuple[DHTID, Subkey | None]


@dataclass(frozen=True)
class StorageBounds:
    """Bytes that the records of others may take at one node, with what the memory for them costs."""

    holder: int = 512 << 10
    """Bytes of one holder: a user's forty peers, of which each has ten records of 1.3 kB."""
    all: int = 128 << 20
    """Bytes of all holders: a node keeps all contacts and tokens of a swarm of 25,000 peers."""


class BoundedStorage(DHTLocalStorage):
    """The records that one node keeps; a record is pushed out by its own holder alone, and then its oldest is.

    While there is no room for all, those of whom the node keeps nothing yet are refused. So nobody, with however many
    keys, makes a node forget a peer that it knows.
    """

    def __init__(
        self,
        holder_of: Callable[[Any], bytes | None],
        bounds: StorageBounds | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin without records.

        Args:
            holder_of: gives the name of those to whom what lies under a subkey belongs: a user, or in an open run a
                peer; None for those of whom nothing is to be stored any longer.
            bounds: the bounds; None for the usual ones.
            clock: gives monotonic seconds.
        """
        super().__init__()
        self._holder_of, self._bounds, self._clock = holder_of, bounds or StorageBounds(), clock
        self._held = dict[bytes, OrderedDict[_Name, int]]()
        """Bytes of each record of each holder, the one that was stored first before the others."""
        self._holders = dict[_Name, bytes]()
        self._sizes = dict[bytes, int]()
        self._total, self._swept_at, self._warned_at = 0, clock(), float("-inf")

    @property
    def bytes_held(self) -> int:
        """Bytes of all records, with what the memory for them costs."""
        return self._total

    def store(
        self,
        key: DHTID,
        value: BinaryDHTValue,
        expiration_time: float,
        subkey: Subkey | None = None,
    ) -> bool:
        """Store a record; return true if it is kept.

        One that ends no later than that which is kept there already is refused, and changes nothing.

        Args:
            key: the key.
            value: the packed record, with its signature.
            expiration_time: DHT time in seconds at which it ends.
            subkey: the subkey; None for the key's only value.
        """
        before = self._kept_at(key, subkey)
        if expiration_time < get_dht_time() or (
            before is not None and before.expiration_time >= expiration_time
        ):
            return False
        size = len(value) + len(_dumps(subkey))
        if size > 2 * MAX_RECORD_BYTES or len(value) > MAX_RECORD_BYTES + _SIGNATURE_BYTES:
            return False
        holder = self._holder_of(subkey)
        if holder is None or not self._make_room(holder, (key, subkey), size + _OVERHEAD_BYTES):
            return False
        stored = (
            super().store(key, value, expiration_time)
            if subkey is None
            else super().store_subkey(key, subkey, value, expiration_time)
        )
        if stored:
            self._note(holder, (key, subkey), size + _OVERHEAD_BYTES)
        self._compact(key)
        return bool(stored)

    def store_subkey(self, key: DHTID, subkey: Subkey, value: BinaryDHTValue, expiration_time: float) -> bool:
        """Store a record under a ``key`` and a ``subkey``, as `store` does.

        ``value`` is the packed record, and ``expiration_time`` the DHT time in seconds at which it ends.
        """
        return self.store(key, value, expiration_time, subkey=subkey)

    def _kept_at(self, key: DHTID, subkey: Subkey | None) -> ValueWithExpiration[Any] | None:
        item = self.get(key)
        if item is None or isinstance(item.value, DictionaryDHTValue) != (subkey is not None):
            return None
        return item.value.get(subkey) if isinstance(item.value, DictionaryDHTValue) else item

    def _make_room(self, holder: bytes, name: _Name, size: int) -> bool:
        """Return true if ``size`` bytes more of the ``holder`` fit; its oldest other records are dropped for that."""
        if self._clock() - self._swept_at >= _SWEEP_SECONDS:
            self._sweep()
        own: OrderedDict[_Name, int] = self._held.get(holder, OrderedDict())
        more = size - own.get(name, 0)
        if not own and self._total + size > self._bounds.all:
            self._warn()
            return False
        for oldest in [] if self._fits(holder, more) else [item for item in own if item != name]:
            self._drop(oldest)
            if self._fits(holder, more):
                break
        return self._fits(holder, more)

    def _fits(self, holder: bytes, more: int) -> bool:
        held = self._sizes.get(holder, 0) + more
        return held <= self._bounds.holder and self._total + more <= self._bounds.all

    def _note(self, holder: bytes, name: _Name, size: int) -> None:
        self._forget(name)
        self._held.setdefault(holder, OrderedDict())[name] = size
        self._holders[name] = holder
        self._sizes[holder] = self._sizes.get(holder, 0) + size
        self._total += size

    def _forget(self, name: _Name) -> None:
        """Count a record no longer, if it is counted."""
        holder = self._holders.pop(name, None)
        if holder is None:
            return
        size = self._held[holder].pop(name)
        self._sizes[holder] -= size
        self._total -= size
        if not self._held[holder]:
            del self._held[holder], self._sizes[holder]

    def _drop(self, name: _Name) -> None:
        """Remove a record from memory, and its key once that is empty."""
        self._forget(name)
        key, subkey = name
        item = self.data.get(key)
        if item is None:
            return
        if isinstance(item.value, DictionaryDHTValue) and subkey is not None:
            del item.value[subkey]
            if item.value.data:
                return
        del self[key]

    def _sweep(self) -> None:
        """Remove what has ended: hivemind does so for the records of a key only when it is asked for them."""
        self._swept_at = self._clock()
        for name in list(self._holders):
            if self._kept_at(*name) is None:
                self._drop(name)

    def _compact(self, key: DHTID) -> None:
        item = self.data.get(key)
        _forget_replaced(self)
        if item is not None and isinstance(item.value, DictionaryDHTValue):
            _forget_replaced(item.value)

    def _warn(self) -> None:
        if self._clock() - self._warned_at >= _LOG_SECONDS:
            self._warned_at = self._clock()
            _log.warning(
                "The DHT's node keeps %d bytes of %d peers or users, as much as it may: it takes in none of others.",
                self._total,
                len(self._held),
            )


class HolderNames(Protocol):
    """The part of a peer's admission that knows the users of others."""

    @property
    def excludes_any(self) -> bool:
        """True if the newest list of revocations names anyone."""

    def excludes(self, peer: PeerID, user: str) -> bool:
        """Return true if that list names ``peer`` or ``user``."""

    def user_of(self, peer: PeerID) -> str:
        """Return the name of the user of ``peer``; empty if it is not known."""


def holder_of(subkey: Any, names: HolderNames | None) -> bytes | None:
    """Return to whom a record belongs that lies under ``subkey`` and holds against the rules.

    That is the user of its writer, or in an open run its writer; what has no writer is the run's own. It is None for
    those whom the gate's list excludes.

    Args:
        subkey: the subkey, which is the owner key of the writer.
        names: the peer's admission; None in an open run.
    """
    writer = peer_id_of(subkey) if isinstance(subkey, bytes) else None
    if writer is None:
        return _OF_THE_RUN
    if names is None:
        return bytes(writer.to_bytes())
    user = names.user_of(writer)
    if names.excludes_any and names.excludes(writer, user):
        return None
    return user.encode() if user else bytes(writer.to_bytes())


def storage_of(names: HolderNames | None, bounds: StorageBounds | None = None) -> BoundedStorage:
    """Return the storage of a node with the usual ``bounds``; ``names`` are as for `holder_of`."""
    return BoundedStorage(partial(holder_of, names=names), bounds)


def _forget_replaced(storage: "TimedStorage[Any, Any]") -> None:
    """Forget when records would have ended that were replaced, once these are more than those that are kept."""
    if len(storage.expiration_heap) > 2 * len(storage.data) + 64:
        storage.expiration_heap = list(storage.key_to_heap.values())
        heapq.heapify(storage.expiration_heap)
