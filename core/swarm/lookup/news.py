"""A call between DHT nodes: the caller leaves a record of its own under a key, and gets those that it does not know.

hivemind has two calls for that, of which one answers with all records each time: about 1.4 kB a peer of the swarm.
And each call costs 0.5 kB each way, whatever it carries, as libp2p opens a stream for it.
"""

import hashlib
import random
import struct
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

from hivemind.dht import DHTID, protocol
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.routing import BinaryDHTValue, Subkey
from hivemind.dht.storage import DictionaryDHTValue
from hivemind.p2p import P2PContext, ServicerBase
from hivemind.proto import dht_pb2
from hivemind.utils.auth import AuthRole

_DIGEST_BYTES = 8
_MOST_KNOWN = 8192
"""Records that a caller says it knows; of more than that, some come again."""
_MOST_ANSWERED = 1 << 20
"""Bytes of records in one answer; the caller gets others when it asks again."""
_loads, _dumps = DHTProtocol.serializer.loads, DHTProtocol.serializer.dumps
KeptRecord = tuple[Subkey | None, BinaryDHTValue, float]
"""A record as it is kept: its subkey (None for a key's only value), its bytes with signature, its expiration."""


def entries_of(item: Any) -> Iterator[KeptRecord]:
    """Yield the records in ``item``, a value with its expiration out of a DHT node's storage; None has none."""
    if item is None:
        return
    if not isinstance(item.value, DictionaryDHTValue):
        yield None, item.value, item.expiration_time
        return
    for subkey, entry in item.value.items():
        yield subkey, entry.value, entry.expiration_time


def digest_of(entry: KeptRecord) -> bytes:
    """Return the digest by which two nodes agree that both know the record ``entry``."""
    subkey, value, expiration = entry
    text = b"".join((_dumps(subkey), struct.pack("<d", expiration), value))
    return hashlib.blake2b(text, digest_size=_DIGEST_BYTES).digest()


def question(
    key: DHTID, known: Collection[KeptRecord] | None, own: KeptRecord | None = None
) -> dht_pb2.StoreRequest:
    """Return the request for the records under ``key`` without those in ``known``; it leaves the record ``own``.

    None for ``known`` asks for no records.
    """
    request = dht_pb2.StoreRequest(keys=[key.to_bytes()])
    if known is not None:
        request.keys.append(b"".join(map(digest_of, islice(known, _MOST_KNOWN))))
    if own is not None:
        subkey, value, expiration = own
        request.subkeys.append(_dumps(subkey))
        request.values.append(value)
        request.expiration_time.append(expiration)
    return request


def answer_to(request: dht_pb2.StoreRequest, item: Any) -> dht_pb2.FindResponse:
    """Return the answer to ``request`` out of ``item``, what a node keeps under the key in it."""
    if len(request.keys) == 1:
        return dht_pb2.FindResponse()
    told = request.keys[1]
    known = {told[at : at + _DIGEST_BYTES] for at in range(0, len(told), _DIGEST_BYTES)}
    results, left = [], _MOST_ANSWERED
    lacking = [entry for entry in entries_of(item) if digest_of(entry) not in known]
    for entry in random.sample(
        lacking, len(lacking)
    ):  # else a stranger's many records would hide all later ones
        subkey, value, expiration = entry
        packed = _dumps([subkey, value, expiration])
        if (left := left - len(packed)) < 0:
            break
        results.append(dht_pb2.FindResult(value=packed, expiration_time=expiration))
    return dht_pb2.FindResponse(results=results)


def entries_in(response: dht_pb2.FindResponse) -> Iterator[KeptRecord]:
    """Yield the records in ``response``, which are not checked yet; raises ValueError if one is malformed."""
    for result in response.results:
        found = _loads(result.value)
        if not isinstance(found, list) or len(found) != 3:
            raise ValueError("a record is a subkey, a value and an expiration")
        subkey, value, expiration = found
        if not isinstance(value, bytes) or not isinstance(expiration, float):
            raise ValueError("a value is bytes, an expiration a number of seconds")
        yield subkey, value, expiration


class NewsService(ServicerBase):
    """Answers other nodes out of the records that one DHT node keeps."""

    def __init__(self, protocol: DHTProtocol) -> None:
        """Answer out of the storage of ``protocol``."""
        self._protocol = protocol

    async def rpc_news(self, request: dht_pb2.StoreRequest, context: P2PContext) -> dht_pb2.FindResponse:
        """Keep the record that a caller leaves, if it does, and return those under its key that the caller lacks.

        Args:
            request: the key, the digests of the records that the caller knows (nothing if it wants none), and at
                most one record of its own.
            context: the caller.

        Raises ValueError if the request is malformed.
        """
        if len(request.keys) not in (1, 2) or len(request.keys[-1]) > _MOST_KNOWN * _DIGEST_BYTES:
            raise ValueError("a question is a key and the digests of what is known")
        if request.values:
            left = dht_pb2.StoreRequest(
                keys=request.keys[:1],
                subkeys=request.subkeys,
                values=request.values,
                expiration_time=request.expiration_time,
                in_cache=[False],
            )
            await self._protocol.rpc_store(left, context)
        await self._protocol.rpc_ping(
            dht_pb2.PingRequest(peer=request.peer), context
        )  # it is a neighbour from now on
        return answer_to(request, self._protocol.storage.get(DHTID.from_bytes(request.keys[0])))


async def serve_news(protocol_: DHTProtocol, p2p: Any) -> None:
    """Let others ask the node of ``protocol_`` over ``p2p``, if they reach it."""
    if not protocol_.client_mode:
        service = NewsService(protocol_)
        guarded = protocol.AuthRPCWrapper(service, AuthRole.SERVICER, protocol_.authorizer)
        await service.add_p2p_handlers(p2p, guarded)
