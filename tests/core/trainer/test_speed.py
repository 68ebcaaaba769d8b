"""A machine's speed is measured with an injected clock and a model of a few milliseconds."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from core.model.config import ModelConfig
from core.model.techniques import Techniques
from core.trainer.machines import MachineSpeed, ModelSpeed, load_machines, processor_name
from core.trainer.speed import EMBEDDED, MIDDLE, Limit, Workload, measure, typical_seconds

TINY = ModelConfig(
    dim=8, depth=2, heads=1, dim_head=8, text_length=3, text_vocab=11, grid=4, image_vocab=9, shared_layers=0
)


class SteppedClock:
    """Goes on when work does, by the next of some durations; the last repeats."""

    def __init__(self, *durations: float) -> None:
        self.now, self.calls = 0.0, 0
        self._durations: Iterator[float] = iter(durations)
        self._last = 0.0

    def __call__(self) -> float:
        return self.now

    def work(self) -> None:
        self.calls += 1
        self._last = next(self._durations, self._last)
        self.now += self._last


@pytest.mark.parametrize(
    ("durations", "limit", "typical", "calls"),
    [
        pytest.param(
            (50.0, 1.0, 9.0, 2.0), Limit(seconds=100.0, steps=3), 2.0, 4, id="warm-up does not count"
        ),
        pytest.param((1.0,), Limit(seconds=100.0, steps=5), 1.0, 6, id="so many steps"),
        pytest.param((1.0,), Limit(seconds=3.0, steps=50), 1.0, 4, id="so many seconds"),
        pytest.param((60.0,), Limit(seconds=3.0, steps=50), 60.0, 2, id="a slow machine makes one"),
    ],
)
def test_the_median_of_what_the_limit_allows(
    durations: tuple[float, ...], limit: Limit, typical: float, calls: int
) -> None:
    clock = SteppedClock(*durations)
    assert typical_seconds(clock.work, limit, clock) == typical
    assert clock.calls == calls


def ticking(seconds: float) -> Callable[[], float]:
    """A clock that is later by so much each time it is read: every step takes that long."""
    readings = iter(range(1 << 30))
    return lambda: next(readings) * seconds


def test_speeds_follow_from_the_clock_and_the_model() -> None:
    workload = Workload("tiny", TINY, Techniques(micro_batch=6))
    measured = measure([workload], Limit(seconds=10.0, steps=2), clock=ticking(0.5))
    assert measured.models == {"tiny": ModelSpeed(12.0, 12.0 * TINY.sequence_length)}
    assert measured.gemm_gflops == pytest.approx(2 * 2048**3 / 0.5 / 1e9)
    assert measured.ram_bytes > 50 * 2**20


def test_machines_are_read_as_they_were_written(tmp_path: Path) -> None:
    machine = MachineSpeed("a machine", 2, 100.0, 1 << 30, {"tiny": ModelSpeed(1.0, 19.0)})
    path = tmp_path / "machines.json"
    path.write_text(json.dumps([asdict(machine)]))
    assert load_machines(path) == [machine]


def test_the_shipped_machines_ran_the_models_that_are_measured() -> None:
    with as_file(files("assets") / "machines.json") as path:
        machines = load_machines(path)
    assert machines
    for machine in machines:
        assert machine.models.keys() == {EMBEDDED.name, MIDDLE.name}
        assert min(speed.tokens_per_second for speed in machine.models.values()) > 0


def test_the_processor_has_a_name() -> None:
    assert processor_name()
