"""Sums up the current state of the swarm, by the records of all its peers or by the cohorts of a summary."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from coordinator.recorder.standstill import by_wait, in_step, warning_of
from coordinator.run_now import PeersOfClass, RunNow
from core.run.manifest import RunManifest
from core.run.rules import SwarmRules
from core.swarm.membership.majority import leading_place
from core.swarm.membership.swarm_view import age_of_epoch, peers_of, seconds_until, upper_median
from core.swarm.wire.device_class import DeviceClass
from core.swarm.wire.records import ProgressRecord


def run_now(
    peers: Sequence[ProgressRecord],
    manifest: RunManifest,
    *,
    time: datetime,
    epoch: int,
    loss: float | None,
    exchanged_bytes: int,
    still_seconds: float = 0.0,
) -> RunNow:
    """Return the swarm's state as the website shows it.

    ``epoch`` and ``loss`` are those recorded last; trainers may have advanced since. No epoch was committed for
    ``still_seconds`` although trainers were there.
    """
    place, swarm = leading_place(peers), manifest.training.swarm
    here = [
        item for item in peers if item.computes and item.synchronised and (item.epoch, item.head) == place
    ]
    gathered, rate = sum(item.samples for item in here), sum(item.samples_per_second for item in here)
    return RunNow(
        time=time,
        generation=manifest.state.generation,
        epoch=max(epoch, place[0] if place else 0),
        total_epochs=manifest.training.schedule.total_epochs,
        loss=loss,
        samples_per_second=rate,
        gathered=gathered,
        target=swarm.target_batch_size,
        seconds_to_next=_seconds_to_next(here, swarm, gathered, rate, time.timestamp()),
        round_seconds=swarm.round_seconds,
        peers=by_class(peers),
        reach=by_reach(peers),
        waiting=by_wait(peers),
        in_step=in_step(peers, place),
        warning=warning_of(peers, swarm, seconds=still_seconds),
        exchanged_bytes=exchanged_bytes,
    )


def _seconds_to_next(
    here: Sequence[ProgressRecord], swarm: SwarmRules, gathered: int, rate: float, now: float
) -> float | None:
    """Return the seconds until the epoch of the records ``here`` ends, at ``now`` (DHT time); None if unknown."""
    if not (gathered or rate):
        return None
    if swarm.round_seconds is not None:
        return max(
            0.0, swarm.round_seconds - upper_median((age_of_epoch(item, now), item.peers) for item in here)
        )
    left = seconds_until(swarm.target_batch_size, gathered, rate)
    return left if left < float("inf") else None


def by_class(peers: Sequence[ProgressRecord]) -> dict[str, PeersOfClass]:
    """Count trainers by device class; classes without trainers are left out."""
    found, trainers = {}, _trainers(peers)
    for device in DeviceClass:
        own = [item for item in trainers if item.device == device]
        paused = peers_of(item for item in own if item.paused)
        joining = peers_of(item for item in own if not item.synchronised and not item.paused)
        if own:
            found[device.value] = PeersOfClass(
                training=peers_of(own) - paused - joining, paused=paused, joining=joining
            )
    return found


def by_reach(peers: Sequence[ProgressRecord]) -> dict[str, int]:
    """Count trainers by the way in which others reach them, as each states it."""
    counts = Counter[str]()
    for item in _trainers(peers):
        counts[item.reach.value] += item.peers
    return dict(counts)


def _trainers(peers: Sequence[ProgressRecord]) -> list[ProgressRecord]:
    return [item for item in peers if not (item.auxiliary or item.leaving)]
