"""Takes one peer's rounds from a formed group to a committed epoch; works in the averager's process.

A round's inputs are never overwritten, and its outputs mean something only once there is a RoundOutcome.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any

import torch
from hivemind.p2p import PeerID

from core.run.rules import SwarmRules
from core.swarm.rounds.allreduce import AllReduce, Group, Observer
from core.swarm.rounds.commit import log_choice, record_of, winner
from core.swarm.rounds.commit_log import DHTCommitLog
from core.swarm.rounds.committed import CommittedRounds, FetchFailed, complete
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import AggregationRule, ReducedPart
from core.swarm.rounds.round import (
    NothingToCommit,
    RoundFailed,
    RoundOutcome,
    RoundRequest,
    exchange,
    outcome_of,
    settle,
    write_outputs,
)
from core.swarm.rounds.summary import RoundSummary
from core.swarm.wire.records import CommitRecord

_log = logging.getLogger(__name__)

_MAX_BATCHES = 16
"""A peer's weight may be this many target batches: more is a claim, not a contribution."""


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
        log: DHTCommitLog,
        kept: CommittedRounds,
        stub_of: Callable[[PeerID], Any],
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
        """
        self._peer_id, self._parts, self._inputs, self._outputs = peer_id, parts, inputs, outputs
        self._rules, self._rule, self._observe = rules, rule, observe
        self._log, self._kept, self._stub_of = log, kept, stub_of

    def all_reduce(self, group: Group, request: RoundRequest, weight: float) -> AllReduce:
        """Return the exchange of the parts in ``group`` under the limits of ``request``; ``weight`` is in samples."""
        return AllReduce(
            group,
            self._peer_id,
            self._parts,
            inputs=self._inputs,
            outputs=self._outputs,
            weight=weight,
            max_weight=float(_MAX_BATCHES * self._rules.target_batch_size),
            rule=self._rule,
            stub_of=self._stub_of,
            limits=request.limits,
            observe=self._observe,
            as_sent=self._rules.local_steps is not None,
        )

    async def run(self, request: RoundRequest, reduction: AllReduce) -> tuple[RoundOutcome, float]:
        """Exchange, commit, and fetch what is missing; return the outcome, and the seconds that exchanging took.

        ``request`` describes the round, ``reduction`` is its all-reduce. Raises RoundFailed if no epoch was
        committed, and NothingToCommit after each round of an auxiliary peer.
        """
        seconds = await exchange(reduction, request.limits)
        if not self._outputs:
            self._keep_summary(request, reduction)
            _log.info(
                "Epoch %d: reduced %d parts for group %s as an auxiliary peer in %.2f s.",
                request.epoch,
                sum(part is not None for part in reduction.results),
                reduction.group.id.hex()[:8],
                seconds,
            )
            raise NothingToCommit("An auxiliary peer has nothing to commit.")
        record, held = await settle(request, reduction, self._log, self._kept)
        outcome = await self._complete(request, reduction, record, held, reduction.group.members)
        return outcome, seconds

    async def catch_up(self, request: RoundRequest, donors: Sequence[PeerID]) -> RoundOutcome:
        """Fetch the committed aggregate that leads from the epoch of ``request``, without having taken part.

        The writers of the commit are asked first, then ``donors``. Raises RoundFailed if there is no commit,
        or if no peer gave its bytes.
        """
        records = await self._log.read()
        record = winner(records, request.epoch, request.head)
        if record is None:
            raise RoundFailed(f"No commit of epoch {request.epoch} was found.")
        log_choice(record, records, self._log.writers)
        return await self._complete(request, None, record, [None] * len(self._parts), donors)

    async def _complete(
        self,
        request: RoundRequest,
        reduction: AllReduce | None,
        record: CommitRecord,
        held: Sequence[ReducedPart | None],
        donors: Sequence[PeerID],
    ) -> RoundOutcome:
        """Fetch the missing parts of the committed round, keep it for others, and write its values to the outputs."""
        ranked = dict.fromkeys([*self._log.writers.get(record.root, []), *donors])
        try:
            committed = await complete(
                record,
                held,
                [peer for peer in ranked if peer != self._peer_id],
                parts=self._parts,
                stub_of=self._stub_of,
                chunk_seconds=request.limits.reducer_seconds,
            )
        except FetchFailed as error:
            self._log.doubt(record)
            raise RoundFailed(error.what) from error
        self._kept.keep(committed)
        if self._outputs and not (reduction and all(held)):
            await asyncio.to_thread(write_outputs, committed, self._parts, self._outputs)
        return outcome_of(reduction, committed, held)

    def _keep_summary(self, request: RoundRequest, reduction: AllReduce) -> None:
        """Keep the summary of a round of which this peer reduced all parts: no other peer may be able to serve it."""
        parts = [part for part in reduction.results if part is not None]
        if len(parts) == len(self._parts):
            record = record_of(request.epoch, request.head, reduction.group, parts)
            self._kept.keep_summary(RoundSummary.of(record, parts))
