"""A program that is no peer of the swarm calls all that a peer of it answers, with whatever token it has."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import hivemind
from hivemind.dht.protocol import DHTProtocol
from hivemind.p2p import P2PDaemonError, P2PHandlerError, PeerID
from hivemind.proto import dht_pb2
from hivemind.utils.multiaddr import Multiaddr

from core.swarm.averaging.averager import GradientAverager
from core.swarm.dht import Network, start_dht
from core.swarm.wire.identity import PeerIdentity
from tests.swarms.swarm_peers import PREFIX, LoopbackPeer

_SECONDS = 8.0


class Intruder:
    """Has a libp2p daemon and a key of its own."""

    def __init__(self, identity: PeerIdentity) -> None:
        self.identity = identity
        self._dht = start_dht(Network(check_identity=False), identity, prefix="nowhere", total_epochs=1)

    def call_all(self, peer: LoopbackPeer, token: str) -> dict[str, str]:
        """Return each method's answer: an error, "answered", "hung up", or "taken in" if it takes long."""
        addresses = [str(address) for address in peer.dht.get_visible_maddrs()]
        return call_all(self._dht, peer.dht.peer_id, token, addresses)

    def call_at(self, addresses: Sequence[str], token: str, prefix: str) -> dict[str, str]:
        """The same of the peer at these addresses, which end with its id."""
        peer = PeerID.from_base58(addresses[0].rpartition("/")[2])
        return call_all(self._dht, peer, token, addresses, prefix=prefix)

    def close(self) -> None:
        self._dht.shutdown()


@contextmanager
def intruder(folder: Path) -> Iterator[Intruder]:
    made = Intruder(PeerIdentity.load_or_create(folder / "intruder"))
    try:
        yield made
    finally:
        made.close()


def call_all(
    caller: "hivemind.DHT",
    peer: PeerID,
    token: str,
    addresses: Sequence[str] = (),
    *,
    prefix: str = PREFIX,
) -> dict[str, str]:
    """Call all methods like `Intruder.call_all`, from any DHT node, which knows the peers it has met."""
    call = partial(_call_all, victim=peer.to_bytes(), addresses=addresses, token=token, prefix=prefix)
    found = caller.run_coroutine(call, return_future=True)
    answers: dict[str, str] = found.result(timeout=10 * _SECONDS)
    return answers


async def _call_all(
    dht: "hivemind.DHT", node: Any, *, victim: bytes, addresses: Sequence[str], token: str, prefix: str
) -> dict[str, str]:
    peer = PeerID(victim)
    if addresses:
        known = [Multiaddr(item).decapsulate(f"/p2p/{peer}") for item in addresses]
        await node.p2p._client.connect(peer, known)
    answers = {}
    for service, namespace in ((DHTProtocol, None), (GradientAverager, prefix)):
        service._collect_rpc_handlers()
        for handler in service._rpc_handlers:
            name = service._get_handle_name(namespace, handler.method_name)
            answers[handler.method_name] = await _call(node.p2p, peer, name, handler, token)
    return answers


async def _call(p2p: Any, peer: PeerID, name: str, handler: Any, token: str) -> str:
    request = handler.request_type()
    if isinstance(request, dht_pb2.PingRequest | dht_pb2.StoreRequest | dht_pb2.FindRequest):
        request.auth.client_access_token.signature = token.encode()
    try:
        async with asyncio.timeout(_SECONDS):
            if handler.stream_output:
                stream = await p2p.iterate_protobuf_handler(peer, name, request, handler.response_type)
                async for _ in stream:
                    return "answered"
                return "hung up"  # which tells nothing, and may overtake a refusal
            await p2p.call_protobuf_handler(peer, name, request, handler.response_type)
    except TimeoutError:
        return "taken in"  # a refusal comes at once; an answer may wait for a process that is frozen
    except ConnectionError:
        return "hung up"  # before all of the question was written
    except (P2PHandlerError, P2PDaemonError) as error:
        return str(error)
    return "answered"
