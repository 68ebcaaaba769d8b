"""Progress within the swarm's epoch as people read it: by samples, or by the clock where that ends epochs."""

from core.messages.events import EpochProgress


def bar(progress: EpochProgress) -> tuple[float, float]:
    """Return what is done, and of what: samples, or seconds where the clock ends epochs."""
    whole = progress.round_seconds
    if whole is None:
        return min(progress.swarm_samples, progress.target_batch_size), progress.target_batch_size
    left = whole if progress.seconds_to_next_epoch is None else progress.seconds_to_next_epoch
    return max(0.0, whole - left), whole


def gathered(progress: EpochProgress) -> str:
    """Return how many of the epoch's samples there are; of how many, only where they end it."""
    if progress.round_seconds is not None:
        return f"{progress.swarm_samples:,} samples"
    target = progress.target_batch_size
    return f"{min(progress.swarm_samples, target):,}/{target:,} samples"


def surplus(progress: EpochProgress) -> str:
    """Return how many samples there are beyond those that end the epoch; empty if there are none."""
    more = progress.swarm_samples - progress.target_batch_size
    if progress.round_seconds is not None or more <= 0:
        return ""
    return f"{more:,} more samples wait for the round"
