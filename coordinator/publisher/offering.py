"""When the publisher gives its checkpoint away: while there are trainers that lack it, and none that can give it."""

from collections.abc import Sequence

from core.swarm.records import ProgressRecord


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
