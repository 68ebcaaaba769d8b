"""Estimates the network traffic of training a run, before the size of its swarm is known."""

from dataclasses import dataclass

from core.run.control_traffic import SWARM_OF_COMPARISON, control_traffic
from core.run.describe import bytes_of_update
from core.run.rules import TrainingRules
from core.swarm.bandwidth import OVERHEAD

_DAY = 86_400.0


@dataclass(frozen=True)
class ExpectedTraffic:
    """Traffic of training all day in a swarm of `SWARM_OF_COMPARISON` computers like this one; upper bounds."""

    seconds_per_epoch: float
    bytes_per_day: int
    """Bytes a day on the wire, headers and the swarm's bookkeeping included: the larger of both ways.

    They are those of the whole run where that is over within a day.
    """
    ends_within_a_day: bool
    """True if such a swarm makes all updates of the run within a day."""


def traffic(training: TrainingRules, samples_per_hour: float) -> ExpectedTraffic:
    """Estimate the traffic of a run at a measured speed."""
    swarm = training.swarm
    rate = SWARM_OF_COMPARISON * samples_per_hour / 3600
    seconds = swarm.round_seconds or max(swarm.target_batch_size / rate, swarm.matchmaking_seconds)
    beside = control_traffic(seconds, SWARM_OF_COMPARISON)
    per_epoch = OVERHEAD * bytes_per_epoch(training) + max(beside.up, beside.down)
    epochs, total = _DAY / seconds, training.schedule.total_epochs
    return ExpectedTraffic(seconds, int(min(epochs, total) * per_epoch), ends_within_a_day=total < epochs)


def bytes_per_epoch(training: TrainingRules) -> int:
    """Return the bytes that a peer of `SWARM_OF_COMPARISON` sends for an update.

    They are (N - 1) / N times all values, and as much of all aggregates, as they are encoded.
    """
    share = (SWARM_OF_COMPARISON - 1) / SWARM_OF_COMPARISON
    return int(share * bytes_of_update(training))
