"""A round of all-reduce among members in one process, whose calls to each other can be made to fail."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
import torch
from hivemind.p2p import P2PHandlerError, PeerID
from hivemind.proto import averaging_pb2

from core.run.encodings import Encoding
from core.swarm.rounds.allreduce import AllReduce
from core.swarm.rounds.events import RoundEvent
from core.swarm.rounds.group import Group
from core.swarm.rounds.partition import Part, assign, cut
from core.swarm.rounds.reduction import Contributor, ReducedPart, weighted_mean
from core.swarm.rounds.round import exchange
from core.swarm.wire.encoding import encode
from core.swarm.wire.limits import TimeLimits
from tests.core.swarm.builders import digest_of, peer_bytes

SIZES = (3000, 500)
PARTS = cut([(3000, Encoding.UNIFORM8), (500, Encoding.FLOAT16)], part_bytes=400)
LIMITS = TimeLimits(
    matchmaking_seconds=1.0,
    sender_seconds=1.0,
    reducer_seconds=2.0,
    allreduce_seconds=10.0,
    settle_seconds=0.1,
)
Message = Any
Stream = AsyncIterator[Message]
Wrap = Callable[[Stream], Stream]


def plainly(stream: Stream) -> Stream:
    return stream


def cut_after(count: int, error: Exception | None = None) -> Wrap:
    """Let so many messages through, then break off."""

    async def cut_stream(stream: Stream) -> Stream:
        passed = 0
        async for message in stream:
            if passed == count:
                break
            passed += 1
            yield message
        if error is not None:
            raise error

    return cut_stream


def silent_after(count: int) -> Wrap:
    async def falls_silent(stream: Stream) -> Stream:
        passed = 0
        async for message in stream:
            if passed == count:
                await asyncio.Event().wait()
            passed += 1
            yield message

    return falls_silent


def altered(at: int, alter: Callable[[Message], None]) -> Wrap:
    async def alters(stream: Stream) -> Stream:
        number = 0
        async for message in stream:
            copy = type(message).FromString(message.SerializeToString())
            if number == at:
                alter(copy)
            number += 1
            yield copy

    return alters


@dataclass
class MemberLink:
    """The changes to messages between two members, in both directions of a call."""

    contributions: Wrap = plainly
    aggregates: Wrap = plainly
    up: bool = True


@dataclass
class Round:
    """Members of a group that share an event loop."""

    count: int = 3
    auxiliary: frozenset[int] = frozenset()
    links: dict[tuple[int, int], MemberLink] = field(default_factory=dict)
    absent: frozenset[int] = frozenset()
    shares: Sequence[float] = ()
    weights: Sequence[float] = (1.0, 2.0, 5.0, 3.0)
    parts: Sequence[Part] = PARTS
    limits: TimeLimits = LIMITS

    def __post_init__(self) -> None:
        members = tuple(PeerID(peer_bytes(index)) for index in range(self.count))
        senders = tuple(index for index in range(self.count) if index not in self.auxiliary)
        shares = self.shares or [1 / self.count] * self.count
        self.group = Group(digest_of("group")[:20], members, senders, assign(self.parts, shares))
        self.inputs = [
            [torch.randn(size, generator=torch.Generator().manual_seed(97 * index + size)) for size in SIZES]
            for index in range(self.count)
        ]
        self.outputs = [[torch.zeros(size) for size in SIZES] for _ in range(self.count)]
        self.events: list[list[tuple[RoundEvent, int]]] = [[] for _ in range(self.count)]
        self.runs: list[AllReduce] = []

    def run(self) -> "Round":
        asyncio.run(asyncio.wait_for(self._run(), 20))
        return self

    async def _run(self) -> None:
        self.runs = [self._member(index) for index in range(self.count)]
        await asyncio.gather(*(run.run() for run in self.runs if run.rank not in self.absent))

    def _member(self, index: int) -> AllReduce:
        return AllReduce(
            self.group,
            self.group.members[index],
            self.parts,
            inputs=self.inputs[index],
            outputs=() if index in self.auxiliary else self.outputs[index],
            weight=self.weights[index],
            max_weight=100.0,
            rule=weighted_mean,
            stub_of=lambda peer: MemberStub(self, index, self.group.members.index(peer)),
            limits=self.limits,
            observe=lambda event, number: self.events[index].append((event, number)),
        )

    def result(self, member: int, part: int) -> ReducedPart:
        found = self.runs[member].results[part]
        assert found is not None
        return found

    def missing(self, member: int) -> list[int]:
        return [index for index, found in enumerate(self.runs[member].results) if found is None]

    def assert_same_for(self, members: Sequence[int]) -> None:
        """All parts have arrived, with the same bytes, and the outputs hold just what they decode to."""
        for index, part in enumerate(self.parts):
            digests = {self.result(member, index).digest for member in members}
            assert len(digests) == 1
            for member in members:
                assert part.gather(self.outputs[member]).equal(self.result(member, index).values(part))

    def exact(self, included: Sequence[int], part: Part) -> torch.Tensor:
        weights = [self.weights[index] for index in included]
        return weighted_mean([part.gather(self.inputs[index]) for index in included], weights)


class CallContext:
    def __init__(self, remote_id: PeerID) -> None:
        self.remote_id = remote_id


class MemberStub:
    """Calls another member's handler as if over the network."""

    def __init__(self, found: Round, caller: int, callee: int) -> None:
        self._round, self._caller, self._callee = found, caller, callee
        self._link = found.links.get((caller, callee), MemberLink())

    async def rpc_aggregate_part(self, stream: Stream) -> Stream:
        if not self._link.up or self._callee in self._round.absent:
            raise ConnectionRefusedError("nobody is there")
        context: Any = CallContext(self._round.group.members[self._caller])
        handler = self._round.runs[self._callee].rpc_aggregate_part(self._link.contributions(stream), context)
        return self._link.aggregates(handler)


# --- everybody stays ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_all_members_hold_the_same_mean(count: int) -> None:
    found = Round(count).run()
    found.assert_same_for(range(count))
    for index, part in enumerate(PARTS):
        reduced = found.result(0, index)
        exact = found.exact(range(count), part)
        assert reduced.included == set(range(count))
        assert reduced.weight == sum(found.weights[:count])
        assert float((reduced.values(part) - exact).norm() / exact.norm()) < 0.05


def test_in_float32_the_mean_is_exact() -> None:
    parts = cut([(3000, Encoding.FLOAT32), (500, Encoding.FLOAT32)], part_bytes=1600)
    found = Round(3, parts=parts).run()
    for index, part in enumerate(parts):
        assert found.result(0, index).values(part).equal(found.exact(range(3), part))


def test_inputs_are_left_alone() -> None:
    found = Round(3)
    before = [[item.clone() for item in member] for member in found.inputs]
    found.run()
    for now, then in zip(found.inputs, before, strict=True):
        assert all(item.equal(copy) for item, copy in zip(now, then, strict=True))


def test_an_auxiliary_member_reduces_and_adds_nothing() -> None:
    found = Round(3, auxiliary=frozenset({1})).run()
    found.assert_same_for([0, 2])
    assert found.group.parts_of(1)
    assert all(found.result(0, index).included == {0, 1} for index in range(len(PARTS)))  # the two senders
    assert found.result(0, 0).weight == found.weights[0] + found.weights[2]
    assert found.runs[1].position is None
    assert [run.position for run in found.runs if run.position is not None] == [0, 1]


def test_a_member_that_cannot_reduce_still_gets_everything() -> None:
    found = Round(3, shares=(0.5, 0.0, 0.5)).run()
    assert found.group.parts_of(1) == ()
    found.assert_same_for(range(3))


def test_observers_count_what_happened() -> None:
    found = Round(2).run()
    own, others = len(found.group.parts_of(0)), len(found.group.parts_of(1))
    assert found.events[0].count((RoundEvent.PART_REDUCED, own)) == 1
    assert found.events[0].count((RoundEvent.PART_SENT, others)) == 1
    assert found.events[0].count((RoundEvent.PART_RECEIVED, others)) == 1


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

    Round(2, links={(0, 1): MemberLink(ends_late, notes_the_end)}).run().assert_same_for(range(2))
    assert ended == ["sender", "reducer"]


# --- a sender is lost -----------------------------------------------------------------------------------------

BREAKS = {
    "breaks off": cut_after(1, P2PHandlerError("gone")),
    "ends early": cut_after(1),
    "falls silent": silent_after(1),
}


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
    found = Round(3, links=links, shares=(0.5, 0.5, 0.0)).run()
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
    found = Round(3, links=links, shares=(0.5, 0.5, 0.0)).run()
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


# --- a reducer is lost ----------------------------------------------------------------------------------------


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
    poor = Round(links=links, shares=(1.0, 0.0, 0.0), limits=SHORT).run()
    included = [poor.result(0, part).included for part in range(len(PARTS))]
    assert included[0] == {0, 1, 2}
    assert included[-1] == {0, 1}
    assert all(found is not None for run in poor.runs for found in run.results)


def test_clients_led_by_an_auxiliary_peer_do_not_wait_for_the_slowest_either() -> None:
    links = {(2, 0): MemberLink(contributions=slowly(0.3))}
    shares = (1.0, 0.0, 0.0)
    poor = Round(auxiliary=frozenset({0}), links=links, shares=shares, limits=SHORT).run()
    assert poor.result(1, len(PARTS) - 1).included == {0}  # among the senders
    poor.assert_same_for([1, 2])


def test_a_sender_that_seems_to_hold_up_none_half_way_is_looked_at_again() -> None:
    """The quick sender is behind half-way, and soon after it waits for the slow one."""
    late = halting(SHORT.half_way_seconds + 0.1)
    links = {(1, 0): MemberLink(contributions=late), (2, 0): MemberLink(contributions=slowly(0.3))}
    found = Round(links=links, shares=(1.0, 0.0, 0.0), limits=SHORT).run()
    assert found.result(0, len(PARTS) - 1).included == {0, 1}
    assert all(result is not None for run in found.runs for result in run.results)


@pytest.mark.parametrize("slow", [(1,), (1, 2)], ids=["one of two members", "all but the reducer"])
def test_slow_senders_for_which_no_sender_waits_are_included(slow: tuple[int, ...]) -> None:
    links = {(sender, 0): MemberLink(contributions=slowly(0.1)) for sender in slow}
    shares = (1.0, *[0.0] * len(slow))
    found = Round(1 + len(slow), links=links, shares=shares, limits=SHORT).run()
    assert all(found.result(0, part).included == {0, *slow} for part in range(len(PARTS)))


def test_an_absent_reducers_parts_stay_missing_and_nothing_is_made_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    found = Round(3, absent=frozenset({1})).run()
    lost = list(found.group.parts_of(1))
    assert lost
    name = found.group.members[1]
    assert f"Reducer {name} did not return {len(lost)} of its {len(lost)} parts" in caplog.text
    for member in (0, 2):
        assert found.missing(member) == lost
        for index in lost:
            assert not PARTS[index].gather(found.outputs[member]).any()
        kept = [index for index in range(len(PARTS)) if index not in lost]
        assert all(found.result(member, index).included == {0, 2} for index in kept)


@pytest.mark.parametrize("how", BREAKS)
def test_a_reducer_lost_midway_leaves_what_it_had_sent(how: str) -> None:
    found = Round(3, links={(0, 1): MemberLink(aggregates=BREAKS[how])}).run()
    theirs = list(found.group.parts_of(1))
    assert found.missing(0) == theirs[1:]
    assert found.missing(2) == []
    assert found.result(0, theirs[0]).digest == found.result(2, theirs[0]).digest


NO_AGGREGATE: dict[str, Callable[[Message], None]] = {
    "a refusal": lambda message: setattr(message, "code", averaging_pb2.INTERNAL_ERROR),
    "no contributors": lambda message: setattr(message, "peer_id", b""),
    "contributors from elsewhere": lambda message: setattr(message, "peer_id", b"\xff"),
    "truncated": lambda message: setattr(message.tensor_part, "buffer", message.tensor_part.buffer[:-1]),
    "an infinite weight": lambda message: setattr(message, "weight", float("inf")),
}


@pytest.mark.parametrize("alter", NO_AGGREGATE.values(), ids=list(NO_AGGREGATE))
def test_a_reducers_nonsense_is_not_used(alter: Callable[[Message], None]) -> None:
    found = Round(3, links={(0, 1): MemberLink(aggregates=altered(1, alter))}).run()
    assert found.missing(0) == list(found.group.parts_of(1)[1:])
    for index in found.missing(0):
        assert not PARTS[index].gather(found.outputs[0]).any()


def test_all_members_hold_the_names_of_those_in_the_last_part() -> None:
    found = Round(3).run()
    names = [Contributor(peer_bytes(index), weight) for index, weight in enumerate((1.0, 2.0, 5.0))]
    for member in range(3):
        assert list(found.result(member, len(PARTS) - 1).contributors) == names
        assert not found.result(member, 0).contributors


def test_a_last_part_that_names_others_than_the_group_is_not_used() -> None:
    """Reducer 2 credits a peer that was not there."""
    stranger = Contributor(peer_bytes(9), 1.0)

    def credit(message: Message) -> None:
        part = ReducedPart.from_message(message, senders=3)
        named = (stranger, *part.contributors[1:])
        message.group_id = replace(part, contributors=named).as_message().group_id

    messages = len(Round(3).group.parts_of(2))
    found = Round(3, links={(0, 2): MemberLink(aggregates=altered(messages - 1, credit))}).run()
    assert found.runs[0].results[-1] is None
    assert found.runs[1].results[-1] is not None


def test_strangers_and_second_calls_are_refused() -> None:
    found = Round(2)

    async def call(run: AllReduce, peer: PeerID) -> list[int]:
        async def hesitating() -> Stream:
            await asyncio.Event().wait()
            yield averaging_pb2.AveragingData()

        context: Any = CallContext(peer)
        return [message.code async for message in run.rpc_aggregate_part(hesitating(), context)]

    async def work() -> None:
        member = found._member(0)
        assert await call(member, PeerID(peer_bytes(77))) == [averaging_pb2.PROTOCOL_VIOLATION]
        first = asyncio.create_task(call(member, found.group.members[1]))
        await asyncio.sleep(0)
        assert await call(member, found.group.members[1]) == [averaging_pb2.PROTOCOL_VIOLATION]
        first.cancel()
        await asyncio.wait({first})

    asyncio.run(work())


async def last_code(found: Round, sender: int, contributions: Stream) -> int:
    """Call the first member as that sender, and return the code of the last answer."""
    context: Any = CallContext(found.group.members[sender])
    answers = found.runs[0].rpc_aggregate_part(contributions, context)
    return [int(message.code) async for message in answers][-1]


def test_a_sender_whose_parts_are_never_reduced_is_told_so_after_the_exchange() -> None:
    """Else its stream, and what it sent, stay with a reducer whose exchange ended at its limit."""
    found = Round(
        3,
        shares=(1.0, 0.0, 0.0),
        limits=replace(LIMITS, sender_seconds=60.0, allreduce_seconds=0.3, reducer_seconds=0.2),
    )

    async def work() -> list[int]:
        found.runs = [found._member(index) for index in range(3)]
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
    found = Round(3, shares=(1.0, 0.0, 0.0), limits=long)

    async def work() -> list[int]:
        found.runs = [found._member(index) for index in range(3)]
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
