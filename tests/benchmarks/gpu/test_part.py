"""A part's results are on the disk as they come, and one measurement that fails does not take the others along."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from benchmarks.contests.cases import TINY
from benchmarks.contests.contest import REFERENCE
from benchmarks.gpu.part import MeasuredRow, PartReport, parsed
from benchmarks.gpu.speed import peak_of, workloads
from benchmarks.gpu.training import (
    CARDS_GIB,
    OURS,
    GpuContest,
    Held,
    kept_by,
    measure_cards,
    plan_for,
    rows_of_card,
)
from core.model.config import preset
from core.model.techniques import Activations, Precision, Techniques
from tests.moved_clock import MovedClock


@pytest.fixture
def clock() -> MovedClock[float]:
    return MovedClock(0.0)


@pytest.fixture
def part(tmp_path: Path, clock: MovedClock[float]) -> PartReport:
    options = parsed("", ["--device", "cpu", "--out", str(tmp_path), "--seconds", "60"])
    return PartReport("trial", "notes", options, clock)


def written(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "gpu_trial.json").read_text())
    return found


def rows(*values: int) -> Iterator[MeasuredRow]:
    for value in values:
        yield {"value": value}


def failing(error: Exception) -> Iterator[MeasuredRow]:
    yield {"value": 1}
    raise error


def test_rows_are_written_as_they_come(part: PartReport, tmp_path: Path) -> None:
    part.attempt("one", lambda: rows(1, 2))
    assert written(tmp_path)["results"] == [{"value": 1}, {"value": 2}]
    part.note(peak=3)
    assert written(tmp_path)["settings"] == {"gpu": None, "peak": 3, "left_out": [], "failed": []}
    assert part.finish() == 0


def test_what_there_is_no_time_for_is_left_out(
    part: PartReport, clock: MovedClock[float], tmp_path: Path
) -> None:
    clock.now = 45.0
    part.attempt("long", lambda: rows(1), seconds=20.0)
    part.attempt("short", lambda: rows(2), seconds=10.0)
    clock.now = 60.0
    part.attempt("late", lambda: rows(3))
    assert written(tmp_path)["results"] == [{"value": 2}]
    assert written(tmp_path)["settings"]["left_out"] == [
        {"what": "long", "why": "no time was left"},
        {"what": "late", "why": "no time was left"},
    ]


@pytest.mark.parametrize(
    "error", [torch.OutOfMemoryError("CUDA out of memory."), RuntimeError("CUBLAS_STATUS_ALLOC_FAILED")]
)
def test_too_little_memory_leaves_a_measurement_out(
    part: PartReport, error: Exception, tmp_path: Path
) -> None:
    part.attempt("large", lambda: failing(error))
    part.attempt("next", lambda: rows(2))
    assert [item["what"] for item in written(tmp_path)["settings"]["left_out"]] == ["large"]
    assert part.finish() == 0


def test_any_other_error_fails_the_part_and_the_next_measurement_is_made(
    part: PartReport, tmp_path: Path
) -> None:
    part.attempt("broken", lambda: failing(ValueError("a device-side assert")))
    part.attempt("next", lambda: rows(2))
    assert written(tmp_path)["results"] == [{"value": 1}, {"value": 2}]
    assert written(tmp_path)["settings"]["failed"] == [
        {"what": "broken", "why": "ValueError: a device-side assert"}
    ]
    assert part.finish() == 1


@pytest.mark.parametrize(
    ("name", "peak"),
    [
        ("NVIDIA H200", 989.4e12),
        ("NVIDIA H100 80GB HBM3", 989.4e12),
        ("NVIDIA H100 PCIe", 756e12),
        ("NVIDIA A100-SXM4-80GB", 312e12),
        ("NVIDIA A10", 125e12),
        ("NVIDIA GeForce RTX 4090", 165.2e12),
        ("NVIDIA L40", None),
        ("NVIDIA GeForce RTX 4090 D", 165.2e12),
        ("Tesla T4", None),
    ],
)
def test_a_cards_peak_is_found_by_whole_words(name: str, peak: float | None) -> None:
    assert peak_of(name) == peak


def test_a_card_trains_as_its_memory_plan_says() -> None:
    plans = [plan_for(preset("dalle"), card << 30, Precision.BFLOAT16) for card in sorted(CARDS_GIB)]
    assert all(found.fits and found.techniques.precision is Precision.BFLOAT16 for found in plans)
    seconds = [found.seconds for found in plans]
    assert seconds == sorted(seconds, reverse=True), "a larger card is never slower"


@pytest.mark.parametrize("gib", [4, 24, 80])
def test_speed_is_judged_first_and_at_the_batch_that_a_trainer_takes(gib: int) -> None:
    planned, *fixed = workloads(Precision.BFLOAT16, gib << 30)
    assert planned.planned
    assert (planned.config, planned.techniques) == (
        preset("dalle"),
        plan_for(preset("dalle"), gib << 30, Precision.BFLOAT16).techniques,
    )
    assert not any(other.planned for other in fixed)
    measured = [(other.config, other.techniques) for other in (planned, *fixed)]
    assert len({repr(item) for item in measured}) == len(measured), "nothing is measured twice"


def test_on_a_gpu_that_is_too_small_the_fixed_batches_remain() -> None:
    assert not any(workload.planned for workload in workloads(Precision.BFLOAT16, 1 << 30))


def test_what_is_kept_is_named() -> None:
    config = preset("dalle")
    assert kept_by(config, Techniques()) == "keep"
    assert kept_by(config, Techniques(activations=Activations.REVERSE)) == "reverse"
    assert kept_by(config, Techniques(activations=Activations.REVERSE, kept=3)) == "reverse, 3 of 64 keep all"


class RecordedWorker:
    """A contestant that writes down what it is asked, in one list for all, and takes 5 s for an attempt."""

    def __init__(self, name: str, asked: list[tuple[str, str]], clock: MovedClock[float]) -> None:
        self._name, self._asked, self._clock = name, asked, clock

    def ask(self, verb: str, **_: Any) -> Any:
        self._asked.append((self._name, verb))
        if verb != "attempt":
            return None
        self._clock.now += 5.0
        return {"wall": 5.0, "loss": 1.0, "peak": 0.0}


@pytest.fixture
def asked() -> list[tuple[str, str]]:
    return []


@pytest.fixture
def contest(
    part: PartReport, asked: list[tuple[str, str]], clock: MovedClock[float], tmp_path: Path
) -> GpuContest:
    workers: dict[str, Any] = {name: RecordedWorker(name, asked, clock) for name in (REFERENCE, OURS)}
    return GpuContest(part, TINY, tmp_path, Precision.BFLOAT16, workers)


def test_a_side_is_timed_while_the_other_one_rests(contest: GpuContest, asked: list[tuple[str, str]]) -> None:
    assert len(list(rows_of_card(contest, 4, Held(0.0, 2.0**30)))) == 2
    resting = set[str]()
    for name, verb in asked:
        if verb == "rest":
            resting.add(name)
        elif verb == "attempt":
            assert ({REFERENCE, OURS} - {name}) <= resting, asked
        elif verb == "batches":
            resting.discard(name)
    assert ("idlebrush", "rest") in asked
    assert ("dalle-pytorch", "rest") in asked


@pytest.mark.parametrize(
    ("gib", "measured", "left_out"),
    [
        (80, {80, 24}, {"12 GiB", "8 GiB", "4 GiB"}),
        (24, {24, 12}, {"80 GiB", "8 GiB", "4 GiB"}),
    ],
)
def test_if_time_is_short_the_largest_card_that_this_gpu_can_be_is_measured(
    contest: GpuContest, part: PartReport, gib: int, measured: set[int], left_out: set[str]
) -> None:
    measure_cards(contest, Held(0.0, 2.0**30), CARDS_GIB, gib << 30)
    assert {row["card_GiB"] for row in part.rows} == measured
    assert {item["what"] for item in part.left_out} == left_out
    assert not part.failed
