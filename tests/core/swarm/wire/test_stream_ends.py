"""Answers in streams arrive whole by QUIC, which drops what is on its way at the end; callers are bounded."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hivemind.p2p import P2P
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError
from hivemind.proto import averaging_pb2

from core.swarm.p2pd import place_sockets
from core.swarm.reach.dialler import dial_daemon
from core.swarm.wire.frames import bound_frames
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.stream_bounds import StreamLimits
from core.swarm.wire.stream_ends import UnreadCalls, end_streams
from tests.core.swarm.builders import HandClock
from tests.waiting import DEADLINE, eventually

HERE = "/ip4/127.0.0.1/udp/0/quic-v1"
MESSAGE = averaging_pb2.AveragingData(group_id=bytes(50_000))
COUNT = 20
Handler = Callable[[Any, Any], AsyncIterator[averaging_pb2.AveragingData]]


async def many(_: Any, context: Any) -> AsyncIterator[averaging_pb2.AveragingData]:
    for _ in range(COUNT):
        yield MESSAGE


async def failing(_: Any, context: Any) -> AsyncIterator[averaging_pb2.AveragingData]:
    yield MESSAGE
    raise ValueError("too many parts")


async def failing_silently(_: Any, context: Any) -> AsyncIterator[averaging_pb2.AveragingData]:
    yield MESSAGE
    raise TimeoutError


def with_answers(folder: Path, handler: Handler, check: Callable[[Any], Awaitable[None]]) -> None:
    """Call a peer by QUIC that answers so, and check the stream of its answers."""

    async def call(one: P2P, other: P2P) -> None:
        request = averaging_pb2.AveragingData()
        await check(await other.iterate_protobuf_handler(one.peer_id, "many", request, type(request)))

    with_peers(folder, handler, call, stream_input=False)


def with_peers(
    folder: Path,
    handler: Handler,
    check: Callable[[P2P, P2P], Awaitable[None]],
    *,
    stream_input: bool,
    limits: StreamLimits | None = None,
) -> None:
    """Check two peers of which the first answers so, and the second is connected to it by QUIC."""

    async def run() -> None:
        place_sockets()
        bound_frames()
        end_streams(limits)
        async with answering(folder / "one") as one, answering(folder / "other") as other:
            await one.add_protobuf_handler(
                "many", handler, averaging_pb2.AveragingData, stream_input=stream_input, stream_output=True
            )
            _, addresses = await one._client.identify()
            await other._client.connect(one.peer_id, addresses)
            await check(one, other)

    asyncio.run(run())


def answering(identity: Path) -> Any:
    path = str(PeerIdentity.load_or_create(identity).path)
    return dial_daemon(host_maddrs=[HERE], identity_path=path, nat_port_map=False)


def test_all_answers_arrive(tmp_path: Path) -> None:
    async def check(answers: Any) -> None:
        assert [message async for message in answers] == [MESSAGE] * COUNT

    with_answers(tmp_path, many, check)


@pytest.mark.parametrize(
    ("handler", "text"), [(failing, "too many parts"), (failing_silently, "TimeoutError")]
)
def test_a_failure_is_no_end(tmp_path: Path, handler: Handler, text: str) -> None:
    async def check(answers: Any) -> None:
        assert await anext(answers) == MESSAGE
        with pytest.raises(P2PHandlerError, match=text):
            await anext(answers)

    with_answers(tmp_path, handler, check)


def test_a_caller_that_has_enough_closes_the_stream(tmp_path: Path) -> None:
    closed = asyncio.Event()

    async def endless(_: Any, context: Any) -> AsyncIterator[averaging_pb2.AveragingData]:
        try:
            while True:
                yield MESSAGE
                await asyncio.sleep(0)
        finally:
            closed.set()

    async def check(answers: Any) -> None:
        await anext(answers)
        await answers.aclose()
        await asyncio.wait_for(closed.wait(), 60.0)

    with_answers(tmp_path, endless, check)


async def refusing(requests: Any, context: Any) -> AsyncIterator[averaging_pb2.AveragingData]:
    await anext(requests)
    yield MESSAGE


async def parts() -> AsyncIterator[averaging_pb2.AveragingData]:
    for _ in range(COUNT):
        yield MESSAGE


def test_messages_after_the_answer_keep_no_stream_open(tmp_path: Path) -> None:
    """An honest sender goes on until it has the answer."""

    async def call(one: P2P, other: P2P) -> None:
        answers = await other.iterate_protobuf_handler(one.peer_id, "many", parts(), type(MESSAGE))
        assert [message async for message in answers] == [MESSAGE]

    async def check(one: P2P, other: P2P) -> None:
        await call(one, other)
        before = asyncio.all_tasks()
        await asyncio.gather(*(call(one, other) for _ in range(4)))
        left = asyncio.all_tasks() - before
        assert not left or not (await asyncio.wait(left, timeout=DEADLINE))[1]

    with_peers(tmp_path, refusing, check, stream_input=True)


@pytest.mark.parametrize("ends_first", [False, True])
def test_a_stranger_that_never_stops_sending_is_cut_off(tmp_path: Path, ends_first: bool) -> None:
    large = averaging_pb2.AveragingData(group_id=bytes(3 * 2**20))

    async def flood(writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            await P2P.send_protobuf(MESSAGE, writer)
            if ends_first:
                await P2P.send_protobuf(P2P.END_OF_STREAM, writer)
            while True:
                await P2P.send_protobuf(large, writer)

    async def check(one: P2P, other: P2P) -> None:
        _, reader, writer = await other.call_binary_stream_handler(one.peer_id, "many")
        flooding = asyncio.create_task(flood(writer))
        async with asyncio.timeout(DEADLINE):
            await asyncio.wait({flooding})  # until the other side has closed the stream
            with suppress(OSError):
                await reader.read()
        writer.close()

    with_peers(tmp_path, refusing, check, stream_input=True)


def check_stranger(
    folder: Path, handler: Handler, check: Callable[[P2P, Any, Any], Awaitable[None]], **limits: Any
) -> None:
    """Check a raw stream to a peer that answers one request so; the others know it by its P2P."""

    async def call(one: P2P, other: P2P) -> None:
        _, reader, writer = await other.call_binary_stream_handler(one.peer_id, "many")
        try:
            async with asyncio.timeout(DEADLINE):
                await check(one, reader, writer)
        finally:
            writer.close()

    with_peers(folder, handler, call, stream_input=False, limits=StreamLimits(**limits))


async def told(reader: asyncio.StreamReader) -> str:
    """Return why a call was refused, once it is."""
    message, refusal = await P2P.receive_protobuf(type(MESSAGE), reader)
    assert message is None
    return refusal.message  # type: ignore[no-any-return]


def test_a_request_that_does_not_end_is_given_up(tmp_path: Path) -> None:
    async def check(_: P2P, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await P2P.send_protobuf(MESSAGE, writer)
        assert await told(reader) == "The request did not end within 0 s."

    check_stranger(tmp_path, many, check, request_seconds=0.2)


def test_a_request_is_one_message(tmp_path: Path) -> None:
    async def check(_: P2P, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(2):
            await P2P.send_protobuf(MESSAGE, writer)
        assert await told(reader) == "A request must be one message."

    check_stranger(tmp_path, many, check)


def test_a_large_request_is_not_read(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def check(_: P2P, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            await P2P.send_protobuf(MESSAGE, writer)
            await P2P.send_protobuf(P2P.END_OF_STREAM, writer)
        with suppress(OSError):
            assert await reader.read() == b""

    check_stranger(tmp_path, many, check, request_bytes=40_000)
    assert "40000 are allowed" in caplog.text


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_caller_that_never_reads_holds_no_answer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    closed, held = asyncio.Event(), 0

    async def endless(_: Any, context: Any) -> AsyncIterator[averaging_pb2.AveragingData]:
        nonlocal held
        held = open_files()
        try:
            while True:
                yield MESSAGE
        finally:
            closed.set()

    async def check(_: P2P, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await P2P.send_protobuf(averaging_pb2.AveragingData(), writer)
        await P2P.send_protobuf(P2P.END_OF_STREAM, writer)
        await closed.wait()
        await eventually(lambda: open_files() < held, "the stream itself is not closed")

    check_stranger(tmp_path, endless, check, taking_seconds=0.5)
    assert "takes nothing of an answer of many: it gets no more" in caplog.text


def test_a_caller_has_so_many_streams_at_a_time(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "core.swarm.wire")

    async def answered(peer: P2P, one: P2P) -> int:
        request = averaging_pb2.AveragingData()
        answers = await peer.iterate_protobuf_handler(one.peer_id, "many", request, type(request))
        return len([message async for message in answers])

    async def call(one: P2P, other: P2P) -> None:
        entered: list[Any] = []
        for _ in range(2):
            _, _, writer = await other.call_binary_stream_handler(one.peer_id, "many")
            await P2P.send_protobuf(MESSAGE, writer)
            entered.append(writer)
        async with answering(tmp_path / "third") as third:
            _, addresses = await one._client.identify()
            await third._client.connect(one.peer_id, addresses)
            await refused(other, one)
            assert await answered(third, one) == COUNT, "another caller is answered"
        entered[0].close()
        await until_answered(other, one)
        entered[1].close()

    async def refused(peer: P2P, one: P2P) -> None:
        _, reader, writer = await peer.call_binary_stream_handler(one.peer_id, "many")
        async with asyncio.timeout(DEADLINE):
            with suppress(asyncio.IncompleteReadError):  # a refusal may be lost as the stream is closed
                assert await told(reader) == "This peer has 2 streams of yours open already."
        writer.close()

    async def until_answered(peer: P2P, one: P2P) -> None:
        """The answering side hears a little later that a stream was closed."""
        async with asyncio.timeout(DEADLINE):
            while True:
                with suppress(P2PHandlerError):
                    if await answered(peer, one) == COUNT:
                        return

    limits = StreamLimits(streams=2, request_seconds=10 * DEADLINE, refused_seconds=0.0)
    with_peers(tmp_path, many, call, stream_input=False, limits=limits)
    assert "This peer has 2 streams of yours open already." in caplog.text


class ClosedStream:
    """A stream that its caller has closed: what is written to it is lost."""

    def __init__(self, error: type[Exception]) -> None:
        self._error, self.transport, self.aborted = error, self, False

    def write(self, data: bytes) -> None:
        pass

    async def drain(self) -> None:
        raise self._error

    def close(self) -> None:
        pass

    async def wait_closed(self) -> None:
        raise ConnectionResetError

    def abort(self) -> None:
        self.aborted = True


class CalledPeer:
    """Takes the place of a P2P, and gives what it was to answer raw streams with."""

    peer_id = None

    async def add_binary_stream_handler(self, name: str, answer: Any, balanced: bool) -> None:
        self.answer = answer


def refuse(stream: ClosedStream, limits: StreamLimits) -> None:
    """Refuse a call by the ``stream``, as its caller has too many."""

    async def call() -> None:
        peer: Any = CalledPeer()
        end_streams(limits)
        try:
            await P2P.add_protobuf_handler(peer, "many", many, type(MESSAGE), stream_output=True)
        finally:
            end_streams()
        info = SimpleNamespace(peer_id=None)
        await asyncio.wait_for(peer.answer(info, asyncio.StreamReader(), stream), DEADLINE)

    asyncio.run(call())


@pytest.mark.parametrize("error", [ConnectionResetError, RuntimeError, TimeoutError])
def test_a_refusal_of_a_stream_that_is_closed_is_the_end_of_it(error: type[Exception]) -> None:
    stream = ClosedStream(error)
    refuse(stream, StreamLimits(streams=0, refused_seconds=0.0))
    assert stream.aborted


class UnreadStream(ClosedStream):
    """A stream of which the caller reads nothing."""

    async def drain(self) -> None:
        await asyncio.Event().wait()


def test_a_refusal_waits_for_no_caller_that_does_not_read() -> None:
    stream = UnreadStream(OSError)
    refuse(stream, StreamLimits(streams=0, taking_seconds=0.1, refused_seconds=0.0))
    assert stream.aborted


def test_a_refusal_waits_before_it_is_told() -> None:
    stream, began = ClosedStream(OSError), time.monotonic()
    refuse(stream, StreamLimits(streams=0, refused_seconds=0.5))
    assert time.monotonic() - began >= 0.5
    assert stream.aborted


def test_unreadable_calls_fill_no_log(caplog: pytest.LogCaptureFixture) -> None:
    clock = HandClock()
    unread = UnreadCalls(clock)
    for _ in range(1000):
        unread.note(ValueError("wire format was corrupt"))
    clock.now += 3600.0
    unread.note(TypeError("no message"))
    assert [record.getMessage() for record in caplog.records] == [
        "1 calls can't be read; the last one: ValueError: wire format was corrupt",
        "1000 calls can't be read; the last one: TypeError: no message",
    ]
