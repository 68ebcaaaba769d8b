"""Stores at a peer's DHT node whatever a test wants there, past all that our own programs check before."""

from functools import partial
from typing import Any

import hivemind
from hivemind.dht import DHTID
from hivemind.dht.crypto import RSASignatureValidator
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.validation import DHTRecord
from hivemind.p2p import PeerID

from core.swarm.wire.identity import PeerIdentity

_dumps = DHTProtocol.serializer.dumps


def signed(writer: PeerIdentity, key: str, value: Any, expiration: float) -> bytes:
    """The bytes of a record by ``writer``, with its signature, as a peer with that key would store it."""
    record = DHTRecord(DHTID.generate(source=key).to_bytes(), _dumps(writer.owner), _dumps(value), expiration)
    return bytes(RSASignatureValidator(writer.private_key).sign_value(record))


def push(
    dht: "hivemind.DHT",
    victim: PeerID,
    key: str,
    value: Any,
    *,
    expiration: float,
    writer: PeerIdentity | None = None,
    subkey: Any = None,
    in_cache: bool = False,
) -> bool:
    """Have the node of ``dht`` ask ``victim`` to store a value; return true if it did.

    It is signed by ``writer`` under its owner key, or else unsigned under ``subkey`` (None: as the key's only value).
    ``in_cache`` calls it a cached record.
    """
    packed = signed(writer, key, value, expiration) if writer is not None else _dumps(value)
    place = writer.owner if writer is not None else subkey
    work = partial(
        _push,
        victim=victim,
        key=key,
        packed=packed,
        subkey=place,
        expiration=expiration,
        in_cache=in_cache,
    )
    return bool(dht.run_coroutine(work, return_future=True).result(timeout=20))


async def _push(
    _: "hivemind.DHT",
    node: Any,
    *,
    victim: PeerID,
    key: str,
    packed: bytes,
    subkey: Any,
    expiration: float,
    in_cache: bool,
) -> bool:
    answer = await node.protocol.call_store(
        victim, [DHTID.generate(source=key)], [packed], [expiration], [subkey], [in_cache]
    )
    return bool(answer and answer[0])
