"""Every message that hivemind reads or writes: bounded in memory, and in an averager's process counted and capped.

It notes which of a peer's streams go by UDP (QUIC), too: the system does not tell what their connections pass.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any
from weakref import WeakSet

from hivemind.p2p import P2P

from core.swarm.bandwidth import Line, ProcessLimiter, StreamPace, Way

_Handler = Callable[[Any, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
_by_udp: WeakSet[object] = WeakSet()
"""Both ends of those streams of this process that go by UDP."""
_open_stream, _add_handler = P2P.call_binary_stream_handler, P2P.add_binary_stream_handler


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
    info, reader, writer = await _open_stream(self, peer_id, handler_name)
    note_stream(info, reader, writer)
    return info, reader, writer


async def _add_noting(self: P2P, name: str, handler: _Handler, balanced: bool = False) -> None:
    async def noting(info: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        note_stream(info, reader, writer)
        await handler(info, reader, writer)

    await _add_handler(self, name, noting, balanced)


def note_transports() -> None:
    """Make this process note the transport of each of its streams from now on."""
    P2P.call_binary_stream_handler, P2P.add_binary_stream_handler = _opened, _add_noting


MAX_FRAME_BYTES = 4 * 2**20
"""Largest message accepted, in bytes.

It is well above a part (512 KiB) and a chunk of state (64 KiB). libp2p bounds unary calls to as much.
"""


class OversizedFrame(ValueError):
    """A peer announced a message larger than any that the protocol has; its stream is closed."""


class Pulse:
    """The time at which data of a peer's message last arrived; time for which our own cap held it is no silence."""

    def __init__(self) -> None:
        """Begin now, by the time of the running event loop."""
        self._clock = asyncio.get_running_loop().time
        self._heard_at, self._held = self._clock(), 0
        self.held_seconds = 0.0
        """Seconds for which our own cap has held data back so far."""

    @property
    def silent_seconds(self) -> float:
        """Seconds since data last arrived; 0 while our own cap holds it back."""
        return 0.0 if self._held else self._clock() - self._heard_at

    def beat(self) -> None:
        """Record that data arrived now."""
        self._heard_at = self._clock()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Count the time within the context as no silence, because our own cap holds the message back."""
        self._held, began = self._held + 1, self._clock()
        try:
            yield
        finally:
            self._held -= 1
            self.held_seconds += self._clock() - began
            self.beat()


PULSE: ContextVar[Pulse] = ContextVar("pulse")
"""The pulse of a task that waits for messages: each piece of a slow peer's long message is a sign of life."""
PACE: ContextVar[StreamPace] = ContextVar("pace")
"""The pace at which a task writes messages to its stream; without one, it writes as fast as the cap allows."""
MOST_BYTES: ContextVar[int] = ContextVar("most_bytes", default=MAX_FRAME_BYTES)
"""The largest message that a task accepts, in bytes."""


async def receive_bounded(reader: asyncio.StreamReader, *, limiter: ProcessLimiter | None = None) -> bytes:
    """Read one length-prefixed message from ``reader``, as fast as the cap of ``limiter`` allows (None: no cap).

    Raises OversizedFrame before a byte of an oversized message is taken in.
    """
    length = int.from_bytes(await reader.readexactly(P2P.HEADER_LEN), P2P.BYTEORDER)
    if length > (most := MOST_BYTES.get()):
        raise OversizedFrame(f"a message of {length} bytes was announced, {most} are allowed")
    pulse, data = PULSE.get(None) or Pulse(), bytearray()
    for piece in limiter.pieces(Way.DOWN, P2P.HEADER_LEN + length) if limiter else (length,):
        if limiter:
            with (
                pulse.held()
            ):  # what is not read yet fills the buffers on the way, and those hold its sender back
                await limiter.passing(Way.DOWN, piece, by_udp=goes_by_udp(reader))
        await _fill(data, min(length, len(data) + piece), reader, pulse)
    return bytes(data)


async def _fill(data: bytearray, size: int, reader: asyncio.StreamReader, pulse: Pulse) -> None:
    while len(data) < size:
        arrived = await reader.read(size - len(data))
        if not arrived:
            raise asyncio.IncompleteReadError(bytes(data), size)
        pulse.beat()
        data += arrived


async def send_metered(
    data: bytes, writer: asyncio.StreamWriter, *, limiter: ProcessLimiter, chunk_size: int | None = None
) -> None:
    """Write ``data`` to ``writer`` as one length-prefixed message, as fast as ``limiter`` and the task's PACE allow.

    ``chunk_size`` is there for hivemind's callers, and is not used: the limiter sets the size of the pieces.
    """
    framed = memoryview(len(data).to_bytes(P2P.HEADER_LEN, P2P.BYTEORDER) + data)
    offset, pace = 0, PACE.get(None) or StreamPace(math.inf)
    for piece in limiter.pieces(Way.UP, len(framed), pace.rate):
        await pace.passing(piece)
        await limiter.passing(Way.UP, piece, by_udp=goes_by_udp(writer))
        writer.write(framed[offset : offset + piece])
        await writer.drain()
        offset += piece


def bound_frames() -> None:
    """Make hivemind read messages through ``receive_bounded``.

    hivemind 1.1 accepts any length that a stream announces (600 MiB in one frame were read), and offers no
    setting for it; its two readers of frames share this one static method.
    """
    P2P.receive_raw_data = staticmethod(receive_bounded)


def meter_frames(line: Line) -> None:
    """Count and cap all messages in the averager's process through ``line``, also of matchmaking and states.

    hivemind's writers share one static method as well.
    """
    note_transports()
    P2P.receive_raw_data = staticmethod(partial(receive_bounded, limiter=line.averager))
    P2P.send_raw_data = staticmethod(partial(send_metered, limiter=line.averager))
