"""Answers in streams arrive whole by QUIC, which drops what is on its way when a stream is closed."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hivemind.p2p import P2P
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError
from hivemind.proto import averaging_pb2

from core.swarm.p2pd import place_sockets
from core.swarm.reach.dialler import lone_daemon
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.stream_ends import end_streams
from tests.waiting import DEADLINE

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
    folder: Path, handler: Handler, check: Callable[[P2P, P2P], Awaitable[None]], *, stream_input: bool
) -> None:
    """Check two peers of which the first answers so, and the second is connected to it by QUIC."""

    async def run() -> None:
        place_sockets()
        end_streams()
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
    return lone_daemon(host_maddrs=[HERE], identity_path=path, nat_port_map=False)


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
