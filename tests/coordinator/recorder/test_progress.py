"""Peers' records, or the cohorts of a summary, yield the swarm's present state."""

from pathlib import Path
from typing import Any

import pytest

from coordinator.recorder.progress import by_class, by_reach, run_now
from coordinator.run_now import PeersOfClass, RunNow
from core.messages.reach import Reach
from core.run.manifest import RunManifest
from core.run.rules import LocalStepRules, Overlap
from core.swarm.wire.device_class import DeviceClass
from core.swarm.wire.records import ProgressRecord
from tests.coordinator.recorder.stand_in_swarm import START
from tests.core.swarm.builders import digest_of, progress
from tests.swarms.tiny_run import write_tiny_run

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


def by_clock(folder: Path) -> RunManifest:
    """A run whose rounds are 300 s apart."""
    local = LocalStepRules(round_seconds=300.0)
    return RunManifest.load(write_tiny_run(folder, overlap=Overlap.FULL, local_steps=local))


def at_work(number: int, epoch_seconds: float, **changed: Any) -> ProgressRecord:
    """The record, 10 s old, of a trainer that came to its epoch so many seconds before."""
    return progress(number, epoch_seconds=epoch_seconds, time=START.timestamp() - 10, **changed)


def test_the_next_epoch_comes_by_the_clock_where_that_decides(tmp_path: Path) -> None:
    manifest = by_clock(tmp_path)
    peers = (
        at_work(0, 190.0, samples=500),  # many more than a batch
        at_work(1, 170.0, samples_per_second=0.001),
        at_work(2, 20.0),  # a newcomer
        at_work(3, 9_000.0, epoch=6),
    )
    found = now(manifest, *peers)
    assert (found.seconds_to_next, found.round_seconds, found.gathered) == (120.0, 300.0, 520)
    assert now(manifest, at_work(0, 1_000.0)).seconds_to_next == 0.0
    assert now(manifest, at_work(0, 5.0, samples=0, samples_per_second=0.0)).seconds_to_next is None


def test_a_round_by_the_clock_that_lasts_raises_no_warning(tmp_path: Path) -> None:
    manifest = by_clock(tmp_path)

    def warning(still: float) -> str | None:
        peers = [progress(0)]
        return run_now(
            peers, manifest, time=START, epoch=7, loss=None, exchanged_bytes=0, still_seconds=still
        ).warning

    assert warning(still=1_400.0) is None, "a batch takes 32 s, which does not matter"
    assert warning(still=1_600.0)


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


def test_trainers_are_counted_by_the_way_in_which_others_reach_them() -> None:
    found = by_reach(
        [
            progress(0, reach=Reach.DIRECT),
            progress(1, reach=Reach.OUTGOING, paused=True),
            progress(2, reach=Reach.OUTGOING),
            progress(3, reach=Reach.DIRECT, auxiliary=True),
            progress(4, reach=Reach.DIRECT, leaving=True),
        ]
    )
    assert found == {"direct": 1, "outgoing": 2}
