"""Attackers of the way in: bootstrap peers that lead those who ask them nowhere."""

from collections.abc import Callable
from typing import Any

from hivemind.dht import DHTID
from hivemind.dht.protocol import DHTProtocol
from hivemind.p2p import P2PContext, PeerID
from hivemind.proto import dht_pb2

from benchmarks.hostility.attackers.attacker import Attacker, again_and_again, replace
from benchmarks.hostility.seat import PeerSeat
from core.swarm.lookup.node_ids import node_id_of
from core.swarm.wire.identity import PeerIdentity

_NEAR = 16
"""Nodes that it names beside a key."""


def near(key: bytes, count: int) -> list[bytes]:
    """Return ``count`` node ids that are nearer to the DHT ``key`` than any honest node's."""
    at = int.from_bytes(key, "big")
    return [(at ^ number).to_bytes(len(key), "big") for number in range(1, count + 1)]


class FalseEntrance(Attacker):
    """Keeps nothing that it says it stored, knows no record, and says that nodes beside each key are its allies.

    Ids of nodes that do not follow from their peers should be passed over, so that most copies of a record are at
    honest nodes, and a newcomer come in through an honest entrance.
    """

    trains = False

    def __init__(self, seat: PeerSeat) -> None:
        """Ally with the other hostile peers of the swarm, by their identities on this disk."""
        super().__init__(seat)
        homes = sorted(seat.folder.glob("hostile-*/identity"))
        self._allies = [PeerIdentity.load_or_create(home).peer_id.to_bytes() for home in homes]

    def prepare(self) -> None:
        """Replace the answers of the DHT node that this process starts."""
        replace(DHTProtocol, "rpc_find", self._finding)
        replace(DHTProtocol, "rpc_store", self._storing)

    def run(self) -> None:
        """Enter, say where, and lead others astray until the process is ended."""
        dht = self.seat.enter_dht()
        self.seat.entrance.write_text("\n".join(map(str, dht.get_visible_maddrs())))
        again_and_again(lambda: None, 60.0)

    def _finding(self, _: Callable[..., Any]) -> Callable[..., Any]:
        allies = self._allies

        async def rpc_find(
            own: Any, request: dht_pb2.FindRequest, context: P2PContext
        ) -> dht_pb2.FindResponse:
            response = dht_pb2.FindResponse(results=[], peer=own.node_info)
            for key in request.keys:
                found = dht_pb2.FindResult(type=dht_pb2.NOT_FOUND)
                found.nearest_node_ids.extend(near(DHTID.from_bytes(key).to_bytes(), _NEAR))
                found.nearest_peer_ids.extend(allies[number % len(allies)] for number in range(_NEAR))
                found.nearest_node_ids.extend(node_id_of(PeerID(ally)).to_bytes() for ally in allies)
                found.nearest_peer_ids.extend(allies)
                response.results.append(found)
            return response

        return rpc_find

    def _storing(self, _: Callable[..., Any]) -> Callable[..., Any]:
        async def rpc_store(
            own: Any, request: dht_pb2.StoreRequest, context: P2PContext
        ) -> dht_pb2.StoreResponse:
            return dht_pb2.StoreResponse(store_ok=[True] * len(request.keys), peer=own.node_info)

        return rpc_store
