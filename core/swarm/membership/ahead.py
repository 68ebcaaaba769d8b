"""Makes sure that most users did not come along with a peer, which is ahead of what their records say."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.run.look_schedule import STORED_SECONDS, alive_seconds
from core.swarm.membership.deputies import FRESH_SECONDS
from core.swarm.membership.majority import epoch_left_alone
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.state.beginning import Beginning
from core.swarm.wire.records import ProgressRecord

_LEAST_LOOKS = 3
"""Looks at which the majority must have been behind, without a break."""
_SUMMARISED_SECONDS = FRESH_SECONDS + STORED_SECONDS
"""Seconds after which a summary that is believed has no record of before them."""


@dataclass(frozen=True)
class AloneSince:
    """The looks at which a peer has seen most users behind it, since the first one."""

    epoch: int
    """Epoch of the peer at the first of these looks."""
    first: float
    """Monotonic seconds at which that look began."""
    last: float
    """Monotonic seconds at which the last one began."""
    looks: int = 1
    """Number of these looks."""

    def is_sure(self, others: Sequence[ProgressRecord]) -> bool:
        """Return true if all of the ``others`` are seen as they were after the first of these looks.

        Each of their records was renewed since then, or would not be seen any more. So most users have not come
        within an epoch of where this peer was then, at a time when it had been there already.
        """
        return self.looks >= _LEAST_LOOKS and self.last - self.first > _oldest_seconds(others)


def alone_since(
    before: AloneSince | None, own: ProgressRecord, view: SwarmView, beginning: Beginning | None
) -> AloneSince | None:
    """Return the looks at which most users were behind the peer of ``own``; None if they are not now.

    Args:
        before: what the last call returned.
        own: this peer's record at present.
        view: the others as last seen; the same view counts once.
        beginning: the beginning of this peer's generation; records that cannot belong to it do not count.
    """
    epoch = epoch_left_alone(own, view.others, beginning)
    if epoch is None:
        return None
    if before is None or epoch + 1 >= before.epoch:
        return AloneSince(own.epoch, view.seen_at, view.seen_at)
    if view.seen_at <= before.last:
        return before
    return replace(before, last=view.seen_at, looks=before.looks + 1)


def _oldest_seconds(others: Sequence[ProgressRecord]) -> float:
    """Return the largest age in seconds that one of the records can have which are still seen."""
    if any(record.counted_voices is not None for record in others):
        return _SUMMARISED_SECONDS
    return max((alive_seconds(record.looks_every) for record in others), default=0.0)
