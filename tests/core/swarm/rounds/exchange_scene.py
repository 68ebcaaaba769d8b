"""A round of all-reduce among members in one process, whose calls to each other can be made to fail."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from hivemind.p2p import P2PHandlerError, PeerID

from core.run.encodings import Encoding
from core.swarm.aggregation.rule import AggregationRule, weighted_mean
from core.swarm.rounds.allreduce import AllReduce
from core.swarm.rounds.events import RoundEvent
from core.swarm.rounds.group import Group
from core.swarm.rounds.partition import Part, assign, cut
from core.swarm.rounds.reduction import ReducedPart
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


def every(alter: Callable[[Message], None]) -> Wrap:
    """Change every message that passes."""

    async def alters(stream: Stream) -> Stream:
        async for message in stream:
            copy = type(message).FromString(message.SerializeToString())
            alter(copy)
            yield copy

    return alters


@dataclass
class MemberLink:
    """The changes to messages between two members, in both directions of a call."""

    contributions: Wrap = plainly
    aggregates: Wrap = plainly
    up: bool = True


@dataclass
class ExchangeScene:
    """Members of a group that share an event loop."""

    count: int = 3
    auxiliary: frozenset[int] = frozenset()
    links: dict[tuple[int, int], MemberLink] = field(default_factory=dict)
    absent: frozenset[int] = frozenset()
    shares: Sequence[float] = ()
    weights: Sequence[float] = (1.0, 2.0, 5.0, 3.0)
    parts: Sequence[Part] = PARTS
    limits: TimeLimits = LIMITS
    rule: AggregationRule = weighted_mean
    weight_cap: float | None = None
    users: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        members = tuple(PeerID(peer_bytes(index)) for index in range(self.count))
        senders = tuple(index for index in range(self.count) if index not in self.auxiliary)
        shares = self.shares or [1 / self.count] * self.count
        self.group = Group(
            digest_of("group")[:20], members, senders, assign(self.parts, shares), users=self.users
        )
        self.inputs = [
            [torch.randn(size, generator=torch.Generator().manual_seed(97 * index + size)) for size in SIZES]
            for index in range(self.count)
        ]
        self.outputs = [[torch.zeros(size) for size in SIZES] for _ in range(self.count)]
        self.events: list[list[tuple[RoundEvent, int]]] = [[] for _ in range(self.count)]
        self.runs: list[AllReduce] = []

    def run(self) -> "ExchangeScene":
        asyncio.run(asyncio.wait_for(self._run(), 20))
        return self

    async def _run(self) -> None:
        self.runs = [self.member(index) for index in range(self.count)]
        await asyncio.gather(*(run.run() for run in self.runs if run.rank not in self.absent))

    def member(self, index: int) -> AllReduce:
        return AllReduce(
            self.group,
            self.group.members[index],
            self.parts,
            inputs=self.inputs[index],
            outputs=() if index in self.auxiliary else self.outputs[index],
            weight=self.weights[index],
            max_weight=100.0,
            rule=self.rule,
            weight_cap=self.weight_cap,
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

    def __init__(self, found: ExchangeScene, caller: int, callee: int) -> None:
        self._round, self._caller, self._callee = found, caller, callee
        self._link = found.links.get((caller, callee), MemberLink())

    async def rpc_aggregate_part(self, stream: Stream) -> Stream:
        if not self._link.up or self._callee in self._round.absent:
            raise ConnectionRefusedError("nobody is there")
        context: Any = CallContext(self._round.group.members[self._caller])
        handler = self._round.runs[self._callee].rpc_aggregate_part(self._link.contributions(stream), context)
        return self._link.aggregates(handler)


BREAKS = {
    "breaks off": cut_after(1, P2PHandlerError("gone")),
    "ends early": cut_after(1),
    "falls silent": silent_after(1),
}
