"""Remembers the DHT nodes that keep a key, so that a store or a look-up goes to them without a search.

hivemind searches the DHT before each store and at each look-up: it calls up to twenty nodes, and each that keeps the
key answers with all records under it. A store needs none of them, and the nodes seldom change.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hivemind.dht import DHTID
from hivemind.p2p import PeerID

_HELD_SECONDS, _HELD_SECONDS_OF_MANY = 60.0, 300.0
"""Seconds for which nodes are remembered; the second, where one search does not find all nodes of the swarm."""
_Nodes = dict[DHTID, PeerID]


@dataclass(frozen=True)
class _Found:
    """The outcome of one search."""

    nodes: Mapping[DHTID, PeerID]
    watched: frozenset[DHTID]
    """Nodes among them that the routing table has, which drops them once they do not answer."""
    until: float
    are_all: bool
    """True if the swarm has no other nodes, so that they are nearest to every key."""


class KnownReplicas:
    """The nodes nearest to the keys that one DHT node reads and stores."""

    def __init__(
        self, node: Any, entrances: Sequence[PeerID] = (), clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Search through ``node``.

        Args:
            node: hivemind's DHT node, as it is now.
            entrances: the peers by which the node entered the swarm.
            clock: gives monotonic seconds.
        """
        self._node, self._entrances, self._clock = node, entrances, clock
        self._search: Callable[..., Awaitable[dict[DHTID, _Nodes]]] = node.find_nearest_nodes
        self._found: dict[DHTID, _Found] = {}
        self._whole: _Found | None = None
        self._searching: dict[DHTID, asyncio.Task[_Found]] = {}

    async def of(self, key: DHTID) -> _Nodes:
        """Return the other nodes nearest to ``key``, the nearest first, without those that lately did not answer.

        Only so many keep the records as the node has replicas made; the rest take the place of those that are gone.
        """
        found = self._whole or self._found.get(key)
        if found is None or not self._holds(found, key):
            found = await asyncio.shield(self._search_under_way(key))
        able = {item: peer for item, peer in found.nodes.items() if peer not in self._node.blacklist}
        return {item: able[item] for item in sorted(able, key=key.xor_distance)}

    def entrance_of(self, key: DHTID) -> tuple[DHTID, PeerID] | None:
        """Return the entrance nearest to ``key``, the same for all peers that entered by the same ones.

        None if none is known to answer: the node is itself the only entrance, or the others are gone.
        """
        table, blacklist = self._node.protocol.routing_table, self._node.blacklist
        met = ((table.get(peer_id=peer), peer) for peer in self._entrances if peer not in blacklist)
        able = [(item, peer) for item, peer in met if item is not None and item != self._node.node_id]
        return min(able, key=lambda found: key.xor_distance(found[0]), default=None)

    async def find_nearest_nodes(
        self,
        queries: Collection[DHTID],
        *,
        node_to_peer_id: _Nodes | None = None,
        found_callback: Callable[[DHTID, list[DHTID], set[DHTID]], Awaitable[None]] | None = None,
        **options: Any,
    ) -> dict[DHTID, _Nodes]:
        """Find the nodes nearest to some keys, as hivemind's method does: by a search, unless it is for a store.

        Args:
            queries: the keys.
            node_to_peer_id: the nodes with which a search begins; those that were found are added to it.
            found_callback: called with a key, the nodes nearest to it and those that were asked; a store gives one.
            options: hivemind's further arguments, for a search.
        """
        if found_callback is None:
            return await self._search(queries, node_to_peer_id=node_to_peer_id, **options)
        nearest = {key: await self.of(key) for key in queries}
        for key, nodes in nearest.items():
            if node_to_peer_id is not None:
                node_to_peer_id.update(nodes)
            await found_callback(key, list(nodes), set())
        return nearest

    def _holds(self, found: _Found, key: DHTID) -> bool:
        """Return false once what was found is old, one of the nodes is gone, or a nearer one has come."""
        table = self._node.protocol.routing_table
        if self._clock() >= found.until or not all(item in table for item in found.watched):
            return False
        near = table.get_nearest_neighbors(key, self._node.num_replicas, exclude=self._node.node_id)
        return all(item in found.nodes or peer in self._node.blacklist for item, peer in near)

    def _search_under_way(self, key: DHTID) -> "asyncio.Task[_Found]":
        """Return the search for the nodes of ``key``, which begins unless there is one.

        It goes on if no look waits for it any longer. The next look needs what it finds, and hivemind's workers leave
        errors in the log if they are cancelled.
        """
        if key not in self._searching:
            self._searching[key] = search = asyncio.create_task(self._look(key))
            search.add_done_callback(lambda done: self._end_search(key, done))
        return self._searching[key]

    def _end_search(self, key: DHTID, search: "asyncio.Task[_Found]") -> None:
        del self._searching[key]
        if not search.cancelled():
            search.exception()  # else asyncio logs the error of one for which none waits

    async def _look(self, key: DHTID) -> _Found:
        """Search for a neighbour of ``key``: the same nodes are nearest to it, and no records lie under it."""
        beside = DHTID(int(key) ^ 1)
        met = (await self._search([beside], exclude_self=True))[beside]
        nodes = {item: peer for item, peer in met.items() if peer not in self._node.blacklist}
        watched = frozenset(item for item in nodes if item in self._node.protocol.routing_table)
        are_all = len(met) < self._node.protocol.bucket_size
        until = self._clock() + (_HELD_SECONDS if are_all else _HELD_SECONDS_OF_MANY)
        found = _Found(nodes, watched, until, are_all)
        self._whole = found if are_all else None
        now, kept = self._clock(), {} if are_all else {**self._found, key: found}
        self._found = {item: earlier for item, earlier in kept.items() if now < earlier.until}
        return found
