"""A bound on what one message from a stranger can make us hold in memory."""

import asyncio

from hivemind.p2p import P2P

MAX_FRAME_BYTES = 4 * 2**20
"""Well above a part (512 KiB) and a chunk of state (64 KiB); unary calls are bounded to as much by libp2p."""


class OversizedFrame(ValueError):
    """A peer announced a message larger than any that the protocol has; its stream is closed."""


async def receive_bounded(reader: asyncio.StreamReader) -> bytes:
    """Read one length-prefixed message; raises OversizedFrame before a byte of an oversized one is taken in."""
    length = int.from_bytes(await reader.readexactly(P2P.HEADER_LEN), P2P.BYTEORDER)
    if length > MAX_FRAME_BYTES:
        raise OversizedFrame(f"a message of {length} bytes was announced, {MAX_FRAME_BYTES} are allowed")
    return await reader.readexactly(length)


def bound_frames() -> None:
    """Make hivemind read messages through ``receive_bounded``.

    hivemind 1.1 takes whatever length a stream announces (600 MiB in one frame were read), and offers no setting for
    it; its two readers of frames share this one static method.
    """
    P2P.receive_raw_data = staticmethod(receive_bounded)
