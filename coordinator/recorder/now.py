"""The swarm as it is now, from its peers' progress records: what the website shows."""

from collections.abc import Sequence
from datetime import datetime

from coordinator.run_now import PeersOfClass, RunNow
from core.run import RunManifest
from core.swarm.agreement import leading_place
from core.swarm.device_class import DeviceClass
from core.swarm.progress import seconds_until
from core.swarm.records import ProgressRecord


def run_now(
    peers: Sequence[ProgressRecord],
    manifest: RunManifest,
    *,
    time: datetime,
    epoch: int,
    loss: float | None,
    exchanged_bytes: int,
) -> RunNow:
    """``epoch`` and ``loss`` are those that are recorded last; trainers may have gone on since."""
    place, target = leading_place(peers), manifest.training.swarm.target_batch_size
    here = [
        item for item in peers if item.computes and item.synchronised and (item.epoch, item.head) == place
    ]
    gathered, rate = sum(item.samples for item in here), sum(item.samples_per_second for item in here)
    left = seconds_until(target, gathered, rate)
    return RunNow(
        time=time,
        generation=manifest.state.generation,
        epoch=max(epoch, place[0] if place else 0),
        total_epochs=manifest.training.schedule.total_epochs,
        loss=loss,
        samples_per_second=rate,
        gathered=gathered,
        target=target,
        seconds_to_next=left if left < float("inf") else None,
        peers=by_class(peers),
        exchanged_bytes=exchanged_bytes,
    )


def by_class(peers: Sequence[ProgressRecord]) -> dict[str, PeersOfClass]:
    """Trainers by what they train on; classes without any are left out."""
    found = {}
    for device in DeviceClass:
        own = [item for item in peers if item.device == device and not (item.auxiliary or item.leaving)]
        paused = sum(item.paused for item in own)
        joining = sum(not item.synchronised and not item.paused for item in own)
        if own:
            found[device.value] = PeersOfClass(
                training=len(own) - paused - joining, paused=paused, joining=joining
            )
    return found
