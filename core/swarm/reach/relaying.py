"""Relaying by libp2p: the bounds within which a peer relays for others, and how a place at a relay is reserved."""

import asyncio
import os
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from hivemind.p2p import P2P, PeerID

from core.messages.reach import RelayBounds

HOP = "/libp2p/circuit/relay/0.2.0/hop"
"""Name of libp2p's own handler, by which a relay takes requests."""
_RESERVE = bytes([2, 8, 0])
"""A hop message of two bytes: its type (field 1) is RESERVE (0)."""
_STATUS, _LIMIT, _LIMIT_BYTES = 5, 4, 2
"""Fields of the answer: the status, the limit, and the limit's bytes."""
_OK = 100
_LARGEST = 4096
"""Bytes of an answer, at most; one with two addresses takes 350."""
_P2P, _CIRCUIT = b"\xa5\x03", b"\xa2\x02"
"""Codes in a multiaddress: of a peer's id, and of a connection through that peer."""
_THREADS = "GOMAXPROCS"
_BUFFER_BYTES = 1 << 16
"""Bytes of a relay's buffer, of which each connection has two; p2pd's own default is 16 MiB."""


class RelayRefused(OSError):
    """A relay did not reserve a place."""


@dataclass(frozen=True)
class CircuitAddress:
    """The multiaddress of a connection through a relay that this peer is connected to, as libp2p encodes it.

    hivemind's own encodes the id of a peer in a way that p2pd refuses.
    """

    relay: PeerID

    def to_bytes(self) -> bytes:
        """Return the address as p2pd reads it."""
        name: bytes = self.relay.to_bytes()
        return _P2P + bytes([len(name)]) + name + _CIRCUIT


def reachability_option(bounds: RelayBounds | None) -> str:
    """Return the value of hivemind's ``force_reachability`` by which a daemon relays within ``bounds``; None: never.

    hivemind passes no such options on, except those that belong to that value. A daemon that can connect through
    relays always relays itself, and within the bounds that it is given only if it takes itself for reachable. So one
    that must not relay is one that has no place to give.
    """
    name = "relaying" if bounds is not None else "not relaying"
    P2P.FORCE_REACHABILITY_MAPPING[name] = {
        "forceReachabilityPublic": 1,
        "relayMaxReservations": bounds.homes if bounds is not None else 0,
        "relayBufferSize": _BUFFER_BYTES,
        **(_limits(bounds) if bounds is not None else {}),
    }
    return name


def _limits(bounds: RelayBounds) -> dict[str, str | int]:
    return {
        "relayMaxCircuits": bounds.connections,
        "relayDataLimit": bounds.megabytes * 1_000_000,
        "relayTimeLimit": f"{bounds.minutes}m",
    }


@contextmanager
def one_thread(needed: bool, environment: MutableMapping[str, str] = os.environ) -> Iterator[None]:
    """Start p2pd within the context on one thread of the system if ``needed``: if it has to do with relays.

    p2pd sets up two relays, one with its options and one with small limits, and the one that starts last counts.
    With one thread that is always the one with the options. ``environment`` is that of the processes to be started.
    """
    before = dict(environment)
    if needed:
        environment[_THREADS] = "1"
    try:
        yield
    finally:
        if _THREADS in before:
            environment[_THREADS] = before[_THREADS]
        else:
            environment.pop(_THREADS, None)


async def reserve(p2p: P2P, relay: PeerID, seconds: float) -> int:
    """Reserve a place at a relay, or renew it, and return the bytes that each connection may pass; 0: any.

    Args:
        p2p: the libp2p daemon of this peer, which is connected to the relay.
        relay: id of the relay.
        seconds: time for the answer.

    Raises:
        RelayRefused: the relay has no place for this peer.
        P2PDaemonError: the relay can't be reached, or doesn't relay; so are the other errors in CALL_FAULTS.
    """
    async with asyncio.timeout(seconds):
        _, reader, writer = await p2p._client.stream_open(relay, [HOP])
        try:
            writer.write(_RESERVE)
            await writer.drain()
            answer = await _receive(reader)
        finally:
            writer.close()
    fields = dict(fields_of(answer))
    if fields.get(_STATUS) != _OK:
        raise RelayRefused(f"The relay answered with the status {fields.get(_STATUS)}.")
    limit = fields.get(_LIMIT, b"")
    return int(dict(fields_of(limit)).get(_LIMIT_BYTES, 0)) if isinstance(limit, bytes) else 0


async def _receive(reader: asyncio.StreamReader) -> bytes:
    size = shift = 0
    while True:
        byte = (await reader.readexactly(1))[0]
        size |= (byte & 0x7F) << shift
        shift += 7
        if size > _LARGEST or shift > 21:
            raise ValueError(f"A relay's answer of {size} bytes is too large.")
        if not byte & 0x80:
            return await reader.readexactly(size)


def fields_of(message: bytes) -> Iterator[tuple[int, Any]]:
    """Yield the fields of a protobuf message: numbers, and bytes; raises ValueError if it is none."""
    at = 0
    while at < len(message):
        tag, at = _number(message, at)
        value, at = _number(message, at)
        if tag & 7 == 2:
            if at + value > len(message):
                raise ValueError("A relay's answer ends within a field.")
            yield tag >> 3, message[at : at + value]
            at += value
        elif tag & 7 == 0:
            yield tag >> 3, value
        else:
            raise ValueError("A relay's answer has a field of an unknown kind.")


def _number(message: bytes, at: int) -> tuple[int, int]:
    """Return the variable-length number at that place, and the place behind it."""
    value = shift = 0
    while at < len(message) and shift <= 63:
        byte = message[at]
        value, at, shift = value | (byte & 0x7F) << shift, at + 1, shift + 7
        if not byte & 0x80:
            return value, at
    raise ValueError("A relay's answer ends within a number.")
