"""A call between DHT nodes: the caller leaves a record of its own under a key, and gets those that it does not know.

hivemind has two calls for that, of which one answers with all records each time: about 1.4 kB a peer of the swarm.
And each call costs 0.5 kB each way, whatever it carries, as libp2p opens a stream for it. Answers are compressed for
callers that can read that: keys and signatures are text by base64, and records repeat each other's names and digests.
"""

import hashlib
import random
import struct
import zlib
from collections.abc import Collection, Iterable, Iterator
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
_LIST_BYTES = 8
"""Bytes at most of the head of a packed list."""
_COMPRESSED = dht_pb2.ResultType.FOUND_DICTIONARY
"""Type of the one result of a compressed answer; in others results have none."""
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


def asking(key: DHTID) -> dht_pb2.StoreRequest:
    """Return the beginning of a request about ``key`` by a caller that reads compressed answers.

    ``in_cache`` says so: these calls have no other use for that field, and nodes of older programs do not look at it.
    """
    return dht_pb2.StoreRequest(keys=[key.to_bytes()], in_cache=[True])


def question(
    key: DHTID, known: Collection[KeptRecord] | None, own: KeptRecord | None = None
) -> dht_pb2.StoreRequest:
    """Return the request for the records under ``key`` without those in ``known``; it leaves the record ``own``.

    None for ``known`` asks for no records.
    """
    request = asking(key)
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
    given, left = list[KeptRecord](), _MOST_ANSWERED
    lacking = [entry for entry in entries_of(item) if digest_of(entry) not in known]
    for entry in random.sample(
        lacking, len(lacking)
    ):  # else a stranger's many records would hide all later ones
        if (left := left - len(_dumps(list(entry)))) < 0:
            break
        given.append(entry)
    return response_of(given, request)


def response_of(entries: Iterable[KeptRecord], request: dht_pb2.StoreRequest) -> dht_pb2.FindResponse:
    """Return the answer that carries ``entries`` to the caller of ``request``, compressed if it can read that."""
    items = [list(entry) for entry in entries]
    if not items:
        return dht_pb2.FindResponse()
    if any(request.in_cache):
        packed = zlib.compress(_dumps(items))
        return dht_pb2.FindResponse(results=[dht_pb2.FindResult(type=_COMPRESSED, value=packed)])
    return dht_pb2.FindResponse(
        results=[dht_pb2.FindResult(value=_dumps(item), expiration_time=item[2]) for item in items]
    )


def entries_in(response: dht_pb2.FindResponse) -> Iterator[KeptRecord]:
    """Yield the records in ``response``, which are not checked yet; raises ValueError if one is malformed."""
    for found in _plain(response):
        if not isinstance(found, list) or len(found) != 3:
            raise ValueError("a record is a subkey, a value and an expiration")
        subkey, value, expiration = found
        if not isinstance(value, bytes) or not isinstance(expiration, float):
            raise ValueError("a value is bytes, an expiration a number of seconds")
        yield subkey, value, expiration


def _plain(response: dht_pb2.FindResponse) -> Iterator[Any]:
    """Yield the plain values of the records in ``response``; raise ValueError if they can't be unpacked."""
    if not any(result.type == _COMPRESSED for result in response.results):
        yield from (_loads(result.value) for result in response.results)
        return
    if len(response.results) > 1:  # each could grow to a thousand times its size
        raise ValueError("a compressed answer is one result")
    found = _loads(_unpacked(response.results[0].value))
    if not isinstance(found, list):
        raise ValueError("a compressed answer is a list of records")
    yield from found


def _unpacked(packed: bytes) -> bytes:
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(packed, _MOST_ANSWERED + _LIST_BYTES)
    except zlib.error as error:
        raise ValueError("it is not compressed") from error
    if not stream.eof:
        raise ValueError("it is cut off, or larger than any answer")
    return plain


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
