"""What the swarm does now, counted from its peers' records."""

from typing import Any

import pytest

from coordinator.recorder.now import by_class, run_now
from coordinator.run_now import PeersOfClass, RunNow
from core.run import RunManifest
from core.swarm.device_class import DeviceClass
from core.swarm.records import ProgressRecord
from tests.coordinator.recorder.stand_in_swarm import START
from tests.core.swarm.builders import digest_of, progress
from tests.tiny_run import write_tiny_run

CPU, GPU = DeviceClass.CPU, DeviceClass.GPU_24


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> RunManifest:
    return RunManifest.load(write_tiny_run(tmp_path_factory.mktemp("run")))


def now(manifest: RunManifest, *peers: ProgressRecord, epoch: int = 7) -> RunNow:
    return run_now(peers, manifest, time=START, epoch=epoch, loss=2.5, exchanged_bytes=9)


def test_samples_and_rates_are_of_those_who_work_on_the_epoch(manifest: RunManifest) -> None:
    peers = (
        progress(0, samples=10, samples_per_second=2.0),
        progress(1, samples=20, samples_per_second=6.0),
        progress(2, samples=40, samples_per_second=1.0, paused=True),
        progress(3, samples=40, samples_per_second=1.0, synchronised=False),
        progress(4, samples=40, samples_per_second=1.0, epoch=6),
        progress(5, samples=40, samples_per_second=1.0, head=digest_of("another branch")),
        progress(6, samples=0, samples_per_second=0.0, auxiliary=True),
    )
    found = now(manifest, *peers)
    assert (found.gathered, found.samples_per_second) == (30, 8.0)
    assert (found.target, found.seconds_to_next) == (64, (64 - 30) / 8)
    assert (found.time, found.epoch, found.loss, found.exchanged_bytes) == (START, 7, 2.5, 9)


@pytest.mark.parametrize(
    "peers", [(), (progress(0, samples=0, samples_per_second=0.0),)], ids=["nobody", "somebody who rests"]
)
def test_where_nobody_computes_no_time_is_promised(
    manifest: RunManifest, peers: tuple[ProgressRecord, ...]
) -> None:
    found = now(manifest, *peers)
    assert (found.gathered, found.samples_per_second, found.seconds_to_next) == (0, 0.0, None)


def test_the_epoch_is_the_trainers_even_before_it_is_recorded(manifest: RunManifest) -> None:
    assert now(manifest, progress(0, epoch=9), epoch=8).epoch == 9
    assert now(manifest, epoch=8).epoch == 8


def peer(number: int, device: DeviceClass, **changed: Any) -> ProgressRecord:
    return progress(number, device=device, **changed)


def test_trainers_are_counted_by_class_and_state() -> None:
    found = by_class(
        [
            peer(0, CPU),
            peer(1, CPU, paused=True),
            peer(2, CPU, paused=True, synchronised=False),
            peer(3, GPU),
            peer(4, GPU, synchronised=False),
            peer(5, DeviceClass.UNKNOWN, auxiliary=True),
            peer(6, DeviceClass.GPU_8, leaving=True),
        ]
    )
    assert found == {
        "cpu": PeersOfClass(training=1, paused=2),
        "gpu_24": PeersOfClass(training=1, joining=1),
    }
