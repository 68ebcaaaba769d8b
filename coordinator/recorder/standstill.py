"""The warning that trainers are there and make no epochs: a pure function over progress records."""

from collections.abc import Sequence

from core.run.rules import SwarmRules
from core.swarm.membership.progress import seconds_until
from core.swarm.wire.records import ProgressRecord

_ROUND_TIMES = 5
"""Multiple of the time from one round to the next, after which the next epoch is overdue."""
_LEAST_SECONDS, _UNKNOWN_SECONDS = 120.0, 600.0
"""Seconds after which an epoch is overdue at the earliest, and for trainers that state no speed."""


def warning_of(peers: Sequence[ProgressRecord], rules: SwarmRules, *, seconds: float) -> str | None:
    """Return a warning for the organiser, in a sentence or two; None if nothing is wrong.

    Args:
        peers: the records of the peers that are there.
        rules: the run's rules: the samples of an epoch, and the seconds between rounds where the clock decides.
        seconds: seconds since the last epoch was committed, or since trainers have been there, if that is shorter.
    """
    trainers = [record for record in peers if record.computes]
    if not trainers:
        return None
    if not any(record.reducing and not (record.paused or record.leaving) for record in peers):
        many = (
            "1 computer can't train"
            if len(trainers) == 1
            else f"{len(trainers)} computers can't reach each other"
        )
        return (
            f"{many}: no peer of this run accepts connections. Set swarm.auxiliary = true in coordinator.toml and "
            "restart `serve`, or ask a volunteer to open a port."
        )
    if seconds <= max(_seconds_to_wait(trainers, rules), _LEAST_SECONDS):
        return None
    many = "1 computer trains" if len(trainers) == 1 else f"{len(trainers)} computers train"
    return (
        f"{many}, and no epoch was committed for {seconds / 60:.0f} minutes. Check that the bootstrap peer's port is "
        "open to the outside; the trainers' logs say why rounds fail."
    )


def _seconds_to_wait(trainers: Sequence[ProgressRecord], rules: SwarmRules) -> float:
    if rules.round_seconds is not None:
        return _ROUND_TIMES * rules.round_seconds
    rate = sum(record.samples_per_second for record in trainers)
    return _ROUND_TIMES * seconds_until(rules.target_batch_size, 0.0, rate) if rate > 0 else _UNKNOWN_SECONDS


def in_step(peers: Sequence[ProgressRecord], place: tuple[int, bytes] | None) -> int:
    """Return the number of the trainers at work among ``peers`` that are at ``place``, the leading epoch and head."""
    return sum(
        record.computes and record.synchronised and (record.epoch, record.head) == place for record in peers
    )
