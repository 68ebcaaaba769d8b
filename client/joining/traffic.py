"""Estimates the network traffic of training a run, before it is joined: at its real pace where that is known."""

from client.api.candidate import PaceBasis, TrafficView
from client.joining.pace import RunPace, UpdatePace
from core.run.control_traffic import OVERHEAD, SWARM_OF_COMPARISON
from core.run.describe import bytes_of_state
from core.run.expected_traffic import most_traffic, traffic_of_caller, traffic_of_equals
from core.run.rules import SwarmRules, TrainingRules

_DAY = 86_400.0


def traffic(
    training: TrainingRules, pace: RunPace | None = None, samples_per_hour: float | None = None
) -> TrafficView:
    """Estimate the traffic of training a run all day.

    Args:
        training: Rules of the run.
        pace: Progress and pace of the run; None: nothing is known of them. Without a measured pace the swarm is one
            of `SWARM_OF_COMPARISON` computers like this one.
        samples_per_hour: Speed as measured on this computer; None, or 0, if it was not measured yet.
    """
    measured, epoch = (pace.measured, pace.epoch) if pace is not None else (None, 0)
    basis, seconds = _pace_of(training.swarm, measured, samples_per_hour or 0.0)
    peers = 1 + max(1, round(measured.contributors)) if measured is not None else SWARM_OF_COMPARISON
    epochs, left = _DAY / seconds, training.schedule.total_epochs - epoch
    counted = min(epochs, left)
    caller, equal, most = (
        expect(training, seconds, peers).most
        for expect in (traffic_of_caller, traffic_of_equals, most_traffic)
    )
    return TrafficView(
        bytes_per_day=int(counted * max(caller, equal)),
        bytes_per_day_if_reached=int(counted * most),
        state_bytes=int(OVERHEAD * bytes_of_state(training)) if epoch else 0,
        basis=basis,
        seconds_per_epoch=seconds,
        computers=peers,
        updates_left=left,
        ends_within_a_day=left < epochs,
    )


def _pace_of(
    swarm: SwarmRules, measured: UpdatePace | None, samples_per_hour: float
) -> tuple[PaceBasis, float]:
    """Return what the pace rests on, and the seconds from one update to the next.

    No batch is complete before its samples are computed, but a group may have formed long before the run's limit. So
    the limit stands where nothing better is known, and where batches are complete sooner than that.
    """
    if measured is not None:
        return PaceBasis.MEASURED, _with_this_one(swarm, measured, samples_per_hour)
    if swarm.round_seconds is not None:
        return PaceBasis.CLOCK, swarm.round_seconds
    if not samples_per_hour:
        return PaceBasis.ASSUMED, swarm.matchmaking_seconds
    gathering = swarm.target_batch_size * 3600 / (SWARM_OF_COMPARISON * samples_per_hour)
    if gathering < swarm.matchmaking_seconds:
        return PaceBasis.ASSUMED, swarm.matchmaking_seconds
    return PaceBasis.ALIKE, gathering


def _with_this_one(swarm: SwarmRules, measured: UpdatePace, samples_per_hour: float) -> float:
    """Return the seconds from one update to the next once this computer computes samples as well.

    The clock of a run makes none sooner than it says, whatever a coordinator tells.
    """
    if swarm.round_seconds is not None:
        return max(measured.epoch_seconds, swarm.round_seconds)
    own = samples_per_hour / 3600 / swarm.target_batch_size
    return 1 / (1 / measured.epoch_seconds + own)
