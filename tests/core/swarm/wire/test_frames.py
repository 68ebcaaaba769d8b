"""A stranger's announcement takes no memory."""

import asyncio
import time
from dataclasses import dataclass

import pytest
from hivemind.p2p import P2P
from hivemind.proto import averaging_pb2

from core.run.encodings import PART_BYTES
from core.swarm.bandwidth import Line, StreamPace, Way
from core.swarm.wire.frames import (
    MAX_FRAME_BYTES,
    PACE,
    OversizedFrame,
    bound_frames,
    meter_frames,
    note_stream,
    receive_bounded,
    send_metered,
)
from core.swarm.wire.stream_bounds import PatientWriter


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
def test_a_stream_that_ends_early_is_distinguished_from_an_oversized_one(data: bytes) -> None:
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


async def over_a_socket(sender: Line, receiver: Line, messages: list[bytes]) -> list[bytes]:
    """Return the messages that hivemind's reader receives from hivemind's writer, each metered by a line."""
    found: list[bytes] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            for _ in messages:
                found.append(await receive_bounded(reader, limiter=receiver.averager))
        finally:
            writer.close()

    async with await asyncio.start_server(take, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for message in messages:
            await send_metered(message, writer, limiter=sender.averager)
        await reader.read()
        writer.close()
    return found


@pytest.mark.parametrize("cap", [None, 1_000_000])
def test_metered_messages_arrive_whole_and_are_counted_once_at_each_end(cap: int | None) -> None:
    sender, receiver = Line(upload=cap), Line(download=cap)
    messages = [b"", b"one", bytes(range(256)) * 1000]
    assert asyncio.run(over_a_socket(sender, receiver, messages)) == messages
    framed_bytes = sum(len(message) + P2P.HEADER_LEN for message in messages)
    assert (sender.sent, sender.received) == (framed_bytes, 0)
    assert (receiver.sent, receiver.received) == (0, framed_bytes)


def test_a_message_is_written_at_the_pace_of_its_task() -> None:
    """A task that the one with the pace starts writes at it as well, as hivemind's calls do."""
    sender, receiver = Line(), Line()
    message = bytes(60_000)

    async def paced() -> float:
        PACE.set(StreamPace(100_000))
        began = time.monotonic()
        assert await asyncio.create_task(over_a_socket(sender, receiver, [message])) == [message]
        return time.monotonic() - began

    assert asyncio.run(paced()) >= 0.6


def test_a_metered_message_that_ends_early_is_reported() -> None:
    async def work() -> bytes:
        return await receive_bounded(await stream_of(framed(10) + b"too few"), limiter=Line().averager)

    with pytest.raises(asyncio.IncompleteReadError):
        asyncio.run(work())


def test_hivemind_writes_and_reads_its_messages_through_the_line() -> None:
    """Fails if a new version of hivemind handles frames in another way."""
    line, reads, writes = Line(), P2P.receive_raw_data, P2P.send_raw_data

    async def work() -> None:
        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            await P2P.send_protobuf(averaging_pb2.DownloadData(metadata=b"m" * 1000), writer)
            message, _ = await P2P.receive_protobuf(averaging_pb2.DownloadData, reader)
            assert message is not None
            assert message.metadata == b"m" * 1000
            writer.close()

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(4096):
            writer.write(data)
        writer.close()

    try:
        meter_frames(line)
        asyncio.run(work())
    finally:
        P2P.receive_raw_data, P2P.send_raw_data = staticmethod(reads), staticmethod(writes)
    assert line.sent == line.received > 1000


@pytest.mark.parametrize(
    ("address", "by_udp"),
    [
        ("/ip4/11.0.0.7/udp/31330/quic-v1", True),
        ("/ip4/11.0.0.7/tcp/31330", False),
        ("/ip4/11.0.0.9/udp/31330/quic-v1/p2p/12D3Koo/p2p-circuit", True),
        ("/ip4/11.0.0.9/tcp/31330/p2p/12D3Koo/p2p-circuit", False),
    ],
)
def test_messages_by_udp_are_counted_apart(address: str, by_udp: bool) -> None:
    line = Line()

    async def work() -> None:
        reader, writer = await stream_of(framed(1000) + bytes(1000)), UnreadWriter()
        note_stream(StreamNote(address), reader, writer)  # type: ignore[arg-type]
        await receive_bounded(reader, limiter=line.averager)
        await send_metered(bytes(3000), writer, limiter=line.averager)  # type: ignore[arg-type]
        await send_metered(bytes(3000), PatientWriter(writer, 60.0), limiter=line.averager)  # type: ignore[arg-type]
        await send_metered(bytes(500), UnreadWriter(), limiter=line.averager)  # type: ignore[arg-type]

    asyncio.run(work())
    header = P2P.HEADER_LEN
    assert line.averager.passed(Way.UP) == 6500 + 3 * header
    assert line.averager.by_udp(Way.UP) == (6000 + 2 * header if by_udp else 0)
    assert line.averager.by_udp(Way.DOWN) == (1000 + header if by_udp else 0)


@dataclass
class StreamNote:
    """What libp2p's daemon says of a stream."""

    addr: str


class UnreadWriter:
    """The writer of a stream, whose bytes go nowhere."""

    def write(self, data: bytes) -> None:
        """Take ``data``."""

    async def drain(self) -> None:
        """Have room at once."""
