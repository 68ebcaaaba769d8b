"""What training a run would carry over the network, before anybody can know how large its swarm is."""

from dataclasses import dataclass

from core.describe import parameter_count
from core.rules import TrainingRules

SWARM_OF_COMPARISON = 16
"""Peers that a swarm is imagined to have."""
_DAY = 86_400.0


@dataclass(frozen=True)
class Traffic:
    """Of training all day in a swarm of `SWARM_OF_COMPARISON` computers like this one; upper bounds."""

    seconds_per_epoch: float
    bytes_per_day: int
    """Sent; as much is received."""


def traffic(training: TrainingRules, samples_per_hour: float) -> Traffic:
    """What the network would carry."""
    swarm = training.swarm
    rate = SWARM_OF_COMPARISON * samples_per_hour / 3600
    seconds = max(swarm.target_batch_size / rate, swarm.matchmaking_seconds)
    return Traffic(seconds, int(_DAY / seconds * bytes_per_epoch(training)))


def bytes_per_epoch(training: TrainingRules) -> int:
    """That a peer of `SWARM_OF_COMPARISON` sends for an update: 2 (N - 1) / N times all gradients."""
    share = (SWARM_OF_COMPARISON - 1) / SWARM_OF_COMPARISON
    return int(2 * share * parameter_count(training.model) * training.swarm.gradient_encoding.bytes_per_value)
