"""Passes records from node to node: each asks one of a few partners for what is newer than what it has.

The nodes that keep a key would have to send the same record to all peers of a large swarm. So none keeps it: whoever
has a newer one gives it, and what a node sends does not grow with the number of peers.
"""

import asyncio
import hashlib
import logging
import random
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, NamedTuple

import hivemind
from hivemind.dht import DHTID, protocol
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.validation import DHTRecord
from hivemind.p2p import P2PContext, PeerID, ServicerBase
from hivemind.proto import dht_pb2
from hivemind.utils import get_dht_time
from hivemind.utils.auth import AuthRole

from core.swarm.lookup.excluded import is_excluded
from core.swarm.lookup.news import KeptRecord, asking, entries_in, response_of
from core.swarm.wire.identity import peer_id_of
from core.swarm.wire.rendezvous import spread

_PARTNERS = 3
"""Partners of a node: few, so that most calls find a connection that is open."""
_PARTNERS_SECONDS = 1800.0
"""Seconds after which a node has other partners."""
_ENTRANCE_SHARE = 0.25
"""Share of the calls that go to an entrance while what is known is old: an entrance may not know better itself."""
_MOST_WRITERS = 16
_FIRST_SECONDS = 60.0
"""Seconds over which the nodes spread their questions to an entrance while they hold nothing.

All records expire at the same time, and an entrance that comes back is asked by all.
"""
_loads, _dumps = DHTProtocol.serializer.loads, DHTProtocol.serializer.dumps
_log = logging.getLogger(__name__)


class AdmittedDeputies(NamedTuple):
    """The peers whose records are held and passed on while none of an entrance is new."""

    peers: frozenset[bytes] = frozenset()
    """Their ids."""
    least_seconds: float = 60.0
    """Seconds, at least, between two records of one of them: more frequent ones would flood all."""


class GossipedRecords:
    """The newest record of each writer, of the writers that count and of the deputies that stand in for them."""

    def __init__(self, protocol: DHTProtocol, dht_clock: Callable[[], float] = get_dht_time) -> None:
        """Begin with none; the rules of ``protocol`` hold for all.

        ``dht_clock`` gives the DHT time in seconds.
        """
        self._protocol, self._dht_clock = protocol, dht_clock
        self._place: DHTID | None = None
        self._writers: frozenset[PeerID] = frozenset()
        self._deputies, self._least_seconds = frozenset[PeerID](), 0.0
        self._newest: dict[bytes, KeptRecord] = {}

    def begin(self, key: str, writers: Collection[PeerID]) -> None:
        """Keep the records under ``key`` by ``writers`` from now on."""
        self._place, self._writers = DHTID.generate(source=key), frozenset(writers)

    def admit(self, deputies: AdmittedDeputies) -> None:
        """Keep and pass on the records of ``deputies`` as well, and no longer those of other deputies.

        A peer whose clock or memory differs draws others, and passes on what it can verify itself.
        """
        self._least_seconds = deputies.least_seconds
        if (admitted := frozenset(map(PeerID, deputies.peers))) != self._deputies:
            self._deputies = admitted
            counted = self._writers | admitted
            self._newest = {
                name: entry
                for name, entry in self._newest.items()
                if isinstance(entry[0], bytes) and peer_id_of(entry[0]) in counted
            }

    @property
    def held(self) -> list[KeptRecord]:
        """The records that have not expired."""
        now = self._dht_clock()
        self._newest = {name: entry for name, entry in self._newest.items() if entry[2] >= now}
        return list(self._newest.values())

    def question(self) -> dht_pb2.StoreRequest:
        """Return the request for what is newer than what is held."""
        held = self.held[:_MOST_WRITERS]
        assert self._place is not None
        request = asking(self._place)
        request.subkeys.extend(name_of(subkey) for subkey, _, _ in held)
        request.expiration_time.extend(expiration for _, _, expiration in held)
        return request

    def answer_to(self, request: dht_pb2.StoreRequest) -> dht_pb2.FindResponse:
        """Return what is newer here than what the caller has by its ``request``."""
        if self._place is None or list(request.keys) != [self._place.to_bytes()]:
            return dht_pb2.FindResponse()
        known = dict(zip(request.subkeys, request.expiration_time, strict=True))
        newer = [entry for entry in self.held if known.get(name_of(entry[0]), 0.0) < entry[2]]
        return response_of(newer, request)

    def take(self, entries: Sequence[KeptRecord]) -> int:
        """Take in those of ``entries`` that are newer and hold against the rules.

        Returns how many that are, without those of deputies: an entrance is asked until it tells of itself again.
        """
        taken = [entry for entry in entries[:_MOST_WRITERS] if self._take(entry)]
        return sum(peer_id_of(subkey) in self._writers for subkey, _, _ in taken if isinstance(subkey, bytes))

    def _take(self, entry: KeptRecord) -> bool:
        subkey, value, expiration = entry
        writer = peer_id_of(subkey) if isinstance(subkey, bytes) else None
        if self._place is None or not (writer in self._writers or writer in self._deputies):
            return False
        known = self._newest.get(name_of(subkey))
        least_seconds = 0.0 if writer in self._writers else self._least_seconds
        if known is not None and known[2] + least_seconds >= expiration:
            return False
        record = DHTRecord(self._place.to_bytes(), _dumps(subkey), value, expiration)
        if expiration < self._dht_clock() or not self._protocol.record_validator.validate(record):
            return False
        self._newest[name_of(subkey)] = entry
        return True

    def sign(self, subkey: bytes, value: Any, expiration: float) -> None:
        """Hold this node's own record: its plain ``value`` under its owner key ``subkey``, until ``expiration``."""
        assert self._place is not None
        unsigned = DHTRecord(self._place.to_bytes(), _dumps(subkey), _dumps(value), expiration)
        self._newest[name_of(subkey)] = (
            subkey,
            self._protocol.record_validator.sign_value(unsigned),
            expiration,
        )

    def values(self) -> list[Any]:
        """Return the plain values of all records that are held, without those of excluded writers."""
        assert self._place is not None
        rules, place = self._protocol.record_validator, self._place.to_bytes()
        found = [
            (subkey, _loads(rules.strip_value(DHTRecord(place, _dumps(subkey), value, expiration))))
            for subkey, value, expiration in self.held
        ]
        exclusions = self._protocol.authorizer
        return [value for subkey, value in found if not is_excluded(subkey, value, exclusions)]


def name_of(subkey: Any) -> bytes:
    """Return the short name by which two nodes agree on the writer whose owner key is ``subkey``."""
    return hashlib.blake2b(_dumps(subkey), digest_size=8).digest()


class GossipService(ServicerBase):
    """Answers other nodes out of the gossiped records that one DHT node holds."""

    def __init__(self, protocol: DHTProtocol, records: GossipedRecords) -> None:
        """Answer out of ``records``, and let ``protocol`` learn of those who ask."""
        self._protocol, self._records = protocol, records

    async def rpc_newer(self, request: dht_pb2.StoreRequest, context: P2PContext) -> dht_pb2.FindResponse:
        """Return the records that are newer than those that the caller names in ``request``; ``context`` is its.

        Raises ValueError if the request is malformed.
        """
        if len(request.subkeys) != len(request.expiration_time) or len(request.subkeys) > _MOST_WRITERS:
            raise ValueError("a question is a key, and a name and an expiration of each record that is known")
        return self._records.answer_to(request)


async def serve_gossip(protocol_: DHTProtocol, p2p: Any) -> None:
    """Let the node of ``protocol_`` hold gossiped records; others can ask for them over ``p2p`` if they reach it."""
    protocol_.gossiped = GossipedRecords(protocol_)
    if not protocol_.client_mode:
        service = GossipService(protocol_, protocol_.gossiped)
        guarded = protocol.AuthRPCWrapper(service, AuthRole.SERVICER, protocol_.authorizer)
        await service.add_p2p_handlers(p2p, guarded)


class GossipReader:
    """Asks the partners of one DHT node for newer records."""

    def __init__(
        self,
        node: Any,
        entrances: Sequence[PeerID],
        *,
        stale_seconds: float,
        clock: Callable[[], float] = time.monotonic,
        chance: random.Random | None = None,
    ) -> None:
        """Prepare to ask.

        Args:
            node: hivemind's DHT node, in whose process this object is.
            entrances: the peers by which the node entered the swarm; they are asked at first, and where partners
                know nothing new.
            stale_seconds: seconds after which what is held is old.
            clock: gives monotonic seconds.
            chance: draws the partners.
        """
        self._node, self._entrances, self._stale_seconds = node, tuple(entrances), stale_seconds
        self._clock, self._chance = clock, chance or random.Random()
        self._salt, self._salted_at, self._news_at = b"", float("-inf"), float("-inf")
        self._first_at = float("-inf")
        """Monotonic seconds from which an entrance may be asked while nothing is held."""

    @property
    def records(self) -> GossipedRecords:
        """The records that the node holds."""
        held: GossipedRecords = self._node.protocol.gossiped
        return held

    async def pull(self) -> bool:
        """Ask one partner; return true if it answered, whether or not it had news."""
        peer = self._next()
        if peer is None:
            return False
        protocol_ = self._node.protocol
        stub = GossipService.get_stub(self._node.p2p, peer)
        guarded = protocol.AuthRPCWrapper(stub, AuthRole.CLIENT, protocol_.authorizer)
        request = self.records.question()
        request.peer.CopyFrom(protocol_.node_info)
        try:
            response = await guarded.rpc_newer(request, timeout=protocol_.wait_timeout)
            taken = self.records.take(list(entries_in(response)))
        except Exception as error:  # noqa: BLE001 - whatever a node answers, another one is asked next time
            _log.debug("Peer %s gives no summary: %r", peer, error)
            self._salted_at = float("-inf")
            return False
        if taken:
            self._news_at = self._clock()
        return True

    def _next(self) -> PeerID | None:
        """Return the peer that is asked next: an entrance if none has given any, or what is known is old."""
        now = self._clock()
        able = [peer for peer in self._entrances if peer not in self._node.blacklist]
        is_old = now - self._news_at > self._stale_seconds
        partners = self._partners(now)
        holds_any = bool(self.records.held)
        is_first = not holds_any and now >= self._first_at
        if holds_any or is_first:
            self._first_at = next_turn(now, self._node.peer_id.to_bytes(), _FIRST_SECONDS)
        asks_entrance = is_first or (holds_any and is_old and self._chance.random() < _ENTRANCE_SHARE)
        if able and (asks_entrance or not partners):
            return self._chance.choice(able)
        return self._chance.choice(partners) if partners else None

    def _partners(self, now: float) -> list[PeerID]:
        if now - self._salted_at > _PARTNERS_SECONDS:
            self._salt, self._salted_at = self._chance.randbytes(8), now
        table: Mapping[DHTID, PeerID] = self._node.protocol.routing_table.uid_to_peer_id
        known = [peer for peer in table.values() if peer not in self._node.blacklist]
        return spread(known, self._salt, identifier=lambda peer: peer.to_bytes())[:_PARTNERS]


def next_turn(now: float, name: bytes, period: float) -> float:
    """Return the first time after ``now`` at which the node of that ``name`` has its turn, once in each ``period``.

    Times are in seconds. The turns of different names are spread evenly over a period.
    """
    share = int.from_bytes(hashlib.sha256(name).digest()[:4], "big") / 2**32
    begun = now - (now - share * period) % period
    return begun + period


# --- from the peer's process ------------------------------------------------------------------------------------


def pull(dht: "hivemind.DHT", deputies: AdmittedDeputies | None = None) -> "Future[tuple[list[Any], bool]]":
    """Begin to ask one partner of the node of ``dht``.

    Returns a future of the plain values of all records that are held then, and whether the partner answered.

    Args:
        dht: a running DHT node.
        deputies: the peers whose records are held and passed on from now on beside those of the entrances; None
            leaves them as they are.
    """
    work = partial(_pull, deputies=deputies)
    begun: Future[tuple[list[Any], bool]] = dht.run_coroutine(work, return_future=True)
    return begun


async def _pull(_: "hivemind.DHT", node: Any, *, deputies: AdmittedDeputies | None) -> tuple[list[Any], bool]:
    reader: GossipReader = node.gossip
    if deputies is not None:
        reader.records.admit(deputies)
    try:
        is_answered = await reader.pull()
    except asyncio.CancelledError:  # the node ends, and hivemind would log an error
        return [], False
    return reader.records.values(), is_answered


def publish(dht: "hivemind.DHT", subkey: bytes, value: Any, expiration: float) -> "Future[None]":
    """Begin to hold a record of this peer's own at its node, where others find it; returns a future.

    Args:
        dht: the DHT of this peer, which is one of the writers that count.
        subkey: the owner key of this peer.
        value: the record as a plain value.
        expiration: DHT time until which it is held.
    """
    work = partial(_publish, subkey=subkey, value=value, expiration=expiration)
    begun: Future[None] = dht.run_coroutine(work, return_future=True)
    return begun


async def _publish(_: "hivemind.DHT", node: Any, *, subkey: bytes, value: Any, expiration: float) -> None:
    node.gossip.records.sign(subkey, value, expiration)
