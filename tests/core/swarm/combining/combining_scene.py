"""Several groups in one process that combine what they reduce, whose calls to each other can be made to fail."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from hivemind.p2p import P2PHandlerError, PeerID
from hivemind.proto import averaging_pb2
from hivemind.utils.asyncio import as_aiter

from core.run.encodings import Encoding
from core.run.rules import SwarmRules
from core.swarm.aggregation.rule import AggregationRule, weighted_mean
from core.swarm.combining.swarm_combination import SwarmCombination
from core.swarm.quorum.electorate import UNKNOWN, Electorate
from core.swarm.quorum.votes import Vote
from core.swarm.rounds.allreduce import AllReduce
from core.swarm.rounds.commit import Ballot, commit, record_of
from core.swarm.rounds.commit_log import CommitLog
from core.swarm.rounds.committed import CommittedRounds
from core.swarm.rounds.events import unobserved
from core.swarm.rounds.group import Group
from core.swarm.rounds.losses import pack_culprits
from core.swarm.rounds.partition import Part, assign, cut
from core.swarm.rounds.round import RoundRequest, exchange
from core.swarm.wire.group_records import GroupRecord
from core.swarm.wire.limits import TimeLimits
from core.swarm.wire.records import CommitRecord
from core.swarm.wire.streams import is_beat
from tests.core.swarm.builders import digest_of, peer_bytes
from tests.virtual_time import run_in_virtual_time

SIZES = (3000, 500)
PARTS = cut([(3000, Encoding.FLOAT32), (500, Encoding.FLOAT32)], part_bytes=1200)
HEAD = digest_of("head")
LIMITS = TimeLimits(
    matchmaking_seconds=3.0,
    sender_seconds=2.0,
    reducer_seconds=4.0,
    allreduce_seconds=6.0,
    settle_seconds=0.1,
)
RULES = SwarmRules(
    matchmaking_seconds=3.0, allreduce_seconds=6.0, averaging_seconds=21.0, group_size=3, most_groups=64
)
PATIENT: dict[str, Any] = {
    "limits": replace(LIMITS, sender_seconds=15.0, reducer_seconds=20.0, allreduce_seconds=20.0),
    "rules": RULES.model_copy(update={"allreduce_seconds": 20.0, "averaging_seconds": 130.0}),
}
"""Limits of scenes in which nothing is waited for: a busy machine may take its time."""
_SECONDS_TO_END = 12.0
"""Seconds in which tasks end that wait for nothing, on a busy machine; whoever waits for a limit takes 15 or more."""
Stream = AsyncIterator[Any]


class SharedLog:
    """The records of heads, as a DHT without delays has them."""

    def __init__(self) -> None:
        self.records: dict[bytes, GroupRecord] = {}
        self.written: list[GroupRecord] = []

    def of(self, owner: bytes) -> "LogOfPeer":
        return LogOfPeer(self, owner)


class LogOfPeer:
    def __init__(self, shared: SharedLog, owner: bytes) -> None:
        self._shared, self._owner = shared, owner

    async def read(self) -> Sequence[GroupRecord]:
        return list(self._shared.records.values())

    async def write(self, record: GroupRecord) -> bool:
        self._shared.records[self._owner] = record
        self._shared.written.append(record)
        return True


class SharedVotes:
    """The votes of all peers, as a DHT without delays has them."""

    def __init__(self) -> None:
        self.votes: dict[bytes, Vote] = {}
        self.written: list[CommitRecord] = []

    def of(self, owner: bytes) -> "VotesOfPeer":
        return VotesOfPeer(self, owner)


class VotesOfPeer(CommitLog):
    def __init__(self, shared: SharedVotes, owner: bytes) -> None:
        super().__init__()
        self._shared, self._owner = shared, owner

    async def _found(self, epoch: int) -> list[Vote]:
        return list(self._shared.votes.values())

    async def _store(self, record: CommitRecord) -> Vote | None:
        vote = self._shared.votes[self._owner] = Vote(self._owner, record)
        self._shared.written.append(record)
        return vote


@dataclass(frozen=True)
class PeerFailure:
    """A peer that is gone from a call on."""

    call: str
    """Name of the call in which it breaks off."""
    after: int = 0
    """Messages that it sends in that before, without signs of life."""
    calls: bool = False
    """True if it breaks off as the one that calls, and not as the one that is called."""
    withdraws: bool = False
    """True if it but leaves the round: its process goes on, and so do the calls that it is answering."""


@dataclass
class CombiningScene:
    """Groups of members that share an event loop; the last member of each reduces the last part, and is its head."""

    groups: int = 3
    size: int = 3
    failures: dict[int, PeerFailure] = field(default_factory=dict)
    """What becomes of the peer with a number: ``group * size + member``."""
    absent: frozenset[int] = frozenset()
    expected: int | None = None
    parts: Sequence[Part] = PARTS
    rule: AggregationRule = weighted_mean
    rules: SwarmRules = RULES
    limits: TimeLimits = LIMITS
    late: dict[int, float] = field(default_factory=dict)
    """Seconds after which the peers of a group begin, by its number."""
    slow: float = 0.0
    """Seconds that each aggregate takes from group to group."""
    refusing: frozenset[int] = frozenset()
    """Peers that reduce nothing: they tell senders that the first peer is to blame, and do not call the head."""
    withdrawn: frozenset[int] = frozenset()
    """Peers that withdraw from their exchange soon after it has begun."""
    electorate: Electorate = UNKNOWN
    """The users whose votes the heads count."""

    def __post_init__(self) -> None:
        self.announced, self.commits = SharedLog(), SharedVotes()
        self.teams = [self._team(number) for number in range(self.groups)]
        count = self.groups * self.size
        self.inputs = [
            [torch.randn(size, generator=torch.Generator().manual_seed(97 * index + size)) for size in SIZES]
            for index in range(count)
        ]
        self.outputs = [[torch.zeros(size) for size in SIZES] for _ in range(count)]
        self.weights = [float(1 + index % 5) for index in range(count)]
        self.runs: list[AllReduce] = []
        self.kept = [CommittedRounds() for _ in range(count)]
        self.dead, self.left = set[int](), set[int]()
        self.tasks: list[asyncio.Task[None]] = []
        self.still_running: set[asyncio.Task[Any]] = set()
        """Tasks that nobody had ended when all peers were done."""

    def _team(self, number: int) -> Group:
        members = tuple(PeerID(peer_bytes(number * self.size + index)) for index in range(self.size))
        owners = assign(self.parts, [1 / self.size] * self.size)
        return Group(digest_of(f"group {number}")[:20], members, tuple(range(self.size)), owners)

    def run(self) -> "CombiningScene":
        run_in_virtual_time(asyncio.wait_for(self.play(), 600))
        return self

    async def play(self) -> None:
        """Let all peers do their round, until each has ended."""
        before = asyncio.all_tasks()
        self.runs = [self._member(index) for index in range(self.groups * self.size)]
        self.tasks = [asyncio.create_task(self._begin(index)) for index in range(len(self.runs))]
        await asyncio.gather(*self.tasks, return_exceptions=True)
        if left := asyncio.all_tasks() - before:  # answers to peers that are gone end by themselves
            _, self.still_running = await asyncio.wait(left, timeout=_SECONDS_TO_END)

    async def _begin(self, index: int) -> None:
        if index in self.absent:
            return
        await asyncio.sleep(self.late.get(index // self.size, 0.0))
        run, log = self.runs[index], self.commits.of(peer_bytes(index))
        if index in self.withdrawn:
            asyncio.get_running_loop().call_later(0.3, self.kill, index)
        await exchange(run, self.limits)
        parts = [part for part in run.results if part is not None]
        if len(parts) == len(self.parts):
            limits = self.limits
            ballot = Ballot(
                0,
                HEAD,
                Electorate(own=f"/{PeerID(peer_bytes(index))}"),
                None,
                settle_seconds=limits.settle_seconds,
                patience_seconds=limits.reducer_seconds,
                longest_seconds=limits.reducer_seconds,
            )
            await commit(ballot, record_of(0, HEAD, run.group, parts), log, self._fetch, delays=run.delays)

    async def _fetch(self, record: CommitRecord) -> bool:
        return True

    def _member(self, index: int) -> AllReduce:
        team, peer = self.teams[index // self.size], PeerID(peer_bytes(index))
        combination = SwarmCombination(
            peer,
            self.parts,
            self.rules,
            rule=self.rule,
            groups=self.announced.of(peer_bytes(index)),
            commits=self.commits.of(peer_bytes(index)),
            kept=self.kept[index],
            stub_of=lambda callee: CombiningStub(self, index, callee),
        )
        request = RoundRequest(
            0,
            HEAD,
            self.expected or self.groups * self.size,
            self.limits,
            timeout_seconds=6.0,
            started_at=0.0,
            electorate=self.electorate,
        )
        return AllReduce(
            team,
            peer,
            self.parts,
            inputs=self.inputs[index],
            outputs=self.outputs[index],
            weight=self.weights[index],
            max_weight=100.0,
            rule=self.rule,
            stub_of=lambda callee: CombiningStub(self, index, callee),
            limits=self.limits,
            observe=unobserved,
            combining_seconds=self.rules.combining_seconds,
            combiner=lambda own: combination.combiner(team, request, own),
        )

    def kill(self, index: int) -> None:
        """End all that the peer with that number does."""
        self.dead.add(index)
        self.tasks[index].cancel()

    def withdraw(self, index: int) -> None:
        """Let the peer with that number leave its round; it answers no new call for it."""
        self.left.add(index)
        self.tasks[index].cancel()

    def members_of(self, *groups: int) -> list[int]:
        return [group * self.size + index for group in groups for index in range(self.size)]

    def exact(self, members: Sequence[int], part: Part) -> torch.Tensor:
        return weighted_mean(
            [part.gather(self.inputs[index]) for index in members], [self.weights[index] for index in members]
        )


class CombiningStub:
    """Calls another peer's handlers as if over the network."""

    def __init__(self, scene: CombiningScene, caller: int, callee: PeerID) -> None:
        self._scene, self._caller = scene, PeerID(peer_bytes(caller))
        self._number = caller
        names = [peer_bytes(index) for index in range(scene.groups * scene.size)]
        self._callee = names.index(callee.to_bytes())

    @property
    def _is_gone(self) -> bool:
        gone = self._scene.dead | self._scene.absent
        return self._callee in gone or self._number in gone

    async def _call(self, name: str, answers: Stream) -> Stream:
        if self._is_gone:
            raise ConnectionRefusedError("nobody is there")
        if self._callee in self._scene.left:
            answers = as_aiter(averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID))
        return self._passed(name, answers)

    async def _passed(self, name: str, answers: Stream) -> Stream:
        passed = 0
        async for message in answers:
            self._fail(self._callee, name, message, passed, calls=False)
            if self._is_gone:
                raise P2PHandlerError("gone")
            passed += not is_beat(message)
            await asyncio.sleep(0.0 if is_beat(message) or name != "combine" else self._scene.slow)
            yield message

    def _fail(self, peer: int, name: str, message: Any, passed: int, *, calls: bool) -> None:
        failure = self._scene.failures.get(peer)
        if failure is None or (failure.call, failure.calls) != (name, calls) or is_beat(message):
            return
        if passed >= failure.after:
            (self._scene.withdraw if failure.withdraws else self._scene.kill)(peer)

    async def _requests(self, name: str, stream: Stream) -> Stream:
        sent = 0
        async for message in stream:
            self._fail(self._number, name, message, sent, calls=True)
            sent += not is_beat(message)
            if self._is_gone:
                return
            yield type(message).FromString(message.SerializeToString())

    async def _first(self, requests: Stream) -> Any:
        async for first in requests:
            return first
        raise ConnectionRefusedError("nobody is there")

    async def rpc_aggregate_part(self, stream: Stream) -> Stream:
        context: Any = CallOfPeer(self._caller)
        if self._callee in self._scene.refusing:
            named = pack_culprits([peer_bytes(0)])
            failure = averaging_pb2.AveragingData(code=averaging_pb2.INTERNAL_ERROR, peer_id=named)
            return await self._call("aggregate", as_aiter(failure))
        run = self._scene.runs[self._callee]
        return await self._call(
            "aggregate", run.rpc_aggregate_part(self._requests("aggregate", stream), context)
        )

    async def rpc_follow_head(self, stream: Stream) -> Stream:
        if self._number in self._scene.refusing:
            raise ConnectionRefusedError("it does not call")
        requests = self._requests("follow", stream)
        await self._first(requests)
        combiner = self._scene.runs[self._callee].combiner
        assert combiner is not None
        return await self._call("follow", combiner.answer_reducer(requests, self._caller))

    async def rpc_combine_parts(self, stream: Stream) -> Stream:
        requests = self._requests("combine", stream)
        first = await self._first(requests)
        combiner = self._scene.runs[self._callee].combiner
        assert combiner is not None
        assert first.group_id == self._scene.runs[self._callee].group.id
        return await self._call("combine", combiner.answer_group(first, requests, self._caller))

    async def rpc_describe_group(self, request: Any) -> Stream:
        combiner = self._scene.runs[self._callee].combiner
        assert combiner is not None
        return await self._call("describe", as_aiter(combiner.reducers))


class CallOfPeer:
    def __init__(self, remote_id: PeerID) -> None:
        self.remote_id = remote_id
