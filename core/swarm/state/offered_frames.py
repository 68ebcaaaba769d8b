"""Frames of the time-lapse: given by the peer that announced them, and fetched from it."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from hivemind.proto import averaging_pb2

from core.storage.files import read_bounded
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.records import LARGEST_FRAME, FrameRecord
from core.swarm.wire.streams import messages

_OFFERED = 64
_CHUNK_BYTES = 1 << 16
_MAX_READERS = 4
"""Frames given at a time: more would only make all of them slow."""


class OfferedFrames:
    """The newest frames of this peer, by their digests; it gives no other file."""

    def __init__(self) -> None:
        self._files: OrderedDict[bytes, Path] = OrderedDict()
        self._readers = 0

    def offer(self, digest: bytes, file: Path) -> None:
        """Give ``file`` from now on, as long as ``digest`` is the SHA-256 of its bytes; drop the oldest offers."""
        self._files[digest] = file
        while len(self._files) > _OFFERED:
            self._files.popitem(last=False)

    async def serve(self, digest: bytes) -> AsyncIterator[averaging_pb2.DownloadData]:
        """Yield the frame with this SHA-256 ``digest`` in chunks.

        Yields nothing if it was not offered, its file has changed or is gone, or too many frames are given
        now.
        """
        file = self._files.get(digest)
        if file is None or self._readers >= _MAX_READERS:
            return
        self._readers += 1
        try:
            data = await asyncio.to_thread(_read, file, digest)
            for start in range(0, len(data), _CHUNK_BYTES):
                yield averaging_pb2.DownloadData(metadata=data[start : start + _CHUNK_BYTES])
        finally:
            self._readers -= 1


def _read(file: Path, digest: bytes) -> bytes:
    """Return the file's bytes; none if they do not have that digest."""
    try:
        data = read_bounded(file, LARGEST_FRAME)
    except (OSError, ValueError):
        return b""
    return data if hashlib.sha256(data).digest() == digest else b""


async def fetch_frame(record: FrameRecord, stub: Any, *, silence_seconds: float) -> bytes:
    """Return the file that ``record`` announces, fetched through the RPC ``stub`` of its peer.

    It is a stranger's file: never show it to anyone as it is (see `core.generation.frames.repainted`). Raises
    MalformedPart if it differs from the record, and PeerLost if the call ends badly or is silent for
    ``silence_seconds``.
    """
    call = stub.rpc_fetch_frame(averaging_pb2.AveragingData(group_id=record.frame))
    data = bytearray()
    async for message in messages(call, silence_seconds=silence_seconds):
        data += message.metadata
        if not message.metadata or len(data) > record.size:
            raise MalformedPart("A frame is larger than its peer announced, or has no end.")
    if len(data) != record.size or hashlib.sha256(data).digest() != record.frame:
        raise MalformedPart("A frame does not match what its peer announced.")
    return bytes(data)
