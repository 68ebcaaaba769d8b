"""A peer gives the frames that it told of and nothing else, and who takes them takes no more than was told."""

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

import pytest
from hivemind.proto import averaging_pb2

from core.swarm.state.offered_frames import OfferedFrames, fetch_frame
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.records import LARGEST_FRAME, FrameRecord
from core.swarm.wire.streams import PeerLost
from tests.core.swarm.builders import digest_of, peer_bytes

PICTURE = os.urandom(200_000)


def digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def frame_record(data: bytes = PICTURE, *, size: int | None = None) -> FrameRecord:
    return FrameRecord(
        peer_id=peer_bytes(0),
        epoch=10,
        parameters=digest_of("parameters"),
        frame=digest(data),
        size=len(data) if size is None else size,
    )


def offered(folder: Path, data: bytes = PICTURE) -> OfferedFrames:
    file = folder / "epoch-10.webp"
    file.write_bytes(data)
    frames = OfferedFrames()
    frames.offer(digest(data), file)
    return frames


def given(frames: OfferedFrames, wanted: bytes) -> bytes:
    async def collect() -> bytes:
        return b"".join([message.metadata async for message in frames.serve(wanted)])

    return asyncio.run(collect())


class FramePeer:
    """Answers with these chunks; ``taken`` of them were read."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks, self.taken = chunks, 0

    async def rpc_fetch_frame(self, request: Any) -> AsyncIterator[Any]:
        async def stream() -> AsyncIterator[Any]:
            for chunk in self._chunks:
                self.taken += 1
                yield averaging_pb2.DownloadData(metadata=chunk)

        return stream()


def fetched(record: FrameRecord, peer: Any) -> bytes:
    return asyncio.run(fetch_frame(record, peer, silence_seconds=1.0))


def test_a_frame_travels_in_chunks_and_arrives_whole(tmp_path: Path) -> None:
    frames = offered(tmp_path)

    async def serve() -> list[bytes]:
        return [message.metadata async for message in frames.serve(digest(PICTURE))]

    chunks = asyncio.run(serve())
    assert max(map(len, chunks)) <= 1 << 16
    assert fetched(frame_record(), FramePeer(chunks)) == PICTURE


def test_what_was_not_offered_is_not_given(tmp_path: Path) -> None:
    secret = tmp_path / "identity"
    secret.write_bytes(b"a key")
    assert not given(offered(tmp_path), digest(b"a key"))


def test_a_file_that_has_become_another_is_not_given(tmp_path: Path) -> None:
    frames = offered(tmp_path)
    (tmp_path / "epoch-10.webp").write_bytes(b"another")
    assert not given(frames, digest(PICTURE))
    (tmp_path / "epoch-10.webp").unlink()
    assert not given(frames, digest(PICTURE))


def test_a_file_that_is_too_large_is_not_given(tmp_path: Path) -> None:
    huge = b"\0" * (LARGEST_FRAME + 1)
    assert not given(offered(tmp_path, huge), digest(huge))


def test_old_offers_are_forgotten(tmp_path: Path) -> None:
    frames = offered(tmp_path)
    for number in range(64):
        frames.offer(digest_of(f"frame {number}"), tmp_path / "none")
    assert not given(frames, digest(PICTURE))


def test_a_few_are_served_at_a_time(tmp_path: Path) -> None:
    frames = offered(tmp_path)

    async def readers() -> list[bool]:
        streams = [frames.serve(digest(PICTURE)) for _ in range(5)]
        first = [await anext(stream, None) for stream in streams]
        for stream in streams:
            async for _ in stream:
                pass
        streams.append(frames.serve(digest(PICTURE)))
        return [item is not None for item in (*first, await anext(streams[-1], None))]

    assert asyncio.run(readers()) == [True, True, True, True, False, True]


@pytest.mark.parametrize(
    "chunks",
    [[], [PICTURE[:-1]], [PICTURE, b"x"], [PICTURE[:-1], b"\0"], [b""]],
    ids=["nothing", "cut short", "too long", "another byte", "empty"],
)
def test_what_is_not_the_frame_is_refused(chunks: list[bytes]) -> None:
    with pytest.raises(MalformedPart):
        fetched(frame_record(), FramePeer(chunks))


def test_no_more_is_read_than_was_announced() -> None:
    peer = FramePeer(b"\0" * 1000 for _ in range(10_000))
    with pytest.raises(MalformedPart, match="larger"):
        fetched(frame_record(size=5_000), peer)
    assert peer.taken == 6


def test_nobody_is_kept_by_a_stream_of_nothing() -> None:
    peer = FramePeer(b"" for _ in range(10_000))
    with pytest.raises(MalformedPart):
        fetched(frame_record(), peer)
    assert peer.taken == 1


def test_a_peer_that_is_gone_is_distinguished_from_one_that_lies() -> None:
    class Gone:
        async def rpc_fetch_frame(self, request: Any) -> AsyncIterator[Any]:
            raise ConnectionRefusedError("nobody is there")

    with pytest.raises(PeerLost):
        fetched(frame_record(), Gone())
