"""Tells newcomers what a computer passes in a day: at the run's measured pace, or at that of its rules before."""

from dataclasses import dataclass
from enum import StrEnum

from coordinator.ledger.pace import MeasuredPace
from core.run.control_traffic import OVERHEAD, SWARM_OF_COMPARISON
from core.run.describe import bytes_of_state
from core.run.expected_traffic import most_traffic, traffic_of_caller
from core.run.rules import SwarmRules, TrainingRules

_DAY = 86_400.0


class TrafficBasis(StrEnum):
    """The pace for which a day's traffic is told."""

    MEASURED = "measured"
    CLOCK = "clock"  # the run's rules allow no faster one
    ASSUMED = "assumed"  # nothing bounds it: the longest time that a group may take to form stands for it


@dataclass(frozen=True)
class NewcomerTraffic:
    """Bytes that a computer which joins now passes in a day without a pause, or until the run ends within a day."""

    basis: TrafficBasis
    epoch_seconds: float
    """Seconds from one epoch to the next."""
    pace: MeasuredPace | None
    left: int
    """Epochs that the run has left."""
    peers: int
    """Computers of the swarm, the newcomer included."""
    up: float
    down: float
    """Bytes of a computer that others can't connect to."""
    most: float
    """Bytes of the larger way of a computer that others can connect to, at most, without the states that it gives."""
    state: float
    """Bytes of the model's state, which it fetches once; 0 if the run has made no epoch."""

    @property
    def ends_within_a_day(self) -> bool:
        return self.left < _DAY / self.epoch_seconds


def newcomer_traffic(training: TrainingRules, pace: MeasuredPace | None, epoch: int) -> NewcomerTraffic:
    """Return the traffic of a computer that joins now.

    Args:
        training: rules of the run.
        pace: pace of the run as measured; None before there is one.
        epoch: number of epochs that the run has made.
    """
    basis, seconds = _pace_of(training.swarm, pace)
    peers = 1 + max(1, round(pace.contributors)) if pace else SWARM_OF_COMPARISON
    left = max(0, training.schedule.total_epochs - epoch)
    epochs = min(_DAY / seconds, left)
    caller = traffic_of_caller(training, seconds, peers)
    most = max(caller.most, most_traffic(training, seconds, peers).most)
    state = OVERHEAD * bytes_of_state(training) if epoch else 0.0
    return NewcomerTraffic(
        basis, seconds, pace, left, peers, epochs * caller.up, epochs * caller.down, epochs * most, state
    )


def _pace_of(swarm: SwarmRules, pace: MeasuredPace | None) -> tuple[TrafficBasis, float]:
    if pace is not None:
        return TrafficBasis.MEASURED, pace.epoch_seconds
    if swarm.round_seconds is not None:
        return TrafficBasis.CLOCK, swarm.round_seconds
    return TrafficBasis.ASSUMED, swarm.matchmaking_seconds
