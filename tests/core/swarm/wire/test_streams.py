"""However another peer's stream ends, its reader learns it as one thing, in time, and without taking memory."""

import asyncio
import resource
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from typing import Any, TypeVar

import pytest
from hivemind.p2p import P2P, P2PContext, P2PHandlerError
from hivemind.proto import averaging_pb2
from hivemind.proto.p2pd_pb2 import RPCError

from core.swarm.wire.frames import bound_frames
from core.swarm.wire.streams import PeerLost, beats_until, is_beat, messages

Writes = Callable[[asyncio.StreamWriter], Awaitable[None]]
SILENCE = 1.0
T = TypeVar("T")


class TwoDaemons:
    """A reader and a stranger, each with a libp2p daemon of its own, on one event loop."""

    def __init__(self) -> None:
        bound_frames()
        self._runner = asyncio.Runner()
        self.stranger, self.reader = self.run(self._start())
        self._names = iter(range(1000))

    async def _start(self) -> tuple[Any, Any]:
        stranger = await P2P.create(use_ipfs=False, dht_mode="client", use_relay=False)
        addresses = await stranger.get_visible_maddrs()
        reader = await P2P.create(initial_peers=addresses, use_relay=False)
        return stranger, reader

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)

    def close(self) -> None:
        """Shut both down, and cancel handlers that still answer a peer that has gone."""
        self.run(self.stranger.shutdown())
        self.run(self.reader.shutdown())
        self._runner.close()

    def read(self, answer: Writes, *, silence_seconds: float = SILENCE) -> list[bytes]:
        """The metadata of all messages that come when the stranger answers with raw bytes."""
        return self.run(asyncio.wait_for(self._read(answer, silence_seconds), 20))

    async def _read(self, answer: Writes, silence_seconds: float) -> list[bytes]:
        name = f"handler-{next(self._names)}"

        async def handle(info: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                for _ in ("request", "end of requests"):  # closing on unread ones would reset the stream
                    await P2P.receive_protobuf(averaging_pb2.DownloadRequest, reader)
                await answer(writer)
            finally:
                writer.close()

        await self.stranger.add_binary_stream_handler(name, handle)
        answered = messages(self.call(name), silence_seconds=silence_seconds)
        return [message.metadata async for message in answered]

    def call(self, name: str) -> Awaitable[AsyncIterator[Any]]:
        request = averaging_pb2.DownloadRequest()
        call: Awaitable[AsyncIterator[Any]] = self.reader.iterate_protobuf_handler(
            self.stranger.peer_id, name, request, averaging_pb2.DownloadData
        )
        return call


@pytest.fixture(scope="module")
def daemons() -> Iterator[TwoDaemons]:
    pair = TwoDaemons()
    yield pair
    pair.close()


def message(metadata: bytes) -> bytes:
    data: bytes = averaging_pb2.DownloadData(metadata=metadata).SerializeToString()
    return bytes(P2P.MESSAGE_MARKER) + framed(len(data)) + data


def framed(length: int) -> bytes:
    return length.to_bytes(P2P.HEADER_LEN, P2P.BYTEORDER)


def saying(data: bytes) -> Writes:
    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()

    return answer


def test_messages_arrive_in_order(daemons: TwoDaemons) -> None:
    assert daemons.read(saying(message(b"one") + message(b"two"))) == [b"one", b"two"]


GARBAGE = {
    "an oversized frame": P2P.MESSAGE_MARKER + framed(600 * 2**20) + b"beginning",
    "a message of unknown kind": b"\x77" + framed(3) + b"abc",
    "bytes that are no message": P2P.MESSAGE_MARKER + framed(4) + b"\xff\xff\xff\xff",
    "an error": P2P.ERROR_MARKER
    + framed(len(RPCError(message="no").SerializeToString()))
    + RPCError(message="no").SerializeToString(),
}


@pytest.mark.parametrize("data", GARBAGE.values(), ids=list(GARBAGE))
def test_garbage_means_that_the_peer_is_lost(daemons: TwoDaemons, data: bytes) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(PeerLost):
        daemons.read(saying(message(b"one") + data))
    kibibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert kibibytes < 50 * 1024


def test_silence_means_that_the_peer_is_lost(daemons: TwoDaemons) -> None:
    over = asyncio.Event()

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(message(b"one"))
        await over.wait()

    with pytest.raises(PeerLost):
        daemons.read(answer)
    over.set()


def test_a_handler_that_is_not_there_means_that_the_peer_is_lost(daemons: TwoDaemons) -> None:
    async def work() -> None:
        async for _ in messages(daemons.call("nobody"), silence_seconds=5 * SILENCE):
            pass

    with pytest.raises(PeerLost):
        daemons.run(work())


def test_a_stream_cut_off_simply_ends(daemons: TwoDaemons) -> None:
    """The reader has to notice missing messages itself."""
    whole = message(b"one")
    assert daemons.read(saying(whole + whole[:5])) == [b"one"]


def test_what_the_reader_itself_does_wrong_is_not_blamed_on_the_peer() -> None:
    async def stream() -> AsyncIterator[int]:
        yield 1

    async def call() -> AsyncIterator[int]:
        return stream()

    async def work() -> None:
        async for _ in messages(call(), silence_seconds=SILENCE):
            raise TypeError("a fault of ours")

    with pytest.raises(TypeError, match="a fault of ours"):
        asyncio.run(work())


def test_a_reason_that_the_peer_chose_is_one_short_line() -> None:
    async def refuse() -> AsyncIterator[Any]:
        raise P2PHandlerError("WARNING forged\n" * 1000)

    async def read() -> None:
        async for _ in messages(refuse(), silence_seconds=SILENCE):
            pass

    with pytest.raises(PeerLost) as lost:
        asyncio.run(read())
    assert len(str(lost.value)) <= 200
    assert "\n" not in str(lost.value)


def test_signs_of_life_come_in_time_for_a_peer_with_a_much_shorter_limit() -> None:
    """A new peer has the limits of the run's rules, and one that has seen quick rounds a tenth of them."""

    async def work() -> float:
        loop = asyncio.get_running_loop()
        began = loop.time()
        beats = beats_until(loop.create_future(), silence_seconds=60.0)
        assert is_beat(await anext(beats))
        return loop.time() - began

    assert asyncio.run(asyncio.wait_for(work(), 10.0)) < 10.0


def test_a_call_that_hangs_is_given_up() -> None:
    async def call() -> AsyncIterator[int]:
        await asyncio.Event().wait()
        raise AssertionError

    async def work() -> None:
        async for _ in messages(call(), silence_seconds=0.05):
            pass

    with pytest.raises(PeerLost):
        asyncio.run(work())


def test_a_served_handler_of_hivemind_refuses_an_oversized_request(daemons: TwoDaemons) -> None:
    """The other reader of frames: a stranger's request to us."""
    served: list[int] = []

    async def handler(
        requests: AsyncIterator[Any], context: P2PContext
    ) -> AsyncIterator[averaging_pb2.DownloadData]:
        async for request in requests:
            served.append(len(request.metadata))
            yield averaging_pb2.DownloadData(metadata=b"taken")

    async def work() -> bytes:
        await daemons.reader.add_protobuf_handler(
            "served", handler, averaging_pb2.DownloadData, stream_input=True, stream_output=True
        )
        _, reader, writer = await daemons.stranger.call_binary_stream_handler(
            daemons.reader.peer_id, "served"
        )
        writer.write(message(b"fine") + P2P.MESSAGE_MARKER + framed(600 * 2**20))
        answer: bytes = await asyncio.wait_for(reader.read(), 10)
        writer.close()
        return answer

    assert b"taken" in daemons.run(work())
    assert served == [4]


def dribbling(data: bytes, pieces: int, pause: float) -> Writes:
    async def answer(writer: asyncio.StreamWriter) -> None:
        step = -(-len(data) // pieces)
        for start in range(0, len(data), step):
            writer.write(data[start : start + step])
            await writer.drain()
            await asyncio.sleep(pause)

    return answer


def test_a_message_that_takes_longer_than_the_silence_arrives(daemons: TwoDaemons) -> None:
    """A slow line can take that long for one message."""
    large = bytes(1000)
    assert daemons.read(dribbling(message(large), 8, SILENCE / 4)) == [large]


def test_one_byte_now_and_then_does_not_keep_its_reader_for_ever(daemons: TwoDaemons) -> None:
    with pytest.raises(PeerLost):
        daemons.read(dribbling(message(bytes(1000)), 1000, 0.02), silence_seconds=SILENCE / 5)
