"""The warning that trainers are there and make no epochs: a pure function over progress records."""

from collections.abc import Sequence

from core.swarm.membership.progress import seconds_until
from core.swarm.wire.records import ProgressRecord

_EPOCH_TIMES = 5
"""Multiple of the time in which the trainers gather a batch, or after which a round is due, to wait for an epoch."""
_LEAST_SECONDS, _UNKNOWN_SECONDS = 120.0, 600.0
"""Seconds after which an epoch is overdue at the earliest, and for trainers that state no speed."""


def warning_of(
    peers: Sequence[ProgressRecord], *, target: int, seconds: float, round_seconds: float | None = None
) -> str | None:
    """Return a warning for the organiser, in a sentence or two; None if nothing is wrong.

    Args:
        peers: the records of the peers that are there.
        target: samples that make an epoch.
        seconds: seconds since the last epoch was committed, or since trainers have been there, if that is shorter.
        round_seconds: seconds that make an epoch where the clock decides; None where ``target`` samples do.
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
    rate = sum(record.samples_per_second for record in trainers)
    if seconds <= _patience(target, rate, round_seconds):
        return None
    many = "1 computer trains" if len(trainers) == 1 else f"{len(trainers)} computers train"
    return (
        f"{many}, and no epoch was committed for {seconds / 60:.0f} minutes. Check that the bootstrap peer's port is "
        "open to the outside; the trainers' logs say why rounds fail."
    )


def _patience(target: int, rate: float, round_seconds: float | None) -> float:
    """Return the seconds after which an epoch is overdue, at a ``rate`` of samples a second."""
    by_clock = _EPOCH_TIMES * (round_seconds or 0.0)
    if rate <= 0:
        return max(by_clock, _UNKNOWN_SECONDS)
    by_samples = _EPOCH_TIMES * seconds_until(target, 0.0, rate) if round_seconds is None else 0.0
    return max(by_clock, by_samples, _LEAST_SECONDS)


def in_step(peers: Sequence[ProgressRecord], place: tuple[int, bytes] | None) -> int:
    """Return the number of the trainers at work among ``peers`` that are at ``place``, the leading epoch and head."""
    return sum(
        record.computes and record.synchronised and (record.epoch, record.head) == place for record in peers
    )
