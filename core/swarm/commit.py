"""When an epoch has happened: the record that commits it, and which one counts if two groups wrote theirs.

The procedure is Fischer's timed mutual exclusion (Lamport, 1987) on a DHT key: look, write if nobody has, wait
longer than a write takes, look again, and believe the winner. Where its assumption about time fails, two records
stand side by side; every later record names its parent, so the peers of the losing branch find out and
re-synchronise (core.swarm.agreement).
"""

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Protocol

from core.swarm.allreduce import Group
from core.swarm.records import CommitRecord
from core.swarm.reduction import ReducedPart

_EAGER_WRITERS = 3
"""Members of a group that write its record at once; the others only if these did not."""


def root_digest(epoch: int, parent: bytes, group: bytes, parts: Sequence[ReducedPart]) -> bytes:
    """The digest that names an epoch's aggregate whole: where it leads from, who made it, every part."""
    return root_of(epoch, parent, group, [part.digest for part in parts])


def root_of(epoch: int, parent: bytes, group: bytes, digests: Sequence[bytes]) -> bytes:
    """As `root_digest`, for one who has the parts' digests and not the parts."""
    whole = hashlib.sha256(repr((epoch, parent, group, len(digests))).encode())
    for digest in digests:
        whole.update(digest)
    return whole.digest()


def record_of(epoch: int, parent: bytes, group: Group, parts: Sequence[ReducedPart]) -> CommitRecord:
    """The record that commits a group's aggregate; all members that have every part write the same one."""
    return CommitRecord(
        epoch=epoch,
        parent=parent,
        root=root_digest(epoch, parent, group.id, parts),
        group=group.id,
        members=len(group.senders),
        samples=parts[-1].weight,
    )


def winner(records: Iterable[CommitRecord], epoch: int, parent: bytes) -> CommitRecord | None:
    """The record that counts among those for one step of one chain: most samples, then the smaller digest.

    All who see the same records choose the same one.
    """
    rivals = [record for record in records if (record.epoch, record.parent) == (epoch, parent)]
    return min(rivals, key=lambda record: (-record.samples, record.root), default=None)


class CommitLog(Protocol):
    """Where commit records are read and written."""

    async def read(self) -> Sequence[CommitRecord]: ...

    async def write(self, record: CommitRecord) -> bool:
        """Whether any peer stored it."""


async def commit(
    record: CommitRecord,
    log: CommitLog,
    *,
    rank: int,
    settle_seconds: float,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> CommitRecord | None:
    """Commit an epoch, or learn who did; ``rank`` is this member's place in its group.

    Returns the record that counts, ours or another's; None if ours could not be stored, and nobody else's is there.
    """
    if rank >= _EAGER_WRITERS:
        await sleep(settle_seconds)
    standing = winner(await log.read(), record.epoch, record.parent)
    written = False
    if standing is None:
        began = clock()
        written = await log.write(record)
        if clock() - began > settle_seconds:
            # Others may have looked before our record arrived: give them the time to be seen by us.
            await sleep(settle_seconds)
    await sleep(settle_seconds)
    found = winner(await log.read(), record.epoch, record.parent)
    return found or standing or (record if written else None)
