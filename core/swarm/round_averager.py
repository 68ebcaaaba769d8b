"""The averager's part in rounds: it looks for a group, runs the round in it, and answers the group's members.

It builds on hivemind's averager for its process, matchmaking and RPC, and replaces the work inside a round
(`core.swarm.rounds.round_runner`).
"""

import asyncio
import contextlib
import dataclasses
import functools
import hashlib
import logging
import math
import multiprocessing
import time
from collections.abc import Iterator, Sequence

# hivemind tells streams from single messages by typing's own AsyncIterator in the annotations of rpc_ methods
from typing import Any, AsyncIterator, cast  # noqa: UP035

import hivemind
import torch
from hivemind.averaging.allreduce import AveragingMode
from hivemind.averaging.control import AveragingStage, StepControl
from hivemind.averaging.group_info import GroupInfo
from hivemind.dht import DHTID
from hivemind.p2p import P2PContext, PeerID
from hivemind.proto import averaging_pb2
from hivemind.utils.asyncio import achain, as_aiter

from core.admission.peer_key import PeerKey
from core.run.rules import SwarmRules
from core.swarm.admission.admission import Admission
from core.swarm.aggregation.rule import AggregationRule, rule_of
from core.swarm.auditing.auditor import Auditor
from core.swarm.auditing.conduct import PeerConducts
from core.swarm.auditing.draw import USUAL_AUDITS, AuditRules
from core.swarm.auditing.round_review import RoundReview
from core.swarm.auditing.row_spans import MOST_CLAIM_BYTES, RowClaim
from core.swarm.auditing.work_auditor import WorkAuditor
from core.swarm.auditing.work_draw import WorkDraw, share_while_accused
from core.swarm.bandwidth import Line, Way
from core.swarm.combining.group_log import DHTGroupLog
from core.swarm.combining.swarm_combination import SwarmCombination
from core.swarm.matchmaking import (
    FalseGroup,
    aim,
    group_of,
    named_by_content,
    require_own_entry,
    with_refused,
)
from core.swarm.rounds.allreduce import AllReduce, PartsCombiner
from core.swarm.rounds.commit_log import DHTCommitLog
from core.swarm.rounds.events import Observer, RoundEvent, unobserved
from core.swarm.rounds.group import Group
from core.swarm.rounds.partition import Part
from core.swarm.rounds.round import (
    NoGroup,
    NothingToCommit,
    RoundFailed,
    RoundOutcome,
    RoundRequest,
)
from core.swarm.rounds.round_runner import RoundRunner
from core.swarm.serving import ServingAverager
from core.swarm.state.state_donor import StateDonor
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.limits import allow_for
from core.swarm.wire.own_certificate import OwnCertificate

_log = logging.getLogger(__name__)

_MOST_PARTS_OF_A_SAMPLE = 8
"""Parts of a peer's gradients that are held against recomputed ones: about 4 MB."""


@dataclasses.dataclass(frozen=True)
class RoundParticipant:
    """A peer as a participant of the rounds of one run."""

    parts: Sequence[Part]
    """Parts into which all peers of the run cut their tensors, in order.

    The weight of the last one counts the epoch's samples.
    """
    dht: "hivemind.DHT"
    """Running DHT node of this peer."""
    identity: PeerIdentity
    """Identity under whose owner key this peer's commit records are stored."""
    prefix: str
    """DHT prefix of the run."""
    rules: SwarmRules
    """Bounds of the seconds of matchmaking and exchange, the size of a group, and the samples of a member."""
    client_mode: bool = False
    """True if the peer never accepts incoming connections: it neither reduces nor gives its state."""
    auxiliary: bool = False
    """True if the peer only reduces. Not possible in client mode."""
    bandwidth: float | None = None
    """Largest bandwidth that the group learns, in bytes a second; None leaves that to the caps of the line."""
    admission: Admission | None = None
    """Admission of this peer; None in an open run."""
    rule: AggregationRule | None = None
    """Combination of the contributions to each part that is reduced here; None for the run's own."""
    audits: AuditRules = USUAL_AUDITS
    """Share of the rounds' bytes that is spent on audits; the same for all peers of a run."""
    observe: Observer = unobserved
    """Receiver of each event of a round and its count there, called in the averager's process."""
    donor: StateDonor | None = None
    """Giver of this peer's state; None is one with the usual bounds."""


class RoundAverager(ServingAverager):
    """An averager that runs rounds in its process, over ``inputs`` and into ``outputs``."""

    def __init__(
        self,
        inputs: Sequence[torch.Tensor],
        outputs: Sequence[torch.Tensor],
        participant: RoundParticipant,
        line: Line,
    ) -> None:
        """Prepare the rounds of ``participant``; the process is not forked yet.

        Args:
            inputs: float32 CPU tensors, which the trainer fills for each round (`get_tensors`); they are moved into
                shared memory.
            outputs: tensors of the same shapes in shared memory for the aggregates; none for a peer that needs none.
            participant: this peer, its run, and what it does in rounds.
            line: the connection that all messages pass, with its caps and counts.
        """
        rules = participant.rules
        super().__init__(
            averaged_tensors=inputs,
            dht=participant.dht,
            start=False,
            prefix=participant.prefix,
            min_matchmaking_time=rules.matchmaking_seconds,
            request_timeout=rules.matchmaking_seconds / 3,
            client_mode=participant.client_mode,
            auxiliary=participant.auxiliary,
            bandwidth=participant.bandwidth,
            admission=participant.admission,
            donor=participant.donor,
        )
        self._parts, self._rules, self._observe = tuple(participant.parts), rules, participant.observe
        self._is_auxiliary = participant.auxiliary
        self.line, self.outputs = line, tuple(outputs)
        self._called_at = multiprocessing.RawValue("d", -math.inf)
        """Monotonic time of the last call for a round, in the memory that both processes share."""
        self._rows = multiprocessing.RawArray("B", MOST_CLAIM_BYTES)
        """The packed claim of the rows that go into the next round, in the memory that both processes share."""
        self._rows_bytes = multiprocessing.RawValue("i", 0)
        self._has_accused = multiprocessing.RawValue("b", 0)
        """1 while a peer is accused of false work, in the memory that both processes share."""
        self._called: dict[bytes, asyncio.Event] = {}
        """Groups that wait for their first sender, in the averager's process of an auxiliary peer."""
        certificate = OwnCertificate(participant.admission)
        self._owner, self._certificate = participant.identity.owner, certificate
        admission = participant.admission
        self._commit_log = DHTCommitLog(
            participant.dht,
            participant.prefix,
            participant.identity,
            certificate,
            has_pardoned=admission.convicted.has_pardoned if admission is not None else None,
        )
        self._group_log = DHTGroupLog(
            participant.dht,
            participant.prefix,
            participant.identity.owner,
            seconds=rules.averaging_seconds,
            certificate=certificate,
        )
        self._combination = SwarmCombination(
            participant.dht.peer_id,
            self._parts,
            rules,
            rule=participant.rule or rule_of(rules),
            groups=self._group_log,
            commits=self._commit_log,
            kept=self._kept_rounds,
            stub_of=self._stub,
        )
        self._conducts = PeerConducts()
        self._auditor = Auditor(
            participant.dht.peer_id,
            PeerKey(participant.identity.private_key._private_key),
            participant.prefix,
            self._parts,
            conducts=self._conducts,
            stub_of=self._stub,
            max_weight=float(rules.most_samples),
            rules=participant.audits,
        )
        self._own_key = PeerKey(participant.identity.private_key._private_key)
        self._work_auditor = WorkAuditor(
            participant.dht.peer_id,
            self._conducts,
            self._stub,
            _MOST_PARTS_OF_A_SAMPLE if rules.local_steps is None else None,
            on_suspicion=functools.partial(setattr, self._has_accused, "value"),
        )
        self._runner = self._round_runner(participant)
        self._review = RoundReview(
            participant.dht.peer_id,
            rules,
            self._runner,
            conducts=self._conducts,
            auditor=self._auditor,
            work_auditor=self._work_auditor,
        )

    def _round_runner(self, participant: RoundParticipant) -> RoundRunner:
        return RoundRunner(
            participant.dht.peer_id,
            self._parts,
            inputs=self._averaged_tensors,
            outputs=self.outputs,
            rules=self._rules,
            rule=participant.rule or rule_of(self._rules),
            observe=self._observe,
            log=self._commit_log,
            kept=self._kept_rounds,
            stub_of=self._stub,
            rate=functools.partial(self.line.averager.rate, Way.DOWN),
            combiner=self._combination.combiner if self._rules.most_groups > 1 else None,
        )

    @property
    def seconds_since_call(self) -> float:
        """Seconds since another peer called this one for a round; infinite if none did."""
        return time.monotonic() - float(self._called_at.value)

    def name_rows(self, rows: RowClaim) -> None:
        """Name the rows behind what goes into the round whose exchange is about to begin."""
        packed = rows.pack()
        self._rows[: len(packed)] = packed
        self._rows_bytes.value = len(packed)

    def work_draw(self, epoch: int, head: bytes) -> WorkDraw | None:
        """Return this peer's draw if it audits the work that is computed from ``head`` on, in ``epoch``, else None.

        While others accuse a peer, audits are drawn more often.
        """
        share = self._rules.recomputed_share or 0.0
        if not share or self.client_mode:
            return None
        draw = WorkDraw.of(self._own_key, self.prefix, epoch, head)
        return draw if draw.audits(share_while_accused(share) if self._has_accused.value else share) else None

    # --- inside the averager's process --------------------------------------------------------------------------

    @property
    def _named_rows(self) -> RowClaim | None:
        """The rows behind what goes into the round; None in runs whose work is not recomputed."""
        if self._rules.recomputed_share is None:
            return None
        return RowClaim.unpack(bytes(self._rows[: self._rows_bytes.value]))

    async def _round(self, request: RoundRequest, step: StepControl) -> RoundOutcome:
        began = time.monotonic()
        self._conducts.begin_round()
        step._data_for_gather = with_refused(step.data_for_gather, self._conducts.refused)
        try:
            info = await self._find_group(request, step)
        except NoGroup:
            outcome = None if self._is_auxiliary else await self._runner.vote(request)
            if outcome is None:
                raise
            return dataclasses.replace(outcome, store_seconds=self._store_seconds)
        matched = time.monotonic() - began
        group = self._group_of(info, step)
        _log_group(request, group, matched)
        self._observe(RoundEvent.GROUPED, 1)
        limits = allow_for(request.limits, group.seconds, self._rules)
        with self._answering(info) as running:
            step.stage = AveragingStage.AWAITING_TRIGGER
            await (self._await_sender(group, step) if self._is_auxiliary else step.wait_for_trigger())
            step.stage = AveragingStage.RUNNING_ALLREDUCE
            request = dataclasses.replace(request, limits=limits)
            outcome, exchanged = await self._exchange(request, group, step.weight, running)
        alone = len(group.members) == 1
        return dataclasses.replace(
            outcome,
            matchmaking_seconds=None if alone else matched,
            exchange_seconds=None if alone else exchanged,
            store_seconds=self._store_seconds,
        )

    async def _exchange(
        self, request: RoundRequest, group: Group, weight: float, running: "asyncio.Future[AllReduce | None]"
    ) -> tuple[RoundOutcome, float]:
        """Exchange in ``group``, commit, and review the round; return its outcome and the seconds of exchanging.

        ``running`` learns of the exchange, for members that call before it has begun.
        """
        _log.info("Epoch %d: group %s begins to exchange.", request.epoch, group.id.hex()[:8])
        witness = self._review.witness(request, group, self._named_rows)
        reduction = self._runner.all_reduce(group, request, weight, witness)
        running.set_result(reduction)
        before = [self.line.averager.passed(way) for way in Way]
        try:
            outcome, exchanged = await self._runner.run(request, reduction)
        except RoundFailed as ended:
            had_nothing = isinstance(ended, NothingToCommit)
            await self._review.failed(
                request, reduction, witness, self._announced_by, had_nothing_to_commit=had_nothing
            )
            if not isinstance(ended, NothingToCommit):
                raise
            raise NothingToCommit(ended.what, ended.exchange_seconds, self._store_seconds) from None
        await self._review.committed(request, reduction, outcome, witness, self._announced_by)
        moved = [self.line.averager.passed(way) - passed for way, passed in zip(Way, before, strict=True)]
        _log_outcome(request, outcome, len(self._parts), moved, exchanged)
        return outcome, exchanged

    def _group_of(self, info: GroupInfo, step: StepControl) -> Group:
        """Return the group in ``info``; raises RoundFailed, and remembers the leader, if it was announced falsely."""
        try:
            require_own_entry(info, self.peer_id, step.data_for_gather)
            return group_of(info, self._parts, self._rules, self._users_of(info.peer_ids))
        except FalseGroup:
            self._review.blame_leader(self._announced_by)
            raise

    @property
    def _announced_by(self) -> PeerID | None:
        """The peer that announced the last group; None for this peer, and before it has looked for any."""
        return getattr(self._matchmaking, "announced_by", None)

    @property
    def _store_seconds(self) -> tuple[float, ...]:
        return *self._commit_log.store_seconds, *self._group_log.store_seconds

    async def _find_group(self, request: RoundRequest, step: StepControl) -> GroupInfo:
        if request.expected_peers <= 1:
            await self._require_admitted(())
            return GroupInfo(_lone_group(request, self.peer_id), (self.peer_id,), (step.data_for_gather,))
        step.stage = AveragingStage.LOOKING_FOR_GROUP
        self._observe(RoundEvent.LOOKING, 1)
        self._pending_groups_registered.clear()  # a groupmate may learn of the group before us, and come first
        aim(
            self._matchmaking,
            request,
            dht=self.dht,
            prefix=self.prefix,
            schema=self._schema,
            rules=self._rules,
            owner=self._owner,
            certificate=self._certificate,
            leads=self._mode(request) is not AveragingMode.CLIENT,
            avoided=self._conducts.avoided(request.expected_peers - 1),
        )
        self._matchmaking.client_mode = self._mode(request) is AveragingMode.CLIENT
        self._expect_membership()
        info = None
        try:
            found = await self._matchmaking.look_for_group(step)
            if found is not None:
                await self._require_admitted(found.peer_ids)
                info = named_by_content(found)
        except FalseGroup:
            self._review.blame_leader(self._announced_by)
            raise
        finally:
            if info is None:
                self._pending_groups_registered.set()
        if info is None:
            raise NoGroup("No group formed in time.")
        return cast(GroupInfo, info)

    @contextlib.contextmanager
    def _answering(self, info: GroupInfo) -> "Iterator[asyncio.Future[AllReduce | None]]":
        """Answer callers of the group ``info``; yield the future of its exchange, for which early callers wait.

        A group that this peer leaves before it has begun gets None, so that those callers are refused. hivemind would
        let them wait for ever, and would never read that they had gone.
        """
        with self._register_allreduce_group(info):
            running = self._running_groups[info.group_id]
            try:
                yield running
            finally:
                if not running.done():
                    running.set_result(None)

    async def _await_sender(self, group: Group, step: StepControl) -> None:
        """Wait until a sender of ``group`` calls: only trainers know when their batch is complete.

        The time in which the others must begin runs from then on. Raises RoundFailed if none calls in time.
        """
        called = self._called.setdefault(group.id, asyncio.Event())
        try:
            # longer than trainers compute on after they began to look: a group that withdrew must not hold this peer
            await asyncio.wait_for(
                called.wait(), 2 * self._rules.matchmaking_seconds + self._rules.allreduce_seconds
            )
            step.allow_allreduce()
        except TimeoutError as error:
            raise RoundFailed("No member of the group began to exchange.") from error
        finally:
            del self._called[group.id]

    def _mode(self, request: RoundRequest) -> AveragingMode:
        """Return what is announced to the group: a peer in client mode neither leads a group nor reduces in it."""
        return self.mode if request.accepts_connections else AveragingMode.CLIENT

    @property
    def _announced(self) -> float | None:
        return min((rate for rate in (self.bandwidth, self.line.announced) if rate is not None), default=None)

    def _stub(self, peer: PeerID) -> Any:
        return self.get_stub(self._p2p, peer, namespace=self.prefix)

    @property
    def _schema(self) -> bytes:
        return hashlib.sha256(repr(self._parts).encode()).digest()

    # --- called by other peers ----------------------------------------------------------------------------------

    async def rpc_join_group(
        self, request: averaging_pb2.JoinRequest, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.MessageFromLeader]:
        """Let the caller join this peer's group, as hivemind does.

        ``request`` and ``context`` are hivemind's. Callers that are not admitted are refused.
        """
        self._called_at.value = time.monotonic()
        async for message in super().rpc_join_group(request, context):
            yield message

    async def rpc_aggregate_part(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take a group member's contributions to the parts reduced here, and answer with their aggregates.

        ``stream`` holds the caller's parts, the first of which names the group; ``context`` names the caller.
        Unknown groups, groups that this peer left before it began, and peers outside the group are refused. No caller
        waits for longer than an exchange may take, which is as long as it waits itself.
        """
        self._called_at.value = time.monotonic()
        request = await self._first(stream)
        reduction = await self._exchange_of(request.group_id)
        if reduction is None:
            yield averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)
            return
        async for message in reduction.rpc_aggregate_part(achain(as_aiter(request), stream), context):
            yield message

    async def _exchange_of(self, group: bytes) -> AllReduce | None:
        """Return the exchange of a ``group`` (its id) once it has begun; None if this peer has none of it."""
        if group not in self._running_groups:
            # the leader's message may have reached others of the group before us
            await asyncio.wait_for(self._pending_groups_registered.wait(), self._rules.allreduce_seconds)
        if group in self._called:
            self._called[group].set()
        running = self._running_groups.get(group)
        if running is None:
            return None
        return cast(
            AllReduce | None, await asyncio.wait_for(asyncio.shield(running), self._rules.allreduce_seconds)
        )

    async def rpc_fetch_account(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Show a member of the group what this peer received of a part that it reduced.

        ``request`` names the group and the part; ``context`` names the caller.
        """
        for message in self._auditor.account(request, context.remote_id):
            yield message

    async def rpc_report_finding(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take the finding of another member's audit, which is verified before anything follows from it.

        ``request`` holds the finding as its group id; ``context`` names the caller.
        """
        self._auditor.receive(request.group_id, context.remote_id)
        yield averaging_pb2.AveragingData(code=averaging_pb2.ACCEPTED)

    async def rpc_suspect_work(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take the suspicion of another member that a peer's work is false, which leads to an audit of that peer.

        ``request`` names the peer, and says if a drift was useless; ``context`` names the caller.
        """
        taken = self._work_auditor.suspect(request, context.remote_id)
        code = averaging_pb2.ACCEPTED if taken else averaging_pb2.PROTOCOL_VIOLATION
        yield averaging_pb2.AveragingData(code=code)

    async def rpc_follow_head(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take the reports of a reducer of a group that this peer heads, and answer with orders.

        ``stream`` holds the reports after a message that names the group; ``context`` names the caller.
        """
        combiner = await self._combiner_of((await self._first(stream)).group_id)
        if combiner is None:
            yield averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)
            return
        async for message in combiner.answer_reducer(stream, context.remote_id):
            yield message

    async def rpc_combine_parts(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take the means of a reducer of another group, and answer with the aggregates of all groups.

        ``stream`` holds the means after a message that names this peer's group; ``context`` names the caller.
        """
        request = await self._first(stream)
        combiner = await self._combiner_of(request.group_id)
        if combiner is None:
            yield averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)
            return
        async for message in combiner.answer_group(request, stream, context.remote_id):
            yield message

    async def rpc_describe_group(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Tell the head of another group who reduces each part of a group.

        ``request`` names the group; ``context`` is not used.
        """
        combiner = await self._combiner_of(request.group_id)
        yield (
            averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)
            if combiner is None
            else combiner.reducers
        )

    async def _first(self, stream: AsyncIterator[averaging_pb2.AveragingData]) -> averaging_pb2.AveragingData:
        return await asyncio.wait_for(anext(stream), self._rules.allreduce_seconds)

    async def _combiner_of(self, group: bytes) -> PartsCombiner | None:
        """Return this peer's part in the combination of a ``group`` (its id); None if it has none."""
        reduction = await self._exchange_of(group)
        return None if reduction is None else reduction.combiner


def _log_group(request: RoundRequest, group: Group, seconds: float) -> None:
    _log.info(
        "Epoch %d: group %s of %d peers (%d expected) after %.1f s: %s; reducers: %s.",
        request.epoch,
        group.id.hex()[:8],
        len(group.members),
        request.expected_peers,
        seconds,
        ", ".join(map(str, group.members)),
        ", ".join(str(group.members[owner]) for owner in sorted(set(group.owners))),
    )


def _log_outcome(
    request: RoundRequest, outcome: RoundOutcome, parts: int, moved: Sequence[int], seconds: float
) -> None:
    _log.info(
        "Epoch %d: %s; %g samples of %d peers; our own in %d of %d parts; %d bytes sent, %d received, in %.2f s.",
        request.epoch,
        outcome.standing,
        outcome.samples,
        outcome.members,
        len(outcome.included_parts),
        parts,
        *moved,
        seconds,
    )


def _lone_group(request: RoundRequest, peer_id: PeerID) -> bytes:
    """Return the id of a group of ``peer_id`` alone, which the root of its commit covers.

    It is random, but for a peer that repeats epochs exactly: rows that others can recompute follow from that root.
    """
    if not request.electorate.is_closed:
        return bytes(DHTID.generate().to_bytes())
    return bytes(DHTID.generate(source=(peer_id.to_base58(), request.epoch, request.head)).to_bytes())
