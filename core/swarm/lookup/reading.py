"""Has the node of a peer read the DHT frugally, in the DHT's own process, and asks it from the peer's."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

import hivemind
from hivemind.dht.protocol import DHTProtocol
from hivemind.p2p import PeerID

from core.swarm.lookup.gossip import GossipReader, serve_gossip
from core.swarm.lookup.kept_records import StorageBounds, storage_of
from core.swarm.lookup.news import serve_news
from core.swarm.lookup.node_ids import believe_own_ids
from core.swarm.lookup.reader import KeyLook, ReadKeys, RecordReader
from core.swarm.lookup.replicas import KnownReplicas
from core.swarm.neighbours import entrances

_STALE_SECONDS = 120.0
"""Seconds after which a summary that is held is old."""
_NOTHING = StorageBounds(holder=0, all=0)
_create = DHTProtocol.create.__func__


async def _create_answering(kind: type[DHTProtocol], p2p: Any, *given: Any, **named: Any) -> DHTProtocol:
    created: DHTProtocol = await _create(kind, p2p, *given, **named)
    believe_own_ids(created)
    created.storage = storage_of(created.authorizer)
    created.cache = storage_of(
        created.authorizer, _NOTHING
    )  # no code here reads it, and anyone could fill it
    await serve_news(created, p2p)
    await serve_gossip(created, p2p)
    return created


def answer_others() -> None:
    """Make the DHT nodes of this process answer our own calls as soon as they can be called.

    A node meets the others while it is made. One that asked it meanwhile took it for one of an older program, and
    banned it.
    """
    DHTProtocol.create = classmethod(_create_answering)


def read_frugally(dht: "hivemind.DHT", keys: ReadKeys) -> None:
    """Make the node of ``dht`` store and read as `KnownReplicas` and `RecordReader` do; returns once it does.

    ``keys`` are those that are read with more care than others.
    """
    dht.run_coroutine(partial(_begin, keys=keys, entrances=entrances(dht)))


async def _begin(_: "hivemind.DHT", node: Any, *, keys: ReadKeys, entrances: Sequence[PeerID]) -> None:
    replicas = KnownReplicas(node, entrances)
    node.find_nearest_nodes = replicas.find_nearest_nodes
    node.reader = RecordReader(node, replicas, keys)
    node.get = node.reader.get
    node.gossip = GossipReader(node, entrances, stale_seconds=_STALE_SECONDS)
    node.gossip.records.begin(keys.gossiped, {*entrances, node.peer_id})


def exchange(
    dht: "hivemind.DHT", key: str, subkey: bytes, value: Any, expiration: float, *, reads: bool = True
) -> "Future[KeyLook]":
    """Begin to leave a record under a key, and to read that key by the same calls.

    Args:
        dht: a running DHT whose node reads frugally.
        key: the key.
        subkey: the owner key of this peer, under which its record is stored.
        value: the record as a plain value.
        expiration: DHT time until which it is stored.
        reads: false to leave the record, and to ask for no others.

    Returns:
        A future of what the look brought.
    """
    work = partial(_exchange, key=key, subkey=subkey, value=value, expiration=expiration, reads=reads)
    begun: Future[KeyLook] = dht.run_coroutine(work, return_future=True)
    return begun


async def _exchange(_: "hivemind.DHT", node: Any, **record: Any) -> KeyLook:
    reader: RecordReader = node.reader
    try:
        return await reader.exchange(**record)
    except asyncio.CancelledError:  # the node ends, and hivemind would log an error
        return KeyLook(None, is_answered=False)
