"""Takes one peer's rounds from a formed group to a committed epoch; works in the averager's process.

No round overwrites its inputs, and its outputs mean something only once there is a RoundOutcome.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from hivemind.p2p import PeerID

from core.failure_series import FailureSeries
from core.run.rules import SwarmRules
from core.swarm.aggregation.rule import AggregationRule
from core.swarm.quorum.decision import QuorumDecision, backing, decided, leading, record_in
from core.swarm.quorum.votes import Vote
from core.swarm.rounds.allreduce import AllReduce, PartsCombiner
from core.swarm.rounds.combination import seconds_to_commit
from core.swarm.rounds.commit import Ballot, commit, record_of
from core.swarm.rounds.commit_log import CommitLog
from core.swarm.rounds.committed import CommittedRound, CommittedRounds, FetchFailed, complete
from core.swarm.rounds.events import Observer
from core.swarm.rounds.group import Group
from core.swarm.rounds.own_parts import OwnParts
from core.swarm.rounds.partition import Part
from core.swarm.rounds.plausibility import ComparedAggregate, OwnReference, strange_parts
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.rounds.round import (
    NothingToCommit,
    RoundFailed,
    RoundOutcome,
    RoundRequest,
    RoundStatus,
    exchange,
    outcome_of,
    settle,
    write_outputs,
)
from core.swarm.rounds.summary import fetch_summary
from core.swarm.rounds.witness import PartWitness
from core.swarm.wire.records import CommitRecord
from core.swarm.wire.rendezvous import spread

_log = logging.getLogger(__name__)

_MOST_STEPS_BACK = 64
"""Most commits that are followed back to the one that is needed: as many rounds as auxiliary peers keep."""
_DONORS_OF_SUMMARY = 6
_REMEMBERED_GROUPS = 64
_REMEMBERED_DONORS = 64
_HEADS_ASKED = 4
LEAST_PAUSE_SECONDS = 2.0
"""Seconds between two looks for votes of others, at least, of a peer that has no round."""


class RoundRunner:
    """Runs the rounds of one peer; without ``outputs`` it is an auxiliary peer, which only reduces."""

    def __init__(
        self,
        peer_id: PeerID,
        parts: Sequence[Part],
        *,
        inputs: Sequence[torch.Tensor],
        outputs: Sequence[torch.Tensor],
        rules: SwarmRules,
        rule: AggregationRule,
        observe: Observer,
        log: CommitLog,
        kept: CommittedRounds,
        stub_of: Callable[[PeerID], Any],
        rate: Callable[[], float],
        combiner: Callable[[Group, RoundRequest, OwnParts], PartsCombiner] | None = None,
    ) -> None:
        """Prepare to run the rounds of one peer.

        Args:
            peer_id: id of this peer.
            parts: the parts of the run's rounds, in order.
            inputs: this peer's tensors, filled before each round: float32 on the CPU, in their own shapes.
            outputs: tensors of the same shapes, into which aggregates are written; none for an auxiliary peer.
            rules: the run's rules; the samples of an epoch bound the weight that a member may claim.
            rule: combines the contributions to each part that is reduced here.
            observe: called with each event and its count in the round.
            log: the log of the run's commit records.
            kept: receives committed rounds, to be given to other peers.
            stub_of: gives the RPC stub of a peer.
            rate: gives the bytes of messages a second that may come at present; infinite without a limit.
            combiner: makes this peer's part in the combination of a group with others; None in a run without any.
        """
        self._peer_id, self._parts, self._inputs, self._outputs = peer_id, parts, inputs, outputs
        self._rules, self._rule, self._observe = rules, rule, observe
        self._log, self._kept, self._stub_of, self._rate = log, kept, stub_of, rate
        self._combiner = combiner
        self.reference = OwnReference(parts, inputs)
        """This peer's own contributions, beside which it holds what others send."""
        self._own_groups: deque[bytes] = deque(maxlen=_REMEMBERED_GROUPS)
        self._slow: deque[PeerID] = deque(maxlen=_REMEMBERED_DONORS)
        """Peers whose turn to give what this peer lacked ended before they were done: they are asked last."""
        self._fetches = FailureSeries(_log, "Fetching the summary of a round")
        self.objected_to: deque[bytes] = deque(maxlen=_REMEMBERED_GROUPS)
        """Ids of the groups of this peer's own whose aggregates are not plausible beside its contributions."""
        self._compared: tuple[bytes, ComparedAggregate] | None = None
        """Id of the last group of this peer's own whose aggregate was compared, and that aggregate."""

    def all_reduce(
        self, group: Group, request: RoundRequest, weight: float, witness: PartWitness | None = None
    ) -> AllReduce:
        """Return the exchange of the parts in ``group`` under the limits of ``request``; ``weight`` is in samples.

        The ``witness`` states and keeps contributions. This peer's own ones are as the others would decode them, like
        everyone's: an account of a part holds what was encoded.
        """
        self._own_groups.append(group.id)
        combiner = self._combiner if len(group.members) > 1 else None
        return AllReduce(
            group,
            self._peer_id,
            self._parts,
            inputs=self._inputs,
            outputs=self._outputs,
            weight=weight,
            max_weight=float(self._rules.most_samples),
            rule=self._rule,
            stub_of=self._stub_of,
            limits=request.limits,
            observe=self._observe,
            as_sent=self._rules.keeps_errors or witness is not None,
            witness=witness,
            combining_seconds=self._rules.combining_seconds if combiner else 0.0,
            combiner=partial(combiner, group, request) if combiner else None,
            weight_cap=self._rules.weight_cap,
            centre_of=partial(self._last_aggregate, request.head),
        )

    def _last_aggregate(self, head: bytes, index: int) -> torch.Tensor | None:
        """Return the aggregate of a part in the round that led to ``head``; None if this peer has not kept it."""
        part = self._kept.part_after(head, index)
        return part.values(self._parts[index]) if part is not None else None

    async def run(self, request: RoundRequest, reduction: AllReduce) -> tuple[RoundOutcome, float]:
        """Exchange, commit, and fetch what is missing; return the outcome, and the seconds that exchanging took.

        ``request`` describes the round, ``reduction`` is its all-reduce. Raises RoundFailed if no epoch was
        committed, and NothingToCommit after each round of an auxiliary peer.
        """
        seconds = await exchange(reduction, request.limits)
        if reduction.combining_seconds and reduction.contributors:
            self._kept.keep_contributors(reduction.group.id, reduction.contributors)
        if not self._outputs:
            self._keep_reduced(request, reduction)
            _log.info(
                "Epoch %d: reduced %d parts for group %s as an auxiliary peer in %.2f s.",
                request.epoch,
                sum(part is not None for part in reduction.results),
                reduction.group.id.hex()[:8],
                seconds,
            )
            raise NothingToCommit("An auxiliary peer has nothing to commit.", seconds)
        fetch = partial(self._fetch, request, reduction)
        decision, held = await settle(
            request, reduction, self._log, self._kept, self._rules, fetch, self._accepts_own, seconds
        )
        return await self._complete(request, reduction, decision, held), seconds

    async def _fetch(self, request: RoundRequest, reduction: AllReduce, record: CommitRecord) -> bool:
        """Fetch the bytes that ``record`` names, so that this peer can vote for it; false if none gave them.

        It is false as well if this peer may not vote for them. Once a quorum has voted for such a record, it is
        committed all the same.
        """
        held = reduction.results if record.group == reduction.committed_id else [None] * len(self._parts)
        try:
            found = await self._whole(request, record, held, self._donors(reduction, record, held))
        except FetchFailed:
            return False
        if not has_users_of(reduction.group, found):
            self._object(record, "leaves out most of the group's users")
            return False
        return await self._accepts(found)

    async def _accepts(self, found: CommittedRound) -> bool:
        """Return true if ``found`` is plausible beside what this peer contributes to the round under way."""
        if self._log.book.rejects(found.record):
            return False
        compared = await asyncio.to_thread(self.reference.compared_with, found.parts)
        return self._is_plausible(found, compared)

    async def _accepts_own(self, found: CommittedRound) -> bool:
        """Return true if the round at hand is plausible; keep how it compares, as no voter can forge that."""
        compared = await asyncio.to_thread(self.reference.compared_with, found.parts)
        is_plausible = self._is_plausible(found, compared)
        if compared is not None:
            self._compared = found.record.group, compared
            if not is_plausible:
                self.objected_to.append(found.record.group)
        return is_plausible

    def _is_plausible(self, found: CommittedRound, compared: ComparedAggregate | None) -> bool:
        if objection := self.reference.objection_to(compared):
            self._object(found.record, objection)
        return not objection

    def parts_of(self, group: Group) -> Mapping[int, ReducedPart]:
        """Return the committed parts of ``group`` that are kept, by their indices."""
        return self._kept.parts_of(group.id)

    def strange_parts(self, group: Group) -> list[int]:
        """Return the parts of the aggregate of ``group`` whose reducers are worth an audit, the strangest first."""
        if self._compared is None or self._compared[0] != group.id:
            return []
        return strange_parts(self._compared[1], group.owners, group.members.index(self._peer_id))

    def _object(self, record: CommitRecord, objection: str) -> None:
        _log.warning(
            "Epoch %d: commit record %s %s, and gets no vote of this peer.",
            record.epoch,
            record.root.hex()[:8],
            objection,
        )
        self._log.book.reject(record)

    def _donors(
        self, reduction: AllReduce, record: CommitRecord, held: Sequence[ReducedPart | None]
    ) -> list[PeerID]:
        return donors_of(reduction.group, held, self._log.book.writers(record), self._peer_id)

    async def vote(self, request: RoundRequest) -> RoundOutcome | None:
        """Vote for what others have averaged at the place of ``request``, to which this peer has given nothing.

        A user that is present without a round is counted on all the same: where it is half of the users, no quorum
        would come without its vote. Returns the epoch if it is committed; None if no other peer votes, or too few do.
        Users that neither joined nor voted were silent in it, as they are in a ballot that failed. Raises RoundFailed
        if no peer gave the bytes of the commit.
        """
        decision = await self._vote_of_others(request)
        if decision is None:
            if not self._log.book.standing(request.epoch, request.head):
                self._log.book.note_missed(request.electorate, request.epoch, request.head)
            return None
        lacking = [None] * len(self._parts)
        return await self._complete(request, None, decision, lacking, self._log.book.writers(decision.record))

    async def attend(self, request: RoundRequest) -> None:
        """Vote for what others average at the place of ``request`` once there is anything, and keep it.

        It returns once the epoch is committed. Among few users it looks every few seconds; all of them together look
        about once a second.
        """
        pause = max(LEAST_PAUSE_SECONDS, float(len(request.electorate.names)))
        while await self._vote_of_others(request) is None:
            await asyncio.sleep(pause)

    async def _vote_of_others(self, request: RoundRequest) -> QuorumDecision | None:
        """Vote for what others vote for at the place of ``request``; return the commit, None if there is none."""
        await self._log.read(request.epoch)
        if not self._log.book.standing(request.epoch, request.head):
            return None

        async def fetch(record: CommitRecord) -> bool:
            lacking: list[ReducedPart | None] = [None] * len(self._parts)
            try:
                await self._whole(request, record, lacking, self._log.book.writers(record))
            except FetchFailed:
                return False
            return True  # it has no contribution to this step, by which it could judge

        return await commit(_ballot_without_round(request), None, self._log, fetch)

    async def catch_up(self, request: RoundRequest, donors: Sequence[PeerID]) -> RoundOutcome:
        """Fetch the committed aggregate that leads from the epoch of ``request``, without having taken part.

        Those of ``donors`` that wrote the commit are asked first, then the other donors, which are known to accept
        connections, then the other writers. Raises RoundFailed if there is no commit, or if no peer gave its bytes.
        """
        electorate = request.electorate.others
        decision = await self._log.decision(request.epoch, request.head, electorate)
        if decision is None:
            votes = self._log.book.standing(request.epoch, request.head)
            decision = self._applied_by_most(request, request.epoch, votes)
        if decision is None:
            decision = await self._ancestor(request, donors)
        _log.info(
            "Epoch %d: commit record %s is fetched; %g of %g users voted for it.",
            request.epoch,
            decision.record.root.hex()[:8],
            decision.votes,
            decision.seats,
        )
        writers = self._spread(self._log.book.writers(decision.record), decision.record.root)
        ranked = [*(peer for peer in writers if peer in donors), *donors, *writers]
        return await self._complete(request, None, decision, [None] * len(self._parts), ranked)

    def _applied_by_most(
        self, request: RoundRequest, epoch: int, votes: Sequence[Vote]
    ) -> QuorumDecision | None:
        """Return the commit of ``epoch`` that led to where most users stand; None if none of the ``votes`` is for it.

        A peer that has not seen the last quorums does not know which users are silent. Where these are half of all,
        it finds no commit with a quorum, and the others go on without it.
        """
        electorate = request.electorate.others
        applied = [
            vote
            for vote in votes
            if (epoch + 1, vote.record.root) == electorate.gone_to and not vote.record.withdrawn
        ]
        if (chosen := leading(applied)) is None:
            return None
        self._log.book.note_decided(epoch)
        seats = electorate.seats({vote.voice for vote in votes})
        return QuorumDecision(record_in(applied, chosen), backing(applied)[chosen], seats)

    async def _ancestor(self, request: RoundRequest, donors: Sequence[PeerID]) -> QuorumDecision:
        """Find the commit after the place of ``request`` by a later one, each of which names the one before.

        Votes are kept for minutes, and those that were needed may have ended. Summaries prove the records between,
        and the quorum of the later commit stands for all that led to it. Raises RoundFailed if they lead elsewhere.
        """
        later = await self._log.read_later(request.epoch, _MOST_STEPS_BACK)
        for epoch, votes in sorted(later.items()):
            for decision in self._decisions(epoch, votes, request):
                found: CommitRecord | None = decision.record
                while found is not None and found.epoch > request.epoch:
                    found = await self._parent(found, request, donors)
                if found is not None and (found.epoch, found.parent) == (request.epoch, request.head):
                    return replace(decision, record=found)
        raise RoundFailed(f"No commit of epoch {request.epoch} has the votes of more than half of the users.")

    def _decisions(self, epoch: int, votes: Sequence[Vote], request: RoundRequest) -> list[QuorumDecision]:
        """Return the commits of ``epoch`` that have the quorum, whatever commit they name before them."""
        electorate = self._log.book.counted(request.electorate.others, epoch)
        parents = dict.fromkeys(vote.record.parent for vote in votes)
        found = [decided(votes, epoch, parent, electorate) for parent in parents]
        found.append(self._applied_by_most(request, epoch, votes))
        return [decision for decision in found if decision is not None]

    def _spread(self, peers: Sequence[PeerID], root: bytes) -> list[PeerID]:
        """Return ``peers`` in an order of this peer's and the round's own, so that no one is asked for everything."""
        return spread(peers, self._peer_id.to_bytes() + root, identifier=lambda peer: peer.to_bytes())

    async def _parent(
        self, record: CommitRecord, request: RoundRequest, donors: Sequence[PeerID]
    ) -> CommitRecord | None:
        summary = await fetch_summary(
            record.parent,
            self._spread(donors, record.parent)[:_DONORS_OF_SUMMARY],
            parts=self._parts,
            stub_of=self._stub_of,
            silence_seconds=request.limits.reducer_seconds,
            failures=self._fetches,
        )
        if summary is None or summary.record.epoch != record.epoch - 1:
            return None
        return summary.record

    async def _complete(
        self,
        request: RoundRequest,
        reduction: AllReduce | None,
        decision: QuorumDecision,
        held: Sequence[ReducedPart | None],
        donors: Sequence[PeerID] = (),
    ) -> RoundOutcome:
        """Fetch the missing parts of the committed round, keep it for others, and write its values to the outputs.

        The round may be of an earlier group of this peer, which failed for it alone. Then the samples that it would
        carry over are in there. Without ``donors``, those are asked that follow from the ``reduction``.
        """
        record = decision.record
        _log_other_states(request.state, record, self._log.book.standing(record.epoch, record.parent))
        if reduction is not None:
            donors = self._donors(reduction, record, held)
        try:
            committed = await self._whole(request, record, held, donors)
        except FetchFailed as error:
            raise RoundFailed(error.what) from error
        if self._outputs and not (reduction and all(held)):
            await asyncio.to_thread(write_outputs, committed, self._parts, self._outputs)
        outcome = replace(
            outcome_of(reduction, committed, held), votes=float(decision.votes), seats=decision.seats
        )
        ours = reduction is not None and reduction.group.id in committed.groups
        if not ours and not committed.groups.isdisjoint(self._own_groups):
            return replace(outcome, standing=RoundStatus.LEARNT_LATE)
        return outcome

    async def _whole(
        self,
        request: RoundRequest,
        record: CommitRecord,
        held: Sequence[ReducedPart | None],
        donors: Sequence[PeerID],
    ) -> CommittedRound:
        """Return the round of ``record``, whole, and keep it for others.

        Raises FetchFailed if none of the ``donors`` gave what is missing; the writers of the record are doubted then.
        """
        kept = self._kept.whole(record, len(self._parts))
        if kept is not None:
            return kept
        try:
            committed = await complete(
                record,
                held,
                sorted(
                    dict.fromkeys(peer for peer in donors if peer != self._peer_id),
                    key=self._slow.__contains__,
                ),
                parts=self._parts,
                stub_of=self._stub_of,
                chunk_seconds=request.limits.reducer_seconds,
                rate=self._rate,
                on_slow=self._slow.append,
            )
        except FetchFailed as error:
            _log.warning(
                "Epoch %d: the voters for commit record %s give nothing, and are set aside at this place: %s",
                record.epoch,
                record.root.hex()[:8],
                error.what,
            )
            self._log.book.doubt(record)
            raise
        self._kept.keep(committed)
        return committed

    def _keep_reduced(self, request: RoundRequest, reduction: AllReduce) -> None:
        """Keep the parts that this peer reduced, and if these are all the summary: no other may have it."""
        parts = {index: part for index, part in enumerate(reduction.results) if part is not None}
        if len(parts) == len(self._parts):
            whole = tuple(parts.values())
            record = record_of(request.epoch, request.head, reduction.group, whole)
            self._kept.keep(CommittedRound(record, whole))
        elif parts and (number := reduction.committed_id) is not None:
            self._kept.keep_parts(number, parts)


def _ballot_without_round(request: RoundRequest) -> Ballot:
    """Return the ballot on what others averaged at the place of ``request``."""
    seconds = seconds_to_commit(request.limits)
    return Ballot(
        request.epoch,
        request.head,
        request.electorate,
        request.state,
        settle_seconds=request.limits.settle_seconds,
        patience_seconds=seconds,
        longest_seconds=seconds,
        has_round=False,
    )


def _log_other_states(state: bytes | None, record: CommitRecord, votes: Sequence[Vote]) -> None:
    """Log the writers of ``record`` whose round led from another state than ``state``, this peer's own."""
    others = [
        f"{PeerID(vote.writer)} from {named.hex()[:8]}"
        for vote in votes
        if vote.record.root == record.root and (named := vote.record.state) is not None and named != state
    ]
    if state is not None and others:
        _log.warning(
            "Epoch %d: commit record %s was written by %s; the state of this peer is %s.",
            record.epoch,
            record.root.hex()[:8],
            ", ".join(others),
            state.hex()[:8],
        )


def has_users_of(group: Group, found: CommittedRound) -> bool:
    """Return false if the round ``found`` is of ``group`` alone, and a part leaves out most of its users.

    Of other groups, and of several that combined, this peer does not know who was to send what.
    """
    if found.record.group != group.id:
        return True
    return all(
        max(part.included) < len(group.senders) and group.is_represented_by(part.included)
        for part in found.parts
    )


def donors_of(
    group: Group, held: Sequence[ReducedPart | None], writers: Sequence[PeerID], asking: PeerID
) -> list[PeerID]:
    """Return the peers to ask for the missing parts of a committed round, best first.

    The reducers of the parts that are missing come first, then the heads of groups that combined, in an order of the
    asking peer's own: in a large swarm many members ask at once. Then come the commit's writers, and the other
    members. A member that accepts no connections is not asked.

    Args:
        group: the group of this peer's round, which may be another than the one that committed.
        held: the parts at hand, None for each missing one.
        writers: the peers that wrote the commit.
        asking: id of the peer that asks.
    """
    missing = [group.owners[index] for index, part in enumerate(held) if part is None]
    groups = held[-1].groups if held[-1] is not None else ()
    heads = spread(groups, asking.to_bytes(), identifier=lambda item: item.head)[:_HEADS_ASKED]
    asked = (group.members[owner] for owner in missing)
    ranked = [*asked, *(PeerID(item.head) for item in heads), *writers, *group.members]
    closed = {group.members[index] for index in group.clients}
    return [peer for peer in dict.fromkeys(ranked) if peer not in closed]
