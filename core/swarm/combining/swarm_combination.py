"""Gives each round of a peer its part in the combination of groups, from what the peer has."""

from collections.abc import Callable, Sequence
from typing import Any

from hivemind.p2p import PeerID

from core.run.rules import SwarmRules
from core.swarm.aggregation.rule import AggregationRule, across_groups
from core.swarm.combining.agreement import GroupAgreement, LateHeads
from core.swarm.combining.group_log import GroupLog
from core.swarm.combining.reducer import CombiningReducer
from core.swarm.rounds.combination import combination_limits, seconds_to_give
from core.swarm.rounds.commit_log import CommitLog
from core.swarm.rounds.committed import CommittedRounds
from core.swarm.rounds.group import Group
from core.swarm.rounds.own_parts import OwnParts
from core.swarm.rounds.partition import Part
from core.swarm.rounds.round import RoundRequest
from core.swarm.wire.group_records import GroupRecord, GroupStage


class SwarmCombination:
    """The combination of groups as one peer takes part in it."""

    def __init__(
        self,
        peer_id: PeerID,
        parts: Sequence[Part],
        rules: SwarmRules,
        *,
        rule: AggregationRule,
        groups: GroupLog,
        commits: CommitLog,
        kept: CommittedRounds,
        stub_of: Callable[[PeerID], Any],
    ) -> None:
        """Prepare to combine.

        Args:
            peer_id: id of this peer.
            parts: the parts of the run's rounds, in order.
            rules: the run's rules, with the most groups of a commit.
            rule: the rule by which a group's members' values are aggregated.
            groups: the records of the run's groups.
            commits: the log of the run's commit records.
            kept: receives the contributors of groups, to be given to others.
            stub_of: gives the RPC stub of a peer.
        """
        self._peer_id, self._parts, self._rules, self._rule = peer_id, parts, rules, across_groups(rule)
        self._groups, self._commits, self._kept, self._stub_of = groups, commits, kept, stub_of
        self._late = LateHeads()

    def combiner(self, group: Group, request: RoundRequest, own: OwnParts) -> CombiningReducer:
        """Return this peer's part for a round.

        Args:
            group: the group that has formed.
            request: the round, with the limits of the group.
            own: the parts that this peer reduces in it.
        """
        limits = request.limits
        return CombiningReducer(
            group,
            group.members.index(self._peer_id),
            self._parts,
            own,
            agreement=lambda: self._agreement(group, request),
            rule=self._rule,
            most_samples=float(self._rules.most_samples),
            limits=combination_limits(limits, self._rules),
            reducing_seconds=limits.allreduce_seconds + limits.reducer_seconds,
            head_seconds=limits.reducer_seconds,
            give_seconds=seconds_to_give(limits, self._rules),
            keep_contributors=self._kept.keep_contributors,
            stub_of=self._stub_of,
        )

    def _agreement(self, group: Group, request: RoundRequest) -> GroupAgreement:
        own = GroupRecord(
            peer_id=self._peer_id.to_bytes(),
            epoch=request.epoch,
            parent=request.head,
            group=group.id,
            members=len(group.senders),
            peers=len(group.members),
            stage=GroupStage.FORMED,
        )

        async def is_committed() -> bool:
            place = request.epoch, request.head
            return await self._commits.decision(*place, request.electorate) is not None

        def is_outvoted() -> bool:
            place = request.epoch, request.head
            return self._commits.outvotes(*place, request.electorate, group.voices)

        return GroupAgreement(
            own,
            self._groups,
            expected_peers=request.expected_peers,
            most_groups=self._rules.most_groups,
            most_samples=float(self._rules.most_samples),
            most_peers=self._rules.group_size,
            late=self._late,
            limits=combination_limits(request.limits, self._rules),
            settle_seconds=request.limits.settle_seconds,
            is_committed=is_committed,
            is_outvoted=is_outvoted,
        )
