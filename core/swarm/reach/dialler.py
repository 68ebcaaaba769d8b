"""Short-lived libp2p daemons of their own: one finds out whether another peer can be connected to."""

import asyncio
import logging
import os
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hivemind.p2p import P2P, P2PDaemonError, PeerID
from hivemind.proto import crypto_pb2
from hivemind.utils.multiaddr import Multiaddr

_log = logging.getLogger(__name__)

_DIAL_SECONDS = 5.0
"""Seconds in which a peer has to accept a connection; a packet that a router drops has no answer at all."""


class DialDaemon(P2P):
    """A libp2p daemon that takes part in nothing: it has no DHT, through which it could be led to others."""

    DHT_MODE_MAPPING: ClassVar[dict[str, dict[str, int]]] = {"none": {}}


@asynccontextmanager
async def dial_daemon(**options: Any) -> AsyncIterator[P2P]:
    """Run a libp2p daemon without DHT, AutoNAT and relays; ``options`` are further ones of ``P2P.create``."""
    p2p = await DialDaemon.create(dht_mode="none", auto_nat=False, use_relay=False, **options)
    try:
        yield p2p
    finally:
        await p2p.shutdown()


@asynccontextmanager
async def outgoing_daemon() -> AsyncIterator[P2P]:
    """Run a libp2p daemon like `dial_daemon` that only connects to others, under an identity of its own."""
    with _passing_identity() as identity:
        async with dial_daemon(
            host_maddrs=None, no_listen=True, nat_port_map=False, identity_path=str(identity)
        ) as p2p:
            yield p2p


async def connectable(peer: PeerID, host: str, ports: Sequence[int]) -> list[int]:
    """Return those of the ``ports`` at which the ``peer`` accepts connections.

    ``host`` is the beginning of its address, as "/ip4/11.0.0.7". All ports are tried at the same time.
    """
    found = await asyncio.gather(*(_connects(peer, f"{host}/tcp/{port}") for port in ports))
    return [port for port, connects in zip(ports, found, strict=True) if connects]


async def _connects(peer: PeerID, address: str) -> bool:
    """Return true if a new daemon can connect to the ``peer`` at that very ``address``.

    It is a new one each time: a daemon that had been connected to the peer would also try all addresses that the
    peer had named, which might be those of a stranger.
    """
    async with outgoing_daemon() as p2p:
        try:
            async with asyncio.timeout(_DIAL_SECONDS):
                await p2p._client.connect(peer, [Multiaddr(address)])
                connected = {str(item) for other in await p2p.list_peers() for item in other.addrs}
        except (P2PDaemonError, OSError, TimeoutError) as error:
            _log.debug("%s is not reached at %s: %s", peer, address, error)
            return False
    return address in connected


class _passing_identity:  # noqa: N801 - used like a function
    """A file with a new key of a kind that takes no time to make, unlike libp2p's own RSA keys."""

    def __enter__(self) -> Path:
        handle, name = tempfile.mkstemp(prefix="idlebrush-dial-")
        self._path = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(_private_key())
        return self._path

    def __exit__(self, *_: object) -> None:
        self._path.unlink(missing_ok=True)


def _private_key() -> bytes:
    """Return a new Ed25519 key as libp2p stores it: the secret and the public half."""
    key = Ed25519PrivateKey.generate()
    raw = serialization.Encoding.Raw
    secret = key.private_bytes(raw, serialization.PrivateFormat.Raw, serialization.NoEncryption())
    public = key.public_key().public_bytes(raw, serialization.PublicFormat.Raw)
    message = crypto_pb2.PrivateKey(key_type=crypto_pb2.KeyType.Ed25519, data=secret + public)
    return bytes(message.SerializeToString())
