"""Reviews a finished round for one member: it blames who caused losses, and begins the audits that are due."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from hivemind.p2p import PeerID

from core.run.aggregation import Aggregation
from core.run.rules import SwarmRules
from core.swarm.auditing.auditor import Auditor
from core.swarm.auditing.backoff import PeerFault
from core.swarm.auditing.blaming import RoundLosses, equivocating, faults_of, opposing
from core.swarm.auditing.conduct import PeerConducts
from core.swarm.auditing.round_witness import RoundWitness
from core.swarm.auditing.row_spans import RowClaim
from core.swarm.auditing.work_auditor import WorkAuditor
from core.swarm.rounds.allreduce import AllReduce
from core.swarm.rounds.group import Group
from core.swarm.rounds.round import RoundOutcome, RoundRequest, RoundStatus
from core.swarm.rounds.round_runner import RoundRunner

_OF_OWN_GROUP = (RoundStatus.AVERAGED, RoundStatus.COMPLETED)
"""Outcomes of a round whose own group was committed. A forged record may have put parts under its name else."""


@dataclass(frozen=True)
class BegunExchange:
    """The beginning of a group's exchange, as one member saw it."""

    leader: PeerID | None
    """The peer that announced the group; None if that was this member."""
    is_late: bool
    """True if most of the others may have given this member up, as they had begun long before it."""


class RoundReview:
    """Reviews each round of one peer, in the averager's process."""

    def __init__(
        self,
        peer_id: PeerID,
        rules: SwarmRules,
        runner: RoundRunner,
        *,
        conducts: PeerConducts,
        auditor: Auditor,
        work_auditor: WorkAuditor,
    ) -> None:
        """Prepare to review.

        Args:
            peer_id: id of this peer.
            rules: the run's rules.
            runner: runs this peer's rounds, and compares their aggregates with its own contributions.
            conducts: remember what others did.
            auditor: audits what reducers made of contributions.
            work_auditor: audits whether contributions are the work that they claim to be.
        """
        self._peer_id, self._runner = peer_id, runner
        self._conducts, self._auditor, self._work_auditor = conducts, auditor, work_auditor
        # Around the last aggregate members cannot tell what a reducer has to make of contributions: one that has
        # joined since, and one that has not kept it, clip around zero.
        self._is_audited = rules.aggregation is not Aggregation.CENTERED_CLIP
        self._is_recomputed = rules.recomputed_share is not None

    def witness(self, request: RoundRequest, group: Group, rows: RowClaim | None) -> RoundWitness | None:
        """Return the witness of a round that is about to begin; None in runs that audit nothing.

        Args:
            request: the round.
            group: its group.
            rows: the rows behind what this peer sends; None in runs whose work is not recomputed.
        """
        if not (self._is_audited or self._is_recomputed):
            return None
        return self._auditor.witness(request.epoch, request.head, group, rows, request.limits)

    async def committed(
        self,
        request: RoundRequest,
        reduction: AllReduce,
        outcome: RoundOutcome,
        witness: RoundWitness | None,
        begun: BegunExchange,
    ) -> None:
        """Review a round that ended with a commit, of whatever group.

        Args:
            request: the round, with the limits of the group.
            reduction: this peer's exchange.
            outcome: what came of it.
            witness: has what was sent to this peer; None in runs that audit nothing.
            begun: how the exchange began.
        """
        is_own = outcome.standing in _OF_OWN_GROUP
        await self._blame(reduction, witness, begun, is_committed=is_own, have_others_committed=not is_own)
        parts = self._runner.parts_of(reduction.group) if is_own else {}
        reducers = [reduction.group.members[owner] for owner in reduction.group.owners]
        for peer in equivocating(reducers, reduction.results, parts) - {self._peer_id}:
            self._conducts.blame(peer, PeerFault.OTHER_AGGREGATE)
        strange = self._strange_parts(reduction.group)
        if self._is_audited and is_own:
            self._auditor.audit(reduction, request.limits, outcome.head, parts, strange)
        else:
            self._auditor.look_into(reduction, request.limits, strange)
        self._note_work(witness)

    async def failed(
        self,
        request: RoundRequest,
        reduction: AllReduce,
        witness: RoundWitness | None,
        begun: BegunExchange,
        *,
        had_nothing_to_commit: bool,
    ) -> None:
        """Review a round after which this peer has no commit.

        Args:
            request: the round, with the limits of the group.
            reduction: this peer's exchange.
            witness: has what was sent to this peer; None in runs that audit nothing.
            begun: how the exchange began.
            had_nothing_to_commit: true for an auxiliary peer, whose round may have ended well.
        """
        await self._blame(reduction, witness, begun, is_committed=False)
        self._auditor.look_into(reduction, request.limits, self._strange_parts(reduction.group))
        if had_nothing_to_commit:
            self._note_work(witness)

    def broken_off(self, reduction: AllReduce, begun: BegunExchange) -> None:
        """Review a round that was given up as it took too long, although its exchange had ended.

        Else whoever only delays what follows would be blamed for nothing. ``reduction`` is this peer's exchange, and
        ``begun`` says how it began.
        """
        self._blame_losses(reduction, begun, is_committed=False)

    def _blame_losses(
        self,
        reduction: AllReduce,
        begun: BegunExchange,
        *,
        is_committed: bool,
        have_others_committed: bool = False,
    ) -> None:
        losses = RoundLosses.of(
            reduction,
            begun.leader,
            is_committed=is_committed,
            is_late=begun.is_late,
            have_others_committed=have_others_committed,
        )
        for peer, fault in faults_of(losses).items():
            self._conducts.blame(peer, fault)

    def _strange_parts(self, group: Group) -> Sequence[int]:
        return self._runner.strange_parts(group) if self._is_audited else ()

    def _note_work(self, witness: RoundWitness | None) -> None:
        if witness is not None and self._is_recomputed:
            self._work_auditor.note(witness)

    async def _blame(
        self,
        reduction: AllReduce,
        witness: RoundWitness | None,
        begun: BegunExchange,
        *,
        is_committed: bool,
        have_others_committed: bool = False,
    ) -> None:
        """Remember who failed this peer in an exchange, and who turned an aggregate to which it objected."""
        self._blame_losses(
            reduction, begun, is_committed=is_committed, have_others_committed=have_others_committed
        )
        if witness is None or witness.group.id not in self._runner.objected_to:
            return
        for peer in await asyncio.to_thread(opposing, witness, self._runner.reference, self._peer_id):
            self._conducts.blame(peer, PeerFault.OPPOSED)
