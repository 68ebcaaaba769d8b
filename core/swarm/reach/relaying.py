"""Relaying by libp2p: the bounds within which a peer relays for others, and how a place at a relay is reserved."""

import asyncio
import logging
import os
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import hivemind
from hivemind.p2p import P2P, PeerID
from hivemind.p2p.p2p_daemon_bindings.datastructures import StreamInfo
from hivemind.utils.multiaddr import Multiaddr

from core.errors import SwarmError
from core.messages.reach import RelayBounds
from core.swarm.reach.dialler import outgoing_daemon
from core.swarm.reach.questions import CALL_FAULTS

_log = logging.getLogger(__name__)

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
_CHECK_SECONDS = 30.0
"""Seconds in which a relay answers on its own machine, however busy that is."""
_PLACES_OF_CHECK = 1
"""Places that the check of a relay takes: one counts for half an hour, whether it is still used or not."""
_STARTS = 5
"""Starts of a relay, of which on a busy computer each may get other bounds than it should."""
COUNTED_AT = "127.0.0.1"
"""Host at which p2pd tells how many bytes it has passed on, at a port that the system chooses."""
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
    relays always relays itself, and within the bounds that it is given only if it takes itself for reachable. One
    that must not relay has no place to give, should its relay start after `refuse_to_relay`.
    """
    name = "relaying" if bounds is not None else "not relaying"
    P2P.FORCE_REACHABILITY_MAPPING[name] = {
        "forceReachabilityPublic": 1,
        "relayMaxReservations": bounds.homes + _PLACES_OF_CHECK if bounds is not None else 0,
        "relayBufferSize": _BUFFER_BYTES,
        **(_limits(bounds) if bounds is not None else {}),
    }
    return name


def _limits(bounds: RelayBounds) -> dict[str, str | int]:
    return {
        "relayMaxCircuits": bounds.connections,
        "relayDataLimit": bounds.megabytes * 1_000_000,
        "relayTimeLimit": f"{bounds.minutes}m",
        **({"metricsAddr": f"{COUNTED_AT}:0"} if bounds.gigabytes_a_day is not None else {}),
    }


@contextmanager
def one_thread(needed: bool, environment: MutableMapping[str, str] = os.environ) -> Iterator[None]:
    """Start p2pd within the context on one thread of the system if ``needed``: if it relays.

    p2pd sets up two relays, one with its options and one with small limits, and the one that starts last counts.
    With one thread that is the one with the options, unless the computer is busy; `relays_within` tells.
    ``environment`` is that of the processes to be started.
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


def first_within(
    start: Callable[[], "hivemind.DHT"], is_within: Callable[["hivemind.DHT"], bool]
) -> "hivemind.DHT":
    """Start a relay until it keeps to its bounds, and return it.

    Args:
        start: starts the DHT node of a relay.
        is_within: tells whether it relays within the bounds that it was given.

    Raises:
        SwarmError: it never did.
    """
    for _ in range(_STARTS):
        dht = start()
        if is_within(dht):
            return dht
        _log.warning("The libp2p daemon relays within other bounds than it was given, and is started again.")
        dht.shutdown()
    raise SwarmError(
        f"The libp2p daemon was started {_STARTS} times, and never relayed within the given bounds.",
        "Start it again while the computer is less busy: homes without an open port need it as a relay.",
    )


def relays_within(dht: "hivemind.DHT", bounds: RelayBounds, listen: Sequence[str]) -> bool:
    """Return false if the libp2p daemon of ``dht`` relays within other bounds than these.

    A short-lived daemon asks it for a place, as a home would. True as well if that can't be found out.

    Args:
        dht: a DHT node that has started.
        bounds: the bounds that it was started with.
        listen: multiaddresses on which it listens.
    """
    try:
        passed: int = dht.run_coroutine(partial(_asked_for_place, addresses=_on_this_machine(listen)))
    except CALL_FAULTS as error:
        _log.warning("The relay's bounds could not be checked: %r", error)
        return True
    return passed == bounds.megabytes * 1_000_000


def _on_this_machine(listen: Sequence[str]) -> tuple[Multiaddr, ...]:
    """Return the addresses at which a daemon that listens so is reached from its own machine."""
    own = (
        each.replace("/ip4/0.0.0.0/", "/ip4/127.0.0.1/").replace("/ip6/::/", "/ip6/::1/") for each in listen
    )
    return tuple(Multiaddr(each) for each in own if "/tcp/0" not in each)


async def _asked_for_place(_: "hivemind.DHT", node: Any, *, addresses: Sequence[Multiaddr]) -> int:
    return await asked_for_place(node.p2p, addresses)


async def asked_for_place(relay: P2P, addresses: Sequence[Multiaddr] = ()) -> int:
    """Reserve a place at a relay of this process by a short-lived daemon, and return the bytes as `reserve` does.

    The relay is reached at its ``addresses``, besides those that it tells others.
    """
    _, visible = await relay._client.identify()
    async with outgoing_daemon() as caller, asyncio.timeout(_CHECK_SECONDS):
        await caller._client.connect(relay.peer_id, [*addresses, *visible])
        return await reserve(caller, relay.peer_id, _CHECK_SECONDS)


def refuse_to_relay(dht: "hivemind.DHT") -> None:
    """Take from the libp2p daemon of ``dht`` its handler of relay requests; returns once that is done.

    What registers a handler under its name replaces it, and no handler is left when that is removed.
    """
    dht.run_coroutine(_without_relay)


async def _without_relay(_: "hivemind.DHT", node: Any) -> None:
    await node.p2p._client.stream_handler(HOP, _refuse)
    await node.p2p._client.remove_stream_handler(HOP)


async def _refuse(_: StreamInfo, __: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with closing(writer):
        pass


async def reserve(p2p: P2P, relay: PeerID, seconds: float) -> int:
    """Reserve a place at a relay, or renew it, and return the bytes that each connection may pass; 0: any.

    Args:
        p2p: the libp2p daemon of this peer, which is connected to the relay.
        relay: id of the relay.
        seconds: time for the answer.

    Raises:
        RelayRefused: the relay has no place for this peer.
        ValueError: the answer is malformed.
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
