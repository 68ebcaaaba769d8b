"""The averager's part in rounds: it runs the round in a group, and reviews it.

It replaces what hivemind's averager does inside a round (`core.swarm.rounds.round_runner`).
"""

import asyncio
import dataclasses
import functools
import logging
import multiprocessing
import time
from collections.abc import Sequence

# hivemind tells streams from single messages by typing's own AsyncIterator in the annotations of rpc_ methods
from typing import AsyncIterator  # noqa: UP035

import torch
from hivemind.averaging.control import AveragingStage, StepControl
from hivemind.p2p import P2PContext
from hivemind.proto import averaging_pb2

from core.admission.peer_key import PeerKey
from core.swarm.aggregation.rule import rule_of
from core.swarm.auditing.auditor import Auditor
from core.swarm.auditing.round_review import BegunExchange, RoundReview
from core.swarm.auditing.row_spans import MOST_CLAIM_BYTES, RowClaim
from core.swarm.auditing.work_auditor import WorkAuditor
from core.swarm.auditing.work_draw import WorkDraw, share_while_accused
from core.swarm.averaging.group_averager import GroupAverager
from core.swarm.averaging.matchmaking import with_refused
from core.swarm.averaging.participant import RoundParticipant
from core.swarm.bandwidth import Line, Way
from core.swarm.combining.group_log import DHTGroupLog
from core.swarm.combining.swarm_combination import SwarmCombination
from core.swarm.rounds.allreduce import AllReduce
from core.swarm.rounds.commit_log import DHTCommitLog
from core.swarm.rounds.events import RoundEvent
from core.swarm.rounds.group import Group
from core.swarm.rounds.round import (
    NoGroup,
    NothingToCommit,
    RoundFailed,
    RoundOutcome,
    RoundRequest,
)
from core.swarm.rounds.round_runner import RoundRunner
from core.swarm.wire.limits import allow_for

_log = logging.getLogger(__name__)

_MOST_PARTS_OF_A_SAMPLE = 8
"""Parts of a peer's gradients that are held against recomputed ones: about 4 MB."""


class RoundAverager(GroupAverager):
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
        super().__init__(inputs, participant, line)
        self.outputs = tuple(outputs)
        self._is_auxiliary = participant.auxiliary
        self._own_key = PeerKey(participant.identity.private_key._private_key)
        self._rows = multiprocessing.RawArray("B", MOST_CLAIM_BYTES)
        """The packed claim of the rows that go into the next round, in the memory that both processes share."""
        self._rows_bytes = multiprocessing.RawValue("i", 0)
        self._has_accused = multiprocessing.RawValue("b", 0)
        """1 while a peer is accused of false work, in the memory that both processes share."""
        self._commit_log, self._group_log = self._logs(participant)
        self._auditor, self._work_auditor = self._auditors(participant)
        self._runner = self._round_runner(participant)
        self._review = RoundReview(
            participant.dht.peer_id,
            self._rules,
            self._runner,
            conducts=self._conducts,
            auditor=self._auditor,
            work_auditor=self._work_auditor,
        )

    def _logs(self, participant: RoundParticipant) -> tuple[DHTCommitLog, DHTGroupLog]:
        admission = participant.admission
        commits = DHTCommitLog(
            participant.dht,
            participant.prefix,
            participant.identity,
            self._certificate,
            has_pardoned=admission.convicted.has_pardoned if admission is not None else None,
        )
        groups = DHTGroupLog(
            participant.dht,
            participant.prefix,
            self._owner,
            seconds=self._rules.averaging_seconds,
            certificate=self._certificate,
        )
        return commits, groups

    def _auditors(self, participant: RoundParticipant) -> tuple[Auditor, WorkAuditor]:
        auditor = Auditor(
            participant.dht.peer_id,
            self._own_key,
            participant.prefix,
            self._parts,
            conducts=self._conducts,
            stub_of=self._stub,
            max_weight=float(self._rules.most_samples),
            rules=participant.audits,
        )
        work_auditor = WorkAuditor(
            participant.dht.peer_id,
            self._conducts,
            self._stub,
            _MOST_PARTS_OF_A_SAMPLE if self._rules.local_steps is None else None,
            on_suspicion=functools.partial(setattr, self._has_accused, "value"),
            contribution_of=auditor.contribution_of if self._rules.local_steps is None else None,
        )
        return auditor, work_auditor

    def _round_runner(self, participant: RoundParticipant) -> RoundRunner:
        rule = participant.rule or rule_of(self._rules)
        combination = SwarmCombination(
            participant.dht.peer_id,
            self._parts,
            self._rules,
            rule=rule,
            groups=self._group_log,
            commits=self._commit_log,
            kept=self._kept_rounds,
            stub_of=self._stub,
        )
        return RoundRunner(
            participant.dht.peer_id,
            self._parts,
            inputs=self._averaged_tensors,
            outputs=self.outputs,
            rules=self._rules,
            rule=rule,
            observe=self._observe,
            log=self._commit_log,
            kept=self._kept_rounds,
            stub_of=self._stub,
            rate=functools.partial(self.line.averager.rate, Way.DOWN),
            combiner=combination.combiner if self._rules.most_groups > 1 else None,
        )

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
        begun = BegunExchange(self._announced_by, self._is_late(group, request.limits.sender_seconds))
        witness = self._review.witness(request, group, self._named_rows)
        reduction = self._runner.all_reduce(group, request, weight, witness)
        running.set_result(reduction)
        before = [self.line.averager.passed(way) for way in Way]
        try:
            outcome, exchanged = await self._runner.run(request, reduction)
        except asyncio.CancelledError:
            if reduction.has_ended:
                self._review.broken_off(reduction, begun)
            raise
        except RoundFailed as ended:
            had_nothing = isinstance(ended, NothingToCommit)
            await self._review.failed(request, reduction, witness, begun, had_nothing_to_commit=had_nothing)
            if not isinstance(ended, NothingToCommit):
                raise
            raise NothingToCommit(ended.what, ended.exchange_seconds, self._store_seconds) from None
        await self._review.committed(request, reduction, outcome, witness, begun)
        moved = [self.line.averager.passed(way) - passed for way, passed in zip(Way, before, strict=True)]
        _log_outcome(request, outcome, len(self._parts), moved, exchanged)
        return outcome, exchanged

    @property
    def _store_seconds(self) -> tuple[float, ...]:
        return *self._commit_log.store_seconds, *self._group_log.store_seconds

    # --- called by other peers ----------------------------------------------------------------------------------

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
