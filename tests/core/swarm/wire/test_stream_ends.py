"""Answers in streams arrive whole by QUIC, which drops what is on its way when a stream is closed."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError
from hivemind.proto import averaging_pb2

from core.swarm.p2pd import place_sockets
from core.swarm.reach.dialler import lone_daemon
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.stream_ends import end_streams

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

    async def run() -> None:
        place_sockets()
        end_streams()
        async with answering(folder / "one") as one, answering(folder / "other") as other:
            await one.add_protobuf_handler(
                "many", handler, averaging_pb2.AveragingData, stream_input=False, stream_output=True
            )
            _, addresses = await one._client.identify()
            await other._client.connect(one.peer_id, addresses)
            await check(
                await other.iterate_protobuf_handler(
                    one.peer_id, "many", averaging_pb2.AveragingData(), averaging_pb2.AveragingData
                )
            )

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
