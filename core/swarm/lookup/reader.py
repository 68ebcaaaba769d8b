"""Reads the DHT's records with little traffic: each record comes once, from the few nodes that keep it."""

import asyncio
import logging
import math
import random
from collections.abc import Awaitable, Callable, Collection, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

import hivemind
from hivemind.dht import DHTID, protocol
from hivemind.dht.node import _SearchState
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.storage import DHTLocalStorage
from hivemind.dht.validation import DHTRecord
from hivemind.p2p import P2PDaemonError, P2PHandlerError, PeerID
from hivemind.utils.auth import AuthRole

from core.swarm.admission.refusal import PeerRefused
from core.swarm.lookup.news import KeptRecord, NewsService, entries_in, entries_of, question
from core.swarm.lookup.replicas import KnownReplicas

_FAULTS = (P2PDaemonError, P2PHandlerError, PeerRefused, OSError, ValueError, TypeError)
_log = logging.getLogger(__name__)
_dumps = DHTProtocol.serializer.dumps


def read_frugally(dht: "hivemind.DHT", complete: Collection[str] = ()) -> None:
    """Have the node of ``dht`` store and read as `KnownReplicas` and `RecordReader` do; returns once it does.

    ``complete`` are keys of which each look-up must find all that is stored anywhere.
    """
    dht.run_coroutine(partial(_begin, complete=frozenset(complete)))


async def _begin(_: "hivemind.DHT", node: Any, *, complete: Collection[str]) -> None:
    replicas = KnownReplicas(node)
    node.find_nearest_nodes = replicas.find_nearest_nodes
    node.reader = RecordReader(node, replicas, complete)
    node.get = node.reader.get
    if not node.protocol.client_mode:
        service = NewsService(node.protocol)
        guarded = protocol.AuthRPCWrapper(service, AuthRole.SERVICER, node.protocol.authorizer)
        await service.add_p2p_handlers(node.p2p, guarded)


def exchange(dht: "hivemind.DHT", key: str, subkey: bytes, value: Any, expiration: float) -> "Future[Any]":
    """Begin to leave a record under a key, and to read that key by the same calls.

    Args:
        dht: a running DHT whose node reads frugally.
        key: the key.
        subkey: the mark of the record's owner, this peer.
        value: the record as a plain value.
        expiration: DHT time until which it is stored.

    Returns:
        A future of what the DHT has under the key, as its ``get`` returns it.
    """
    work = partial(_exchange, key=key, subkey=subkey, value=value, expiration=expiration)
    begun: Future[Any] = dht.run_coroutine(work, return_future=True)
    return begun


async def _exchange(_: "hivemind.DHT", node: Any, **record: Any) -> Any:
    reader: RecordReader = node.reader
    try:
        return await reader.exchange(**record)
    except asyncio.CancelledError:  # the node ends, and hivemind would log an error
        return None


def majority(keeping: int) -> int:
    """Return how many of the nodes that keep a key, ``keeping`` of them, are enough to store at and to read from.

    Any two such sets have a node in common.
    """
    return keeping // 2 + 1


class RecordReader:
    """Reads through one DHT node, and remembers each record until it expires."""

    def __init__(self, node: Any, replicas: KnownReplicas, complete: Collection[str]) -> None:
        """Prepare to read.

        Args:
            node: hivemind's DHT node, in whose process this object is.
            replicas: where the records of a key are kept.
            complete: keys of which all nodes that keep them are asked each time; of others a majority is.
        """
        self._node, self._replicas, self._complete = node, replicas, complete
        self._protocol = node.protocol
        self._look_up: Callable[..., Awaitable[Any]] = node.get
        self._known = DHTLocalStorage()

    async def get(self, key: Any, latest: bool = False, **options: Any) -> Any:
        """Return what the DHT has under a key, with its expiration; None if that is nothing.

        Args:
            key: the key, as in a store.
            latest: true for the newest records. Else any will do, and hivemind's look-up takes its course.
            options: further arguments of hivemind's look-up, which then takes its course as well.
        """
        if not latest or options:
            return await self._look_up(key, latest=latest, **options)
        return await self._read(key, None)

    async def exchange(self, key: str, subkey: bytes, value: Any, expiration: float) -> Any:
        """Leave this peer's record under a key, and return what the DHT has there, as `exchange` says.

        Args:
            key: the key.
            subkey: the mark of the record's owner, this peer.
            value: the record as a plain value.
            expiration: DHT time until which it is stored.
        """
        place, packed, rules = DHTID.generate(source=key), _dumps(value), self._protocol.record_validator
        if rules is not None:
            packed = rules.sign_value(DHTRecord(place.to_bytes(), _dumps(subkey), packed, expiration))
        self._take(place, [(subkey, packed, expiration)], self._protocol.storage)
        return await self._read(key, (subkey, packed, expiration))

    async def _read(self, key: Any, own: KeptRecord | None) -> Any:
        place = DHTID.generate(source=key)
        if not await self._ask_replicas(place, own, key in self._complete):
            await self._ask_replicas(place, own, True)  # those that were asked are gone, and known to be
        return await self._found(place)

    async def _ask_replicas(self, place: DHTID, own: KeptRecord | None, asks_all: bool) -> bool:
        """Ask the nodes that keep a key, all or a majority; return false if there are some and none answers."""
        nodes = await self._replicas.of(place)
        keeping = list(nodes.items())[: self._node.num_replicas]
        if asks_all:
            answers = await asyncio.gather(*(self._ask(place, own, *item) for item in keeping))
            return any(answers) or not keeping
        answered = 0
        for item in random.sample(keeping, len(keeping)):  # one by one, so that no record comes twice
            answered += await self._ask(place, own, *item)
            if answered >= majority(len(keeping)):
                break
        return answered > 0 or not keeping

    async def _ask(self, place: DHTID, own: KeptRecord | None, node_id: DHTID, peer: PeerID) -> bool:
        """Leave the record ``own`` with a node, and take in those that it gives; return false if it is silent."""
        stub = NewsService.get_stub(self._node.p2p, peer)
        guarded = protocol.AuthRPCWrapper(stub, AuthRole.CLIENT, self._protocol.authorizer)
        request = question(place, self._entries(place), own)
        request.peer.CopyFrom(self._protocol.node_info)
        try:
            async with self._protocol.rpc_semaphore:
                response = await guarded.rpc_news(request, timeout=self._protocol.wait_timeout)
            self._take(place, list(entries_in(response)), self._known)
        except (TimeoutError, *_FAULTS) as error:
            _log.debug("Peer %s gives no records: %r", peer, error)
            self._node.blacklist.register_failure(peer)
            await self._protocol.update_routing_table(node_id, peer, responded=False)
            return False
        self._node.blacklist.register_success(peer)
        return True

    def _entries(self, place: DHTID) -> list[KeptRecord]:
        return [*entries_of(self._known.get(place)), *entries_of(self._protocol.storage.get(place))]

    def _take(self, place: DHTID, entries: Sequence[KeptRecord], storage: DHTLocalStorage) -> None:
        """Keep those of the ``entries`` in ``storage`` that hold against this node's rules for records."""
        rules = self._protocol.record_validator
        for subkey, value, expiration in entries:
            record = DHTRecord(place.to_bytes(), _dumps(subkey), value, expiration)
            if math.isfinite(expiration) and (rules is None or rules.validate(record)):
                storage.store(place, value, expiration, subkey=subkey)

    async def _found(self, place: DHTID) -> Any:
        """Return what is known under a key without its signatures, as hivemind's look-up does."""
        search = _SearchState(
            place,
            math.inf,
            serializer=self._protocol.serializer,
            record_validator=self._protocol.record_validator,
        )
        for item in (self._known.get(place), self._protocol.storage.get(place)):
            search.add_candidate(item, source_node_id=self._node.node_id)
        search.finish_search()
        return await search.future
