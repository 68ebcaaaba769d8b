"""A reducer takes what each sender delivers of its parts, and goes on without those that are lost or too slow."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2

from core.run.encodings import Encoding
from core.swarm.rounds.allreduce import AllReduce
from core.swarm.rounds.round import exchange
from core.swarm.wire.encoding import encode
from tests.core.swarm.builders import peer_bytes
from tests.core.swarm.rounds.exchange_scene import (
    BREAKS,
    LIMITS,
    PARTS,
    CallContext,
    ExchangeScene,
    MemberLink,
    Message,
    Stream,
    Wrap,
    altered,
    silent_after,
)


@pytest.mark.parametrize("how", ["never comes", *BREAKS])
def test_a_lost_sender_drops_out_of_what_it_had_not_delivered(
    how: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Member 2 only sends; the others go on without it, and agree about which parts have its values."""
    links = (
        {(2, owner): MemberLink(up=False) for owner in (0, 1)}
        if how == "never comes"
        else {(2, owner): MemberLink(contributions=BREAKS[how]) for owner in (0, 1)}
    )
    found = ExchangeScene(3, links=links, shares=(0.5, 0.5, 0.0)).run()
    found.assert_same_for([0, 1])
    delivered = 0 if how == "never comes" else 1
    for owner in (0, 1):
        mine = found.group.parts_of(owner)
        with_it = [index for index in mine if 2 in found.result(0, index).included]
        assert with_it == list(mine[:delivered])
    last = len(PARTS) - 1
    assert found.result(0, last).weight == found.weights[0] + found.weights[1]
    expected = "sent nothing within" if how == "never comes" else "delivered 1 of"
    assert f"Peer {found.group.members[2]} {expected}" in caplog.text
    assert ("it fell silent." in caplog.text) == (how == "falls silent")


MALFORMED: dict[str, Callable[[Message], None]] = {
    "truncated": lambda message: setattr(message.tensor_part, "buffer", message.tensor_part.buffer[:-1]),
    "no weight": lambda message: setattr(message, "weight", 0.0),
    "a negative weight": lambda message: setattr(message, "weight", -5.0),
    "a weight that is no number": lambda message: setattr(message, "weight", float("nan")),
    "an absurd weight": lambda message: setattr(message, "weight", 101.0),
    "not a number": lambda message: message.tensor_part.CopyFrom(
        encode(torch.full((message.tensor_part.size[0],), float("nan")), Encoding.FLOAT32)
    ),
    "wants gradients": lambda message: setattr(message.tensor_part, "requires_grad", True),
}


@pytest.mark.parametrize("alter", MALFORMED.values(), ids=list(MALFORMED))
def test_a_sender_of_nonsense_drops_out_from_there_on(alter: Callable[[Message], None]) -> None:
    links = {(2, owner): MemberLink(contributions=altered(1, alter)) for owner in (0, 1)}
    found = ExchangeScene(3, links=links, shares=(0.5, 0.5, 0.0)).run()
    found.assert_same_for([0, 1])
    for owner in (0, 1):
        mine = found.group.parts_of(owner)
        assert [2 in found.result(0, index).included for index in mine] == [True] + [False] * (len(mine) - 1)


@pytest.mark.parametrize("alter", MALFORMED.values(), ids=list(MALFORMED))
def test_the_nonsense_is_of_some_kind_that_counts(alter: Callable[[Message], None]) -> None:
    message = averaging_pb2.AveragingData(tensor_part=encode(torch.randn(50), Encoding.UNIFORM8), weight=1.0)
    before = message.SerializeToString()
    alter(message)
    assert message.SerializeToString() != before


def test_the_cause_of_a_reduction_that_fails_is_logged_once_a_round(caplog: pytest.LogCaptureFixture) -> None:
    """The others see only that their reducer stops; its own log has the cause, and not once for each part."""

    def out_of_memory(tensors: Sequence[torch.Tensor], weights: Sequence[float]) -> torch.Tensor:
        raise RuntimeError("not enough memory")

    found = ExchangeScene(3, shares=(1.0, 0.0, 0.0), rule=out_of_memory).run()
    assert [found.missing(member) for member in range(3)] == [list(range(len(PARTS)))] * 3
    logged = [record.getMessage() for record in caplog.records if "cannot be reduced" in record.message]
    assert logged == [
        "Part 0 of the round cannot be reduced here, so all members miss it (RuntimeError: not enough memory)."
    ]


def test_a_sender_that_changes_its_weight_drops_out_from_there_on() -> None:
    changed = MemberLink(contributions=altered(1, lambda message: setattr(message, "weight", 6.0)))
    found = ExchangeScene(3, links={(2, 0): changed, (2, 1): changed}, shares=(0.5, 0.5, 0.0)).run()
    for owner in (0, 1):
        mine = found.group.parts_of(owner)
        assert [2 in found.result(0, index).included for index in mine] == [True] + [False] * (len(mine) - 1)


def test_own_values_that_are_not_finite_reach_no_aggregate(caplog: pytest.LogCaptureFixture) -> None:
    """Those of others are refused when they are decoded; the reducer's own come by no wire."""
    scene = ExchangeScene(3, shares=(1.0, 0.0, 0.0))
    scene.inputs[0][0][:] = float("nan")
    scene.run()
    spoilt = [index for index, part in enumerate(PARTS) if part.slices[0].tensor == 0]
    assert [0 in scene.result(1, index).included for index in range(len(PARTS))] == [
        index not in spoilt for index in range(len(PARTS))
    ]
    assert all(bool(item.isfinite().all()) for item in scene.outputs[1])
    assert "has a value that is not finite" in caplog.text


# --- a sender is slow -----------------------------------------------------------------------------------------


def slowly(seconds: float) -> Wrap:
    """Let two messages pass at once, and then one every so many seconds, as a poor line does."""

    async def slow(stream: Stream) -> Stream:
        passed = 0
        async for message in stream:
            passed += 1
            await asyncio.sleep(seconds if passed > 2 else 0)
            yield message

    return slow


def halting(seconds: float) -> Wrap:
    """Let three messages pass at once, and the others after so many seconds."""

    async def halts(stream: Stream) -> Stream:
        passed = 0
        async for message in stream:
            passed += 1
            await asyncio.sleep(seconds if passed == 4 else 0)
            yield message

    return halts


SHORT = replace(LIMITS, sender_seconds=10.0, reducer_seconds=10.0, allreduce_seconds=2.0)


def test_nobody_waits_for_a_sender_on_a_poor_line_until_the_limit() -> None:
    links = {(2, 0): MemberLink(contributions=slowly(0.3))}
    poor = ExchangeScene(links=links, shares=(1.0, 0.0, 0.0), limits=SHORT).run()
    included = [poor.result(0, part).included for part in range(len(PARTS))]
    assert included[0] == {0, 1, 2}
    assert included[-1] == {0, 1}
    assert all(found is not None for run in poor.runs for found in run.results)


def test_clients_led_by_an_auxiliary_peer_do_not_wait_for_the_slowest_either() -> None:
    links = {(2, 0): MemberLink(contributions=slowly(0.3))}
    shares = (1.0, 0.0, 0.0)
    poor = ExchangeScene(auxiliary=frozenset({0}), links=links, shares=shares, limits=SHORT).run()
    assert poor.result(1, len(PARTS) - 1).included == {0}  # among the senders
    poor.assert_same_for([1, 2])


def test_a_sender_that_seems_to_hold_up_none_half_way_is_looked_at_again() -> None:
    """The quick sender is behind half-way, and soon after it waits for the slow one."""
    late = halting(SHORT.half_way_seconds + 0.1)
    links = {(1, 0): MemberLink(contributions=late), (2, 0): MemberLink(contributions=slowly(0.3))}
    found = ExchangeScene(links=links, shares=(1.0, 0.0, 0.0), limits=SHORT).run()
    assert found.result(0, len(PARTS) - 1).included == {0, 1}
    assert all(result is not None for run in found.runs for result in run.results)


@pytest.mark.parametrize("slow", [(1,), (1, 2)], ids=["one of two members", "all but the reducer"])
def test_slow_senders_for_which_no_sender_waits_are_included(slow: tuple[int, ...]) -> None:
    links = {(sender, 0): MemberLink(contributions=slowly(0.1)) for sender in slow}
    shares = (1.0, *[0.0] * len(slow))
    found = ExchangeScene(1 + len(slow), links=links, shares=shares, limits=SHORT).run()
    assert all(found.result(0, part).included == {0, *slow} for part in range(len(PARTS)))


# --- a call ends ----------------------------------------------------------------------------------------------


def test_a_reducer_closes_only_when_the_senders_end_was_read() -> None:
    """Else libp2p resets the stream, and a slow sender loses the aggregates that are on their way to it."""
    ended: list[str] = []

    async def ends_late(stream: Stream) -> Stream:
        async for message in stream:
            yield message
        await asyncio.sleep(0.1)
        ended.append("sender")

    async def notes_the_end(stream: Stream) -> Stream:
        async for message in stream:
            yield message
        ended.append("reducer")

    ExchangeScene(2, links={(0, 1): MemberLink(ends_late, notes_the_end)}).run().assert_same_for(range(2))
    assert ended == ["sender", "reducer"]


def test_strangers_and_second_calls_are_refused() -> None:
    found = ExchangeScene(2)

    async def call(run: AllReduce, peer: PeerID) -> list[int]:
        async def hesitating() -> Stream:
            await asyncio.Event().wait()
            yield averaging_pb2.AveragingData()

        context: Any = CallContext(peer)
        return [message.code async for message in run.rpc_aggregate_part(hesitating(), context)]

    async def work() -> None:
        member = found.member(0)
        assert await call(member, PeerID(peer_bytes(77))) == [averaging_pb2.PROTOCOL_VIOLATION]
        first = asyncio.create_task(call(member, found.group.members[1]))
        await asyncio.sleep(0)
        assert await call(member, found.group.members[1]) == [averaging_pb2.PROTOCOL_VIOLATION]
        first.cancel()
        await asyncio.wait({first})

    asyncio.run(work())


async def last_code(found: ExchangeScene, sender: int, contributions: Stream) -> int:
    """Call the first member as that sender, and return the code of the last answer."""
    context: Any = CallContext(found.group.members[sender])
    answers = found.runs[0].rpc_aggregate_part(contributions, context)
    return [int(message.code) async for message in answers][-1]


def test_a_sender_whose_parts_are_never_reduced_is_told_so_after_the_exchange() -> None:
    """Else its stream, and what it sent, stay with a reducer whose exchange ended at its limit."""
    found = ExchangeScene(
        3,
        shares=(1.0, 0.0, 0.0),
        limits=replace(LIMITS, sender_seconds=60.0, allreduce_seconds=0.3, reducer_seconds=0.2),
    )

    async def work() -> list[int]:
        found.runs = [found.member(index) for index in range(3)]
        exchanging = asyncio.create_task(exchange(found.runs[0], found.limits))
        calls = [
            last_code(found, sender, silent_after(1)(found.runs[sender]._outgoing(0))) for sender in (1, 2)
        ]
        codes, _ = await asyncio.wait_for(asyncio.gather(asyncio.gather(*calls), exchanging), 20)
        return codes

    assert asyncio.run(work()) == [averaging_pb2.INTERNAL_ERROR] * 2


def test_senders_are_told_at_once_that_their_reducer_withdraws() -> None:
    """A bootstrap peer withdrew as another group had committed, and a good line waited a minute for a poor one."""
    long = replace(LIMITS, sender_seconds=600.0, allreduce_seconds=600.0, reducer_seconds=600.0)
    found = ExchangeScene(3, shares=(1.0, 0.0, 0.0), limits=long)

    async def work() -> list[int]:
        found.runs = [found.member(index) for index in range(3)]
        exchanging = asyncio.create_task(exchange(found.runs[0], found.limits))
        streams = [found.runs[1]._outgoing(0), silent_after(1)(found.runs[2]._outgoing(0))]
        calls = [
            asyncio.create_task(last_code(found, sender, stream))
            for sender, stream in enumerate(streams, start=1)
        ]
        while found.runs[0].results[0] is None:
            await asyncio.sleep(0)
        exchanging.cancel()
        return await asyncio.wait_for(asyncio.gather(*calls), 20)

    assert asyncio.run(work()) == [averaging_pb2.INTERNAL_ERROR] * 2
