"""Every message that hivemind reads or writes: bounded in memory, and in an averager's process counted and capped."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial

from hivemind.p2p import P2P

from core.swarm.bandwidth import Line, Tap, Way

MAX_FRAME_BYTES = 4 * 2**20
"""Well above a part (512 KiB) and a chunk of state (64 KiB); unary calls are bounded to as much by libp2p."""


class OversizedFrame(ValueError):
    """A peer announced a message larger than any that the protocol has; its stream is closed."""


class Pulse:
    """When something of a peer's message last came; the time for which our own cap held it back is no silence."""

    def __init__(self) -> None:
        self._heard_at, self._held = time.monotonic(), 0

    @property
    def silent_seconds(self) -> float:
        return 0.0 if self._held else time.monotonic() - self._heard_at

    def beat(self) -> None:
        self._heard_at = time.monotonic()

    @contextmanager
    def held(self) -> Iterator[None]:
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
            self.beat()


PULSE: ContextVar[Pulse] = ContextVar("pulse")
"""Set by who waits for messages: a slow peer's message takes long, and each piece of it is a sign of life."""


async def receive_bounded(reader: asyncio.StreamReader, *, tap: Tap | None = None) -> bytes:
    """Read one length-prefixed message; raises OversizedFrame before a byte of an oversized one is taken in."""
    length = int.from_bytes(await reader.readexactly(P2P.HEADER_LEN), P2P.BYTEORDER)
    if length > MAX_FRAME_BYTES:
        raise OversizedFrame(f"a message of {length} bytes was announced, {MAX_FRAME_BYTES} are allowed")
    pulse, data = PULSE.get(None) or Pulse(), bytearray()
    for piece in tap.pieces(Way.DOWN, P2P.HEADER_LEN + length) if tap else (length,):
        if tap:
            with (
                pulse.held()
            ):  # what is not read yet fills the buffers on the way, and those hold its sender back
                await tap.passing(Way.DOWN, piece)
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
    data: bytes, writer: asyncio.StreamWriter, *, tap: Tap, chunk_size: int | None = None
) -> None:
    """Write one length-prefixed message as its turns come."""
    framed = memoryview(len(data).to_bytes(P2P.HEADER_LEN, P2P.BYTEORDER) + data)
    offset = 0
    for piece in tap.pieces(Way.UP, len(framed)):
        await tap.passing(Way.UP, piece)
        writer.write(framed[offset : offset + piece])
        await writer.drain()
        offset += piece


def bound_frames() -> None:
    """Make hivemind read messages through ``receive_bounded``.

    hivemind 1.1 takes whatever length a stream announces (600 MiB in one frame were read), and offers no setting for
    it; its two readers of frames share this one static method.
    """
    P2P.receive_raw_data = staticmethod(receive_bounded)


def meter_frames(line: Line) -> None:
    """In the averager's process: also count and cap all messages, matchmaking's and states' included.

    Its writers share one static method as well.
    """
    P2P.receive_raw_data = staticmethod(partial(receive_bounded, tap=line.averager))
    P2P.send_raw_data = staticmethod(partial(send_metered, tap=line.averager))
