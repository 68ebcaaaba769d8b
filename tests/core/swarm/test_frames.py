"""A stranger's announcement takes no memory."""

import asyncio

import pytest
from hivemind.p2p import P2P
from hivemind.proto import averaging_pb2

from core.swarm.frames import MAX_FRAME_BYTES, OversizedFrame, bound_frames, receive_bounded
from core.swarm.partition import PART_BYTES


def framed(length: int) -> bytes:
    return length.to_bytes(P2P.HEADER_LEN, P2P.BYTEORDER)


async def stream_of(data: bytes) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    return reader


def read(data: bytes) -> bytes:
    async def work() -> bytes:
        return await receive_bounded(await stream_of(data))

    return asyncio.run(work())


@pytest.mark.parametrize("length", [0, 1, 1000, MAX_FRAME_BYTES])
def test_messages_up_to_the_bound_are_read(length: int) -> None:
    assert read(framed(length) + bytes(length) + b"next") == bytes(length)


@pytest.mark.parametrize("length", [MAX_FRAME_BYTES + 1, 600 * 2**20, 2**64 - 1])
def test_an_oversized_announcement_is_refused_before_anything_is_read(length: int) -> None:
    async def work() -> None:
        reader = await stream_of(framed(length) + b"beginning of it")
        with pytest.raises(OversizedFrame, match=str(length)):
            await receive_bounded(reader)
        assert await reader.read() == b"beginning of it"

    asyncio.run(work())


@pytest.mark.parametrize("data", [b"", b"\0\0", framed(10) + b"too few"])
def test_a_stream_that_ends_early_is_told_from_an_oversized_one(data: bytes) -> None:
    with pytest.raises(asyncio.IncompleteReadError):
        read(data)


def test_hivemind_reads_its_messages_through_the_bound() -> None:
    """Fails if a new version of hivemind reads frames in another way."""
    bound_frames()
    assert P2P.receive_raw_data is receive_bounded

    async def work() -> None:
        good = averaging_pb2.DownloadData(metadata=b"m").SerializeToString()
        stream = await stream_of(P2P.MESSAGE_MARKER + framed(len(good)) + good)
        message, error = await P2P.receive_protobuf(averaging_pb2.DownloadData, stream)
        assert error is None
        assert message is not None
        assert message.metadata == b"m"
        stream = await stream_of(P2P.MESSAGE_MARKER + framed(600 * 2**20))
        with pytest.raises(OversizedFrame):
            await P2P.receive_protobuf(averaging_pb2.DownloadData, stream)

    asyncio.run(work())


def test_the_bound_leaves_room_for_a_part() -> None:
    assert PART_BYTES * 4 < MAX_FRAME_BYTES
