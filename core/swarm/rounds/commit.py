"""The commit of an epoch: its record, and the rule that decides between the records of two groups.

The procedure is Fischer's timed mutual exclusion (Lamport, 1987) on a DHT key: look, write if there is no
record, wait longer than a write takes, look again, and believe the winner. Where its assumption about time
fails, two records stand side by side; every later record names its parent, so the peers of the losing branch
find out and re-synchronise (core.swarm.membership.agreement).
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Protocol

from hivemind.p2p import PeerID

from core.swarm.rounds.combination import combined_id
from core.swarm.rounds.events import RoundEvent
from core.swarm.rounds.group import Group
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.records import CommitRecord

_log = logging.getLogger(__name__)

EAGER_WRITERS = 3
"""Members of a group that write its record at once; the others only if these did not."""


def root_digest(epoch: int, parent: bytes, group: bytes, parts: Sequence[ReducedPart]) -> bytes:
    """Return the digest that names an epoch's aggregate whole: its epoch and parent, its group and every part.

    Args:
        epoch: the epoch that the aggregate leads from.
        parent: root of the commit that led to that epoch.
        group: id of the group.
        parts: all reduced parts, in order.
    """
    return root_of(epoch, parent, group, [part.digest for part in parts])


def root_of(epoch: int, parent: bytes, group: bytes, digests: Sequence[bytes]) -> bytes:
    """Return the root, as `root_digest` computes it, from the ``digests`` of the parts.

    The gradients lead from ``epoch``; ``parent`` is the root of the commit that led there, ``group`` the
    group's id.
    """
    whole = hashlib.sha256(repr((epoch, parent, group, len(digests))).encode())
    for digest in digests:
        whole.update(digest)
    return whole.digest()


def record_of(
    epoch: int, parent: bytes, group: Group, parts: Sequence[ReducedPart], *, state: bytes | None = None
) -> CommitRecord:
    """Return the record that commits a group's aggregate; all members that have every part write the same one.

    The records of members that began from other states differ in ``state`` alone. They commit the same aggregate.

    Args:
        epoch: the epoch that the aggregate leads from.
        parent: root of the commit that led to that epoch.
        group: the group that reduced; where it combined with others, the last part names all of them.
        parts: all reduced parts, in order; the weight of the last counts the samples.
        state: root of the pieces of the state that the round led from; None if the writer holds none.
    """
    groups = parts[-1].groups
    number = combined_id(groups) if groups else group.id
    return CommitRecord(
        epoch=epoch,
        parent=parent,
        root=root_digest(epoch, parent, number, parts),
        group=number,
        members=sum(item.members for item in groups) if groups else len(group.senders),
        samples=parts[-1].weight,
        state=state,
    )


def winner(records: Iterable[CommitRecord], epoch: int, parent: bytes) -> CommitRecord | None:
    """Return the one of ``records`` that counts for the step from ``epoch`` after ``parent``; None if there is none.

    The record with most samples counts, among equals that with the smaller root. All peers that see the same
    records choose the same one.
    """
    rivals = [record for record in records if (record.epoch, record.parent) == (epoch, parent)]
    return min(rivals, key=lambda record: (-record.samples, record.root), default=None)


def without_copies(records: Iterable[CommitRecord], own: CommitRecord) -> list[CommitRecord]:
    """Return ``records`` without those that name the root of ``own`` beside another group, or other samples.

    The root covers the group and the weight of each part, so whoever holds the parts knows that such a record lies.
    """
    return [
        record
        for record in records
        if record.root != own.root or (record.group, record.samples) == (own.group, own.samples)
    ]


def log_choice(
    chosen: CommitRecord, records: Iterable[CommitRecord], writers: Mapping[bytes, Sequence[PeerID]]
) -> None:
    """Log the record that counts for an epoch, who wrote it, and the rivals that it won over.

    Args:
        chosen: the winner of ``records``.
        records: all records that were read; those of other steps are ignored.
        writers: peers that wrote the record with each root.
    """
    step = (chosen.epoch, chosen.parent)
    rivals = {item.root: item for item in records if (item.epoch, item.parent) == step}
    rivals.pop(chosen.root, None)
    _log.info(
        "Epoch %d: commit record %s counts%s.",
        chosen.epoch,
        _described(chosen, writers),
        "".join(f"; it won over {_described(rival, writers)}" for rival in rivals.values()),
    )


def _described(record: CommitRecord, writers: Mapping[bytes, Sequence[PeerID]]) -> str:
    by = ", ".join(map(str, writers.get(record.root, ()))) or "no peer that is known"
    return (
        f"{record.root.hex()[:8]} ({record.samples:g} samples of {record.members} members, written by {by})"
    )


class CommitLog(Protocol):
    """The place where commit records are read and written."""

    @property
    def writers(self) -> Mapping[bytes, Sequence[PeerID]]:
        """Peers that wrote the records that were read last, by root."""

    async def read(self) -> Sequence[CommitRecord]:
        """Return all well-formed records that the log has now."""

    async def write(self, record: CommitRecord) -> bool:
        """Store ``record``; return true if any peer stored it."""


async def commit(
    record: CommitRecord,
    log: CommitLog,
    *,
    rank: int,
    settle_seconds: float,
    delays: int = 0,
    count: Callable[[RoundEvent], None] = lambda event: None,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> CommitRecord | None:
    """Commit an epoch, or learn which record commits it.

    Args:
        record: the record to write unless another one stands.
        log: the log of the run's commit records.
        rank: index of this member in its group; only the first few write at once.
        settle_seconds: seconds that a record stands alone before it is believed.
        delays: times to settle for which all members of the group wait before they look: other groups write before.
        count: called with the events of the round.
        sleep: waits for some seconds.
        clock: gives the present time in seconds.

    Returns:
        The record that counts, ours or another's; None if ours could not be stored and there is no other.
    """
    standing = await _standing_in_turn(record, log, delays + (rank >= EAGER_WRITERS), settle_seconds, sleep)
    written = False
    if standing is None:
        count(RoundEvent.WRITING)
        written, seconds = await _write(record, log, clock)
        count(RoundEvent.WRITTEN)
        if seconds > settle_seconds:
            # Others may have looked before our record arrived: give them the time to be seen by us.
            await sleep(settle_seconds)
    await sleep(settle_seconds)
    records = without_copies(await log.read(), record)
    found = winner(records, record.epoch, record.parent)
    chosen = found or standing or (record if written else None)
    if chosen is not None:
        log_choice(chosen, records, log.writers)
    return chosen


async def _standing_in_turn(
    record: CommitRecord,
    log: CommitLog,
    turns: int,
    settle_seconds: float,
    sleep: Callable[[float], Awaitable[None]],
) -> CommitRecord | None:
    """Return the record that stands, once there is one or the ``turns`` of others are over; None if none does.

    A member that looked only after its turn would come to the next epoch that much later than the others.
    """
    for _ in range(turns):
        await sleep(settle_seconds)
        standing = await _standing(record, log)
        if standing is not None:
            return standing
    return None if turns else await _standing(record, log)


async def _standing(record: CommitRecord, log: CommitLog) -> CommitRecord | None:
    return winner(without_copies(await log.read(), record), record.epoch, record.parent)


async def _write(record: CommitRecord, log: CommitLog, clock: Callable[[], float]) -> tuple[bool, float]:
    """Write ``record``; return true if any peer stored it, and the seconds that took."""
    root = record.root.hex()[:8]
    _log.info("Epoch %d: the commit record %s is being written.", record.epoch, root)
    began = clock()
    written = await log.write(record)
    seconds = clock() - began
    if written:
        _log.info("Epoch %d: the commit record %s was stored in %.2f s.", record.epoch, root, seconds)
    else:
        _log.warning(
            "Epoch %d: no peer stored the commit record %s within %.2f s.", record.epoch, root, seconds
        )
    return written, seconds
