"""One averaging round from a formed group to a committed epoch, as it runs inside the averager's process."""

import asyncio
import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import torch

from core.errors import SwarmError
from core.swarm.allreduce import AllReduce, RoundEvent
from core.swarm.commit import commit, record_of, winner
from core.swarm.commit_log import DHTCommitLog
from core.swarm.committed import CommittedRound, CommittedRounds
from core.swarm.limits import TimeLimits
from core.swarm.partition import Part
from core.swarm.records import CommitRecord
from core.swarm.reduction import ReducedPart

_POLL_SECONDS = 0.1


@dataclass(frozen=True)
class RoundRequest:
    """What a trainer asks its averager for."""

    epoch: int
    head: bytes
    """Root of the commit that led to this epoch; only peers with the same one can be grouped."""
    expected_peers: int
    """Peers known to be at this epoch, this one included; a group that large need not wait for more."""
    limits: TimeLimits
    timeout_seconds: float
    """After which no group is looked for any more."""
    started_at: float
    """DHT time at which averaging is expected to begin, in seconds."""


class Standing(StrEnum):
    """How a peer came by a committed epoch."""

    AVERAGED = "averaged"
    COMPLETED = "completed"  # its group committed; it fetched parts that it had not received
    SUPERSEDED = "superseded"  # another group committed; this one's samples are carried over
    CAUGHT_UP = "caught up"  # it took no part


@dataclass(frozen=True)
class RoundOutcome:
    """A committed epoch whose aggregate is in the averager's outputs."""

    epoch: int
    """The epoch that the gradients lead from."""
    head: bytes
    """Root of the commit."""
    standing: Standing
    included: bool
    """Whether our own samples are in the aggregate."""
    samples: float
    members: int
    matchmaking_seconds: float | None = None
    exchange_seconds: float | None = None
    store_seconds: tuple[float, ...] = ()


class RoundFailed(SwarmError):
    """A round ended without a committed epoch; the samples are kept, and another round is tried."""

    def __init__(self, what: str) -> None:
        super().__init__(what, "The samples are kept, and another round is tried.")

    def __reduce__(self) -> tuple[type["RoundFailed"], tuple[str]]:
        return type(self), (self.what,)


async def exchange(reduction: AllReduce, limits: TimeLimits) -> float:
    """Run the all-reduce within its limit; returns the seconds it took. What is missing stays missing."""
    began = time.monotonic()
    with contextlib.suppress(TimeoutError):  # the commit decides what the parts that arrived are worth
        await asyncio.wait_for(reduction.run(), limits.allreduce_seconds)
    return time.monotonic() - began


async def settle(
    request: RoundRequest, reduction: AllReduce, log: DHTCommitLog, kept: CommittedRounds
) -> tuple[CommitRecord, Sequence[ReducedPart | None]]:
    """The record that commits the epoch, and what we already hold of it.

    A member that has every part commits (or learns that another group did); one that lacks a part waits for a
    member of its group to do so. Raises RoundFailed where nobody did: then a reducer was lost before anyone had all.
    """
    group = reduction.group
    parts = [part for part in reduction.results if part is not None]
    if len(parts) == len(reduction.results):
        reduction.count(RoundEvent.REDUCED_ALL)
        record = record_of(request.epoch, request.head, group, parts)
        kept.keep(CommittedRound(record, tuple(parts)))  # others may ask for it as soon as the record is out
        rank = reduction.rank
        standing = await commit(record, log, rank=rank, settle_seconds=request.limits.settle_seconds)
        if standing is None:
            raise RoundFailed("The record that commits the epoch could not be stored.")
        reduction.count(RoundEvent.COMMITTED)
    else:
        standing = await _await_commit(request, log)
    return standing, reduction.results if standing.group == group.id else [None] * len(reduction.results)


async def _await_commit(request: RoundRequest, log: DHTCommitLog) -> CommitRecord:
    """Wait for others to commit: as long as a member that got the last part at our limit would take."""
    patience = request.limits.reducer_seconds + 3 * request.limits.settle_seconds
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        standing = winner(await log.read(), request.epoch, request.head)
        if standing is not None:
            await asyncio.sleep(request.limits.settle_seconds)
            return winner(await log.read(), request.epoch, request.head) or standing
        await asyncio.sleep(_POLL_SECONDS)
    raise RoundFailed("A reducer was lost, and nobody in the group had all parts.")


def outcome_of(
    reduction: AllReduce | None, committed: CommittedRound, held: Sequence[ReducedPart | None]
) -> RoundOutcome:
    """Say how this peer stands to a committed round; its samples count as included if any part has them."""
    record = committed.record
    ours = reduction is not None and record.group == reduction.group.id
    if reduction is None:
        standing = Standing.CAUGHT_UP
    elif not ours:
        standing = Standing.SUPERSEDED
    else:
        standing = Standing.AVERAGED if all(held) else Standing.COMPLETED
    position = reduction.position if reduction is not None and ours else None
    included = position is not None and any(position in part.included for part in committed.parts)
    return RoundOutcome(record.epoch, record.root, standing, included, record.samples, record.members)


def write_outputs(committed: CommittedRound, parts: Sequence[Part], outputs: Sequence[torch.Tensor]) -> None:
    """Decode a committed round into the output tensors."""
    for part, reduced in zip(parts, committed.parts, strict=True):
        part.scatter(reduced.values(part), outputs)
