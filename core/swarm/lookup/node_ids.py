"""Makes the id of a DHT node follow from its peer's key, and believes no other: a node's id decides what it keeps.

hivemind's nodes draw their ids, and believe what others say of the ids of third ones. Whoever names itself and its
allies as the nodes nearest to a key is given all records under it, and keeps none: nobody sees them.
"""

from collections.abc import Collection
from functools import lru_cache, wraps
from typing import Any

from hivemind.dht import DHTID
from hivemind.dht.protocol import DHTProtocol
from hivemind.p2p import PeerID


@lru_cache(maxsize=16_384)
def node_id_of(peer: PeerID) -> DHTID:
    """Return the id of the DHT node of ``peer``: a digest of the digest of its key."""
    return DHTID.generate(source=peer.to_bytes())


def believe_own_ids(protocol: DHTProtocol) -> None:
    """Make the node of ``protocol`` ignore ids of nodes that do not follow from the peers named beside them."""
    call_find, update_routing_table = protocol.call_find, protocol.update_routing_table

    @wraps(call_find)
    async def find(
        peer: PeerID, keys: Collection[DHTID]
    ) -> dict[DHTID, tuple[Any, dict[DHTID, PeerID]]] | None:
        found = await call_find(peer, keys)
        if found is None:
            return None
        return {
            key: (value, {node: other for node, other in nearest.items() if node == node_id_of(other)})
            for key, (value, nearest) in found.items()
        }

    @wraps(update_routing_table)
    async def update(node_id: DHTID | None, peer_id: PeerID, responded: bool = True) -> None:
        if node_id is None or not responded or node_id == node_id_of(peer_id):
            await update_routing_table(node_id, peer_id, responded)

    protocol.call_find, protocol.update_routing_table = find, update
