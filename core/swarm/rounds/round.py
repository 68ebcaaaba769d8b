"""One averaging round from a formed group to a committed epoch, as it runs inside the averager's process."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import torch

from core.errors import SwarmError
from core.run.rules import SwarmRules
from core.swarm.quorum.decision import QuorumDecision
from core.swarm.quorum.electorate import UNKNOWN, Electorate
from core.swarm.rounds.allreduce import AllReduce
from core.swarm.rounds.combination import (
    may_form_again,
    may_others_form,
    seconds_to_commit,
    seconds_to_commit_of_others,
)
from core.swarm.rounds.commit import Ballot, FetchRound, IncompleteRound, commit, record_of
from core.swarm.rounds.commit_log import CommitLog
from core.swarm.rounds.committed import CommittedRound, CommittedRounds
from core.swarm.rounds.events import RoundEvent
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.limits import TimeLimits
from core.swarm.wire.records import CommitRecord
from core.tasks import within

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RoundRequest:
    """A trainer's request to its averager."""

    epoch: int
    """Epoch that the gradients were computed at."""
    head: bytes
    """Root of the commit that led to this epoch; only peers with the same one can be grouped."""
    expected_peers: int
    """Peers known to be at this epoch, this one included; a group that large need not wait for more."""
    limits: TimeLimits
    timeout_seconds: float
    """Seconds after which the search for a group ends."""
    started_at: float
    """DHT time at which averaging is expected to begin, in seconds."""
    state: bytes | None = None
    """Root of the pieces of this peer's state at this epoch; None for an auxiliary peer, which holds none."""
    accepts_connections: bool = True
    """True if the group's other members can call this peer: it may lead the group, and reduces in it."""
    expected_clients: int = 0
    """Number of expected peers that accept no connections; they are spread over the groups of an epoch."""
    electorate: Electorate = UNKNOWN
    """Users of whom more than half must vote for the commit, as this peer sees the swarm when the round begins."""


class RoundStatus(StrEnum):
    """The way in which a peer came by a committed epoch."""

    AVERAGED = "averaged"
    COMPLETED = "completed"  # its group committed; it fetched parts that it had not received
    SUPERSEDED = "superseded"  # another group committed; this one's samples are carried over
    CAUGHT_UP = "caught up"  # it took no part
    LEARNT_LATE = "learnt late"  # its group committed while it could not learn so: what it gave is in there


@dataclass(frozen=True)
class RoundOutcome:
    """A committed epoch whose aggregate is in the averager's outputs."""

    epoch: int
    """The epoch at whose parameters the gradients were computed."""
    head: bytes
    """Root of the commit."""
    standing: RoundStatus
    included_parts: frozenset[int]
    """Indices of the parts whose aggregate has our own values; empty if none has."""
    samples: float
    """Samples of the epoch from all peers together."""
    members: int
    """Peers of the group that contributed or could have."""
    matchmaking_seconds: float | None = None
    """Seconds in which the group formed; None: this peer was alone, or took the epoch from others."""
    exchange_seconds: float | None = None
    """Seconds in which the group exchanged gradients; None: as for the matchmaking."""
    store_seconds: tuple[float, ...] = ()
    """Seconds that each of the last stores of a commit record took."""
    clipped_shares: Mapping[int, float] = field(default_factory=dict)
    """Shares of our own values that the aggregates of parts have, by index, where a rule shortened them."""
    own_weight: float | None = None
    """Our own samples that count; None if nobody said."""
    counted: bool = True
    """False if our own samples are none of the epoch's, though parts have them: only the last part counts samples."""
    votes: float = 0.0
    """Number of users that had voted for the commit when this peer believed it."""
    seats: float = 0.0
    """Number of votes of which more than half were needed, by this peer's view of the swarm."""

    @property
    def included(self) -> bool:
        """True if our own values are in the aggregate of any part, so that they are not to be sent again."""
        return bool(self.included_parts)


class RoundFailed(SwarmError):
    """A round ended without a committed epoch; the samples are kept, and another round is tried."""

    def __init__(self, what: str) -> None:
        """Make the error with ``what``, a sentence that says why the round failed; the remedy is fixed."""
        super().__init__(what, "The samples are kept, and another round is tried.")

    def __reduce__(self) -> tuple[type["RoundFailed"], tuple[str]]:
        return type(self), (self.what,)


class QuorumMissed(RoundFailed):
    """A round ended without votes of more than half of the users: others are gone, or on the other side of a cut."""


class NoGroup(RoundFailed):
    """A round ended before it began: no other peer joined in time."""


class NothingToCommit(RoundFailed):
    """A round of an auxiliary peer ended in order: it reduced its parts, and has no samples of its own."""

    def __init__(self, what: str, exchange_seconds: float = 0.0, store_seconds: Sequence[float] = ()) -> None:
        """Make the error.

        Args:
            what: a sentence.
            exchange_seconds: seconds that the exchange took.
            store_seconds: seconds that each of the last stores of records took.
        """
        super().__init__(what)
        self.exchange_seconds, self.store_seconds = exchange_seconds, tuple(store_seconds)

    def __reduce__(  # type: ignore[override]
        self,
    ) -> tuple[type["NothingToCommit"], tuple[str, float, tuple[float, ...]]]:
        return type(self), (self.what, self.exchange_seconds, self.store_seconds)


async def exchange(reduction: AllReduce, limits: TimeLimits) -> float:
    """Run the all-reduce ``reduction`` within its time in ``limits``; return the seconds it took.

    Parts that did not arrive in time stay missing. If this is cancelled, the senders are notified at once: a peer
    withdraws from a running exchange when it leads nowhere, and they would wait for each other until their limits.
    """
    began = time.monotonic()
    try:
        most = limits.allreduce_seconds + reduction.combining_seconds
        await within(most, reduction.run())
    except TimeoutError:  # the commit decides what the parts that arrived are worth
        _log.warning("The exchange ended at its limit of %.1f s.", most)
    except asyncio.CancelledError:
        reduction.abandon()
        raise
    reduction.has_ended = True
    return time.monotonic() - began


async def settle(
    request: RoundRequest,
    reduction: AllReduce,
    log: CommitLog,
    kept: CommittedRounds,
    rules: SwarmRules,
    fetch: FetchRound,
    accepts: Callable[[CommittedRound], Awaitable[bool]],
    exchanged: float = 0.0,
) -> tuple[QuorumDecision, Sequence[ReducedPart | None]]:
    """Return the commit of the epoch, and the parts of it at hand (None for each missing one).

    A member that has every part votes for them, if it accepts them. One that lacks a part votes once it has fetched
    what others voted for.

    Args:
        request: the round, with its epoch, head, users and time limits.
        reduction: the all-reduce that has ended.
        log: the log of the run's votes.
        kept: receives the round before its vote is written, to be given to others.
        rules: the run's rules, by which several groups may combine.
        fetch: gets the bytes that a record names.
        accepts: tells whether this peer may vote for the round at hand.
        exchanged: seconds that the exchange took.

    Raises:
        QuorumMissed: no aggregate was voted for by more than half of the users.
        RoundFailed: no vote appeared, since a reducer was lost before any member had every part; or the group failed
            so early that its peers can form another one.
    """
    at_hand = _own_round(request, reduction, kept)
    own = at_hand.record if at_hand is not None and await accepts(at_hand) else None
    if at_hand is None and not any(reduction.results):
        await _leave_time_for_another_group(request, reduction, log, rules, exchanged)
    decision = await commit(
        _ballot(request, reduction, rules, exchanged),
        own,
        log,
        fetch,
        incomplete=None if at_hand is not None else _incomplete(request, reduction),
        unwanted=at_hand.record if at_hand is not None and own is None else None,
        delays=reduction.delays,
        count=reduction.count,
    )
    if decision is None:
        if log.book.standing(request.epoch, request.head):
            raise QuorumMissed("The users that voted for the epoch are not more than half of those present.")
        raise RoundFailed(_why_no_vote(at_hand, own))
    if own is not None:
        reduction.count(RoundEvent.COMMITTED)
    if (
        at_hand is not None
    ):  # also where it is not plausible: its group alone does not say so, as who lies names any
        is_held = decision.record.root == at_hand.record.root
    else:
        is_held = decision.record.group == reduction.committed_id
    return decision, reduction.results if is_held else [None] * len(reduction.results)


def _incomplete(request: RoundRequest, reduction: AllReduce) -> IncompleteRound | None:
    """Return the round as it is for a member that lacks parts; None where its group combines with others.

    Members that sent this one nothing are not waited for. One that did not return its parts may have those of others.
    """
    group = reduction.group
    if reduction.combining_seconds:
        return None
    senders = {group.members[index] for index in group.senders}
    awaited = senders - reduction.silent_senders - {group.members[reduction.rank]}
    record = CommitRecord(
        epoch=request.epoch,
        parent=request.head,
        root=bytes(32),
        group=group.id,
        members=len(senders),
        samples=1.0,
        state=request.state,
    )
    return IncompleteRound(record, frozenset(peer.to_bytes() for peer in awaited))


def _why_no_vote(at_hand: CommittedRound | None, own: CommitRecord | None) -> str:
    """Return why no vote appeared, by the round ``at_hand`` and this peer's ``own`` record of it."""
    if at_hand is None:
        return "A reducer was lost, and no member of the group had all parts."
    if own is None:
        return "The group's aggregate is not plausible, and no other one was voted for."
    return "The record that commits the epoch could not be stored."


def _own_round(request: RoundRequest, reduction: AllReduce, kept: CommittedRounds) -> CommittedRound | None:
    """Return the aggregate at hand, which is kept for others from now on; None if parts are missing."""
    parts = [part for part in reduction.results if part is not None]
    if len(parts) < len(reduction.results):
        return None
    reduction.count(RoundEvent.REDUCED_ALL)
    record = record_of(request.epoch, request.head, reduction.group, parts, state=request.state)
    own = CommittedRound(record, tuple(parts))
    kept.keep(own)  # others may ask for it as soon as the record is out
    return own


def _ballot(request: RoundRequest, reduction: AllReduce, rules: SwarmRules, exchanged: float) -> Ballot:
    """Return the ballot of a round: members may wait for each other until the exchange of the slowest has to end."""
    limits, most_groups = request.limits, rules.most_groups if reduction.combining_seconds else 1
    left = max(0.0, limits.allreduce_seconds + reduction.combining_seconds - exchanged)
    of_others = seconds_to_commit_of_others(limits, rules, most_groups)
    return Ballot(
        request.epoch,
        request.head,
        request.electorate,
        request.state,
        settle_seconds=limits.settle_seconds,
        patience_seconds=min(of_others, seconds_to_commit(limits) + left),
        longest_seconds=seconds_to_commit(limits) + left,
    )


async def _leave_time_for_another_group(
    request: RoundRequest, reduction: AllReduce, log: CommitLog, rules: SwarmRules, exchanged: float
) -> None:
    """Raise RoundFailed if there is time for another group, and no others commit the epoch without this one.

    There is time as well if this group failed as a whole, and too few peers are left for another one meanwhile.
    """
    most_groups = rules.most_groups if reduction.combining_seconds else 1
    members = [len(reduction.group.members)]
    is_lone = (
        not may_others_form(request.expected_peers, members, most_groups) and reduction.has_failed_for_all
    )
    if not is_lone and not may_form_again(exchanged, request.limits, most_groups):
        return
    place = request.epoch, request.head, request.electorate
    if await log.decision(*place) is None and not log.outvotes(*place, reduction.group.voices):
        raise RoundFailed("A reducer was lost, and there is time for another group.")


def outcome_of(
    reduction: AllReduce | None, committed: CommittedRound, held: Sequence[ReducedPart | None]
) -> RoundOutcome:
    """Return the outcome of the ``committed`` round for this peer.

    ``reduction`` is the all-reduce in which it took part, None if there was none; ``held`` are the parts it had
    before it fetched others, None for each missing one.
    """
    record = committed.record
    ours = reduction is not None and reduction.group.id in committed.groups
    if reduction is None:
        standing = RoundStatus.CAUGHT_UP
    elif not ours:
        standing = RoundStatus.SUPERSEDED
    else:
        standing = RoundStatus.AVERAGED if all(held) else RoundStatus.COMPLETED
    where = record.group, committed.parts[-1].groups
    included = frozenset(
        index
        for index, part in enumerate(committed.parts)
        if ours and reduction is not None and reduction.has_own(index, part, *where)
    )
    shares: dict[int, float] = {}
    if reduction is not None:
        found = {index: reduction.share_of_own(index, committed.parts[index], *where) for index in included}
        shares = {index: share for index, share in found.items() if share < 1}
    return RoundOutcome(
        record.epoch,
        record.root,
        standing,
        included,
        record.samples,
        record.members,
        clipped_shares=shares,
        own_weight=reduction.own_weight if ours and reduction is not None else None,
        counted=len(committed.parts) - 1 in included,
    )


def write_outputs(committed: CommittedRound, parts: Sequence[Part], outputs: Sequence[torch.Tensor]) -> None:
    """Decode the ``parts`` of a ``committed`` round into ``outputs``, the tensors of the round.

    Each output has the shape of the tensor that it averages.
    """
    for part, reduced in zip(parts, committed.parts, strict=True):
        part.scatter(reduced.values(part), outputs)
