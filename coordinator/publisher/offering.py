"""When the publisher gives its checkpoint away: while there are trainers that lack it, and none that can give it."""

import time
from collections.abc import Callable, Sequence

from core.swarm.records import ProgressRecord

_PATIENCE_SECONDS = 240.0
"""For which it is believed that another has what is lacked: it costs nothing to say so. Longer than trainers set
aside whoever says so and gives nothing."""


class Lack:
    """What trainers lack, and since when; one publisher's."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since: dict[bytes, float] = {}

    def is_of(self, others: Sequence[ProgressRecord], epoch: int) -> bool:
        """Whether the state of that epoch is to be given away now."""
        now = self._clock()
        trainers = [record for record in others if not (record.auxiliary or record.paused)]
        lacking = {record.peer_id for record in trainers if record.epoch < epoch}
        self._since = {peer: self._since.get(peer, now) for peer in lacking}
        is_long = any(now - since > _PATIENCE_SECONDS for since in self._since.values())
        return is_long or is_wanted(others, epoch)


def is_wanted(others: Sequence[ProgressRecord], epoch: int) -> bool:
    """Whether the state of that epoch is what the swarm lacks.

    So it is after a rollback, and when volunteers come back to a swarm that all had left: they need not begin anew.
    Whoever has it, or is past it, gives on what is newer.
    """
    trainers = [record for record in others if not record.auxiliary]
    held = any(
        record.synchronised and not record.paused and record.reducing and record.epoch >= epoch
        for record in trainers
    )
    return not held and any(record.epoch < epoch for record in trainers)
