"""Estimates the network traffic of training a run, before the size of its swarm is known."""

from client.api.candidate import TrafficView
from core.run.control_traffic import SWARM_OF_COMPARISON
from core.run.expected_traffic import most_traffic, traffic_of_caller, traffic_of_equals
from core.run.rules import SwarmRules, TrainingRules

_DAY = 86_400.0


def traffic(training: TrainingRules, samples_per_hour: float | None = None) -> TrafficView:
    """Estimate the traffic of training a run all day in a swarm of `SWARM_OF_COMPARISON` computers like this one.

    ``samples_per_hour`` is the speed as measured on this computer; None, or 0, if it was not measured yet.
    """
    seconds, is_shortest = _seconds_per_epoch(training.swarm, samples_per_hour)
    epochs, total = _DAY / seconds, training.schedule.total_epochs
    counted = min(epochs, total)
    caller, equal, most = (
        expect(training, seconds, SWARM_OF_COMPARISON).most
        for expect in (traffic_of_caller, traffic_of_equals, most_traffic)
    )
    return TrafficView(
        bytes_per_day=int(counted * max(caller, equal)),
        bytes_per_day_if_reached=int(counted * most),
        seconds_per_epoch=seconds,
        is_shortest=is_shortest,
        ends_within_a_day=total < epochs,
    )


def _seconds_per_epoch(swarm: SwarmRules, samples_per_hour: float | None) -> tuple[float, bool]:
    """Return the seconds from one update to the next, and true if no such swarm is faster.

    No batch is complete before its samples are computed, but a group may have formed long before the run's limit. So
    the limit is no bound: it stands where nothing better is known, and where batches are complete sooner than that.
    """
    if swarm.round_seconds is not None:
        return swarm.round_seconds, True
    if not samples_per_hour:
        return swarm.matchmaking_seconds, False
    gathering = swarm.target_batch_size * 3600 / (SWARM_OF_COMPARISON * samples_per_hour)
    return max(gathering, swarm.matchmaking_seconds), gathering >= swarm.matchmaking_seconds
