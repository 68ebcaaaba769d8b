"""Tells which of a peer's streams go by UDP (QUIC): the system does not tell what their connections pass."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakSet

from hivemind.p2p import P2P

_Handler = Callable[[Any, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
_by_udp: WeakSet[object] = WeakSet()
"""Both ends of those streams in this process."""
_open, _add = P2P.call_binary_stream_handler, P2P.add_binary_stream_handler


def goes_by_udp(end: object) -> bool:
    """Return true if the stream goes by UDP of which ``end`` is the reader or the writer, or a `PatientWriter`."""
    return getattr(end, "stream", end) in _by_udp


def note_stream(info: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Take note of a stream with its ``reader`` and its ``writer``; ``info`` is what libp2p's daemon says of it.

    A stream through a relay goes by what leads to the relay.
    """
    if "/udp/" in str(info.addr):
        _by_udp.update((reader, writer))


async def _opened(
    self: P2P, peer_id: Any, handler_name: str
) -> tuple[Any, asyncio.StreamReader, asyncio.StreamWriter]:
    info, reader, writer = await _open(self, peer_id, handler_name)
    note_stream(info, reader, writer)
    return info, reader, writer


async def _add_noting(self: P2P, name: str, handler: _Handler, balanced: bool = False) -> None:
    async def noting(info: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        note_stream(info, reader, writer)
        await handler(info, reader, writer)

    await _add(self, name, noting, balanced)


def note_transports() -> None:
    """Make this process note the transport of each of its streams from now on."""
    P2P.call_binary_stream_handler, P2P.add_binary_stream_handler = _opened, _add_noting
