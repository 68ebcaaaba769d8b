"""The kept checkpoints, and those that are due to go: values and pure functions."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class CheckpointStatus(StrEnum):
    """The state of a checkpoint."""

    KEPT = "kept"
    BAD = "bad"
    """The run was rolled back to an epoch before this checkpoint's."""
    REMOVED = "removed"
    """Newer checkpoints took its place."""


@dataclass(frozen=True)
class KeptCheckpoint:
    """A checkpoint that was found good."""

    id: int
    generation: int
    epoch: int
    parameters: str
    """Digest of the parameters in hex."""
    folder: str
    """Name of its folder among the checkpoints."""
    loss: float | None
    """Loss on held-out rows, in nats per code or token."""
    size: int
    """Size of the release in bytes."""
    created: datetime
    published: str | None


def in_order(kept: Sequence[KeptCheckpoint]) -> list[KeptCheckpoint]:
    """Return the checkpoints by epoch, the oldest first.

    The epoch decides, since a rollback leaves no checkpoint that is newer than the one it leads to.
    """
    return sorted(kept, key=lambda item: (item.epoch, item.generation))


def superfluous(
    kept: Sequence[KeptCheckpoint], keep: int, needed: Collection[int] = ()
) -> list[KeptCheckpoint]:
    """Return all but the newest ``keep`` and those whose numbers are in ``needed``, the oldest first."""
    return [item for item in in_order(kept)[:-keep] if item.id not in needed]


def is_due(epoch: int, last: int, every: int) -> bool:
    """Return true if the swarm has gone on for ``every`` epochs since the last checkpoint."""
    return epoch - last >= every


def to_publish(kept: Sequence[KeptCheckpoint], since_published: int, every: int) -> KeptCheckpoint | None:
    """Return the newest checkpoint if it is due for publication; None if nothing is due.

    It is due if it is not published, and ``since_published``, the number of checkpoints since one was
    published, is ``every`` or more.
    """
    ordered = in_order(kept)
    if not ordered or ordered[-1].published is not None or since_published < every:
        return None
    return ordered[-1]
