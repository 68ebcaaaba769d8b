"""Members of a group in one process that exchange, commit, and audit each other by real signatures."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import torch
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2

from core.admission.peer_key import PeerKey
from core.run.encodings import Encoding
from core.swarm.aggregation.rule import weighted_mean
from core.swarm.auditing.auditor import Auditor
from core.swarm.auditing.conduct import PeerConducts
from core.swarm.auditing.draw import AuditRules
from core.swarm.rounds.allreduce import AllReduce
from core.swarm.rounds.commit import root_digest
from core.swarm.rounds.events import unobserved
from core.swarm.rounds.group import Group
from core.swarm.rounds.partition import assign, cut
from core.swarm.wire.limits import TimeLimits
from tests.core.swarm.builders import digest_of, identity

RUN, EPOCH, PARENT = "run", 7, digest_of("parent")
PARTS = cut([(3000, Encoding.UNIFORM8), (1, Encoding.FLOAT32)], part_bytes=400)
LIMITS = TimeLimits(
    matchmaking_seconds=5.0,
    sender_seconds=20.0,
    reducer_seconds=40.0,
    allreduce_seconds=60.0,
    settle_seconds=0.1,
)
Account = Callable[[Iterable[Any]], Iterable[Any]]
Rule = Callable[[Sequence[torch.Tensor], Sequence[float]], torch.Tensor]


def flipped(tensors: Sequence[torch.Tensor], weights: Sequence[float]) -> torch.Tensor:
    return -weighted_mean(tensors, weights)


@dataclass
class AuditScene:
    """A round of four members, and the audits that follow; what is exchanged of a member is given by its index."""

    rules: dict[int, Rule] = field(default_factory=dict)
    accounts: dict[int, Account] = field(default_factory=dict)
    """What becomes of the messages of a member's accounts."""
    unreachable: frozenset[int] = frozenset()
    """Members that answer no question about an account."""
    refuses: Callable[["AuditScene", int, int], bool] = lambda scene, caller, callee: False
    """Tells by the indices of a caller and a member whether the member shows its accounts to all but the caller."""
    share: float = 1.0
    strange: tuple[int, ...] = ()
    """Reducers of whose parts all look into one."""
    seed: int = 0
    """Seed of the values that are averaged, on which the committed root and so the draw depends."""

    def __post_init__(self) -> None:
        self.members = tuple(identity(number).peer_id for number in range(4))
        self.group = Group(digest_of("group")[:20], self.members, (0, 1, 2, 3), assign(PARTS, [0.25] * 4))
        self.conducts = [PeerConducts() for _ in self.members]
        self.auditors = [self.auditor(number) for number in range(4)]
        self.reductions: list[AllReduce] = []

    def auditor(self, number: int) -> Auditor:
        return Auditor(
            self.members[number],
            PeerKey(identity(number).private_key._private_key),
            RUN,
            PARTS,
            conducts=self.conducts[number],
            stub_of=self.stubs(number),
            max_weight=100.0,
            rules=AuditRules(self.share),
        )

    def stubs(self, caller: int) -> Callable[[PeerID], Any]:
        return lambda peer: MemberCalls(self, caller, self.members.index(peer))

    def run(self, after: Callable[["AuditScene"], Any] | None = None) -> "AuditScene":
        """Exchange, commit and audit; call ``after`` at the end, in the event loop."""
        asyncio.run(asyncio.wait_for(self._run(after), 120))
        return self

    async def _run(self, after: Callable[["AuditScene"], Any] | None) -> None:
        for conducts in self.conducts:
            conducts.begin_round()
        self.reductions = [self.reduction(number) for number in range(4)]
        await asyncio.gather(*(item.run() for item in self.reductions))
        for auditor, item in zip(self.auditors, self.reductions, strict=True):
            parts = [part for part in item.results if part is not None]
            self.root = root_digest(EPOCH, PARENT, self.group.id, parts)
            strange = [self.group.owners.index(owner) for owner in self.strange]
            auditor.audit(item, LIMITS, self.root, dict(enumerate(parts)), strange)
        await self.settled()
        if after is not None:
            await after(self)
            await self.settled()
        for conducts in self.conducts:
            conducts.begin_round()

    async def settled(self) -> None:
        for _ in range(2):  # what one found, others verify
            for auditor in self.auditors:
                await auditor.settled()

    def reduction(self, number: int) -> AllReduce:
        draws = torch.Generator().manual_seed(number + 4 * self.seed)
        return AllReduce(
            self.group,
            self.members[number],
            PARTS,
            inputs=[torch.randn(3000, generator=draws), torch.ones(1)],
            outputs=[torch.zeros(3000), torch.zeros(1)],
            weight=5.0 + number,
            max_weight=100.0,
            rule=self.rules.get(number, weighted_mean),
            stub_of=self.stubs(number),
            limits=LIMITS,
            observe=unobserved,
            as_sent=True,
            witness=self.auditors[number].witness(EPOCH, PARENT, self.group),
        )

    def refused_by(self, number: int) -> tuple[int, ...]:
        return tuple(self.members.index(peer) for peer in self.conducts[number].refused)


class MemberCalls:
    """Calls another member's handlers as if over the network."""

    def __init__(self, scene: AuditScene, caller: int, callee: int) -> None:
        self._scene, self._callee = scene, callee
        self._context: Any = SimpleNamespace(remote_id=scene.members[caller])

    async def rpc_aggregate_part(self, stream: AsyncIterator[Any]) -> AsyncIterator[Any]:
        return self._scene.reductions[self._callee].rpc_aggregate_part(stream, self._context)

    async def rpc_fetch_account(self, request: Any) -> AsyncIterator[Any]:
        if self._callee in self._scene.unreachable:
            raise ConnectionRefusedError("nobody is there")
        caller = self._scene.members.index(self._context.remote_id)
        if self._scene.refuses(self._scene, caller, self._callee):
            return _stream([])
        found: Iterable[Any] = self._scene.auditors[self._callee].account(request, self._context.remote_id)
        exchanged = self._scene.accounts.get(self._callee)
        return _stream(found if exchanged is None else exchanged(found))

    async def rpc_report_finding(self, request: Any) -> AsyncIterator[Any]:
        self._scene.auditors[self._callee].receive(request.group_id, self._context.remote_id)
        return _stream([averaging_pb2.AveragingData(code=averaging_pb2.ACCEPTED)])


async def _stream(messages: Iterable[Any]) -> AsyncIterator[Any]:
    for message in messages:
        yield message
