"""A node believes ids of nodes that follow from their peers, whoever names them."""

import asyncio
from collections.abc import Collection
from types import SimpleNamespace
from typing import Any

from hivemind.dht import DHTID
from hivemind.p2p import PeerID

from core.swarm.lookup.node_ids import believe_own_ids, node_id_of
from tests.core.swarm.builders import peer_bytes

ADA, BOB, EVE = (PeerID(peer_bytes(number)) for number in range(3))
KEY, OTHER = DHTID.generate(), DHTID.generate()
Found = dict[DHTID, tuple[Any, dict[DHTID, PeerID]]]


class NamingProtocol(SimpleNamespace):
    """The calls of a node, of which another one names nodes, and what gets into the routing table."""

    def __init__(self, found: Found | None = None) -> None:
        super().__init__()
        self.table: list[tuple[DHTID | None, PeerID, bool]] = []
        self._found = found
        believe_own_ids(self)

    async def call_find(self, peer: PeerID, keys: Collection[DHTID]) -> Found | None:
        return self._found

    async def update_routing_table(
        self, node_id: DHTID | None, peer_id: PeerID, responded: bool = True
    ) -> None:
        self.table.append((node_id, peer_id, responded))


def test_ids_differ_and_follow_from_the_peer_alone() -> None:
    assert len({node_id_of(peer) for peer in (ADA, BOB, EVE)}) == 3
    assert node_id_of(ADA) == node_id_of(PeerID(ADA.to_bytes()))


def test_nodes_that_are_named_under_other_ids_are_passed_over() -> None:
    beside = DHTID(int(KEY) ^ 1)
    honest = {node_id_of(ADA): ADA, node_id_of(EVE): EVE}
    protocol = NamingProtocol({KEY: ("value", {beside: EVE, **honest}), OTHER: (None, {beside: BOB})})
    found = asyncio.run(protocol.call_find(EVE, [KEY, OTHER]))
    assert found == {KEY: ("value", honest), OTHER: (None, {})}
    assert asyncio.run(NamingProtocol(None).call_find(EVE, [KEY])) is None


def test_the_routing_table_takes_nodes_under_their_own_ids() -> None:
    protocol, beside = NamingProtocol(), DHTID(int(KEY) ^ 1)

    async def meet() -> None:
        await protocol.update_routing_table(beside, EVE)
        await protocol.update_routing_table(node_id_of(ADA), ADA, responded=True)
        await protocol.update_routing_table(None, BOB)  # one that is in the table already
        await protocol.update_routing_table(beside, EVE, responded=False)  # one that is to leave it

    asyncio.run(meet())
    assert protocol.table == [(node_id_of(ADA), ADA, True), (None, BOB, True), (beside, EVE, False)]
