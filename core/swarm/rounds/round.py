"""One averaging round from a formed group to a committed epoch, as it runs inside the averager's process."""

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import torch

from core.errors import SwarmError
from core.run.rules import SwarmRules
from core.swarm.rounds.allreduce import AllReduce
from core.swarm.rounds.combination import may_form_again, seconds_to_commit, seconds_to_commit_of_others
from core.swarm.rounds.commit import commit, log_choice, record_of, winner
from core.swarm.rounds.commit_log import DHTCommitLog
from core.swarm.rounds.committed import CommittedRound, CommittedRounds
from core.swarm.rounds.events import RoundEvent
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.limits import TimeLimits
from core.swarm.wire.records import CommitRecord

POLL_SECONDS, POLL_SECONDS_AT_LAST, POLL_GROWTH = 0.1, 1.0, 1.3
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
        await asyncio.wait_for(reduction.run(), most)
    except TimeoutError:  # the commit decides what the parts that arrived are worth
        _log.warning("The exchange ended at its limit of %.1f s.", most)
    except asyncio.CancelledError:
        reduction.abandon()
        raise
    return time.monotonic() - began


async def settle(
    request: RoundRequest,
    reduction: AllReduce,
    log: DHTCommitLog,
    kept: CommittedRounds,
    rules: SwarmRules,
    exchanged: float = 0.0,
) -> tuple[CommitRecord, Sequence[ReducedPart | None]]:
    """Return the record that commits the epoch, and the parts of it at hand (None for each missing one).

    A member that has every part commits, or learns that another group did; one that lacks a part waits for a
    member of its group to do so.

    Args:
        request: the round, with its epoch, head and time limits.
        reduction: the all-reduce that has ended.
        log: the log of the run's commit records.
        kept: receives the round before its record is written, to be given to others.
        rules: the run's rules, by which several groups may combine.
        exchanged: seconds that the exchange took.

    Raises:
        RoundFailed: the record could not be stored, or no record appeared, since a reducer was lost before
            any member had every part; or the group failed so early that its peers can form another one.
    """
    group = reduction.group
    parts = [part for part in reduction.results if part is not None]
    if len(parts) == len(reduction.results):
        reduction.count(RoundEvent.REDUCED_ALL)
        record = record_of(request.epoch, request.head, group, parts, state=request.state)
        kept.keep(CommittedRound(record, tuple(parts)))  # others may ask for it as soon as the record is out
        rank = reduction.rank
        settle_seconds = request.limits.settle_seconds
        standing = await commit(
            record,
            log,
            rank=rank,
            settle_seconds=settle_seconds,
            delays=reduction.delays,
            count=reduction.count,
        )
        if standing is None:
            raise RoundFailed("The record that commits the epoch could not be stored.")
        reduction.count(RoundEvent.COMMITTED)
        is_held = standing.root == record.root  # its group alone does not say so: who lies names any
    else:
        standing = await _commit_of_others(request, reduction, log, rules, exchanged)
        is_held = standing.group == reduction.committed_id
    return standing, reduction.results if is_held else [None] * len(reduction.results)


async def _commit_of_others(
    request: RoundRequest, reduction: AllReduce, log: DHTCommitLog, rules: SwarmRules, exchanged: float
) -> CommitRecord:
    """Wait for others to commit; raises RoundFailed if they do not, or if there is time for another group."""
    limits, most_groups = request.limits, rules.most_groups if reduction.combining_seconds else 1
    may_try = not any(reduction.results) and may_form_again(exchanged, limits, most_groups)
    if may_try and not await _is_committed(request, log):
        raise RoundFailed("A reducer was lost, and there is time for another group.")
    left = limits.allreduce_seconds + reduction.combining_seconds - exchanged
    most = seconds_to_commit(limits) + max(0.0, left)
    return await _await_commit(
        request, log, min(seconds_to_commit_of_others(limits, rules, most_groups), most)
    )


async def _is_committed(request: RoundRequest, log: DHTCommitLog) -> bool:
    return winner(await log.read(), request.epoch, request.head) is not None


async def _await_commit(request: RoundRequest, log: DHTCommitLog, patience: float) -> CommitRecord:
    """Wait for others to commit, for ``patience`` seconds."""
    deadline, pause = time.monotonic() + patience, POLL_SECONDS
    while time.monotonic() < deadline:
        standing = winner(await log.read(), request.epoch, request.head)
        if standing is not None:
            await asyncio.sleep(request.limits.settle_seconds)
            records = await log.read()
            chosen = winner(records, request.epoch, request.head) or standing
            log_choice(chosen, records, log.writers)
            return chosen
        await asyncio.sleep(pause)
        pause = min(POLL_GROWTH * pause, POLL_SECONDS_AT_LAST)
    raise RoundFailed("A reducer was lost, and no member of the group had all parts.")


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
