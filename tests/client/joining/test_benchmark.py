"""Trying out a run: a real process computes real micro-steps of a tiny model."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from client.joining.allowed import ResourceLimits
from client.joining.benchmark import BenchmarkSettings, SpeedMeasurement, measure_speed
from client.machine.capacity import read_machine
from core.errors import ChildError
from core.run.manifest import RunManifest
from core.run.plan import plan_of
from core.run.rules import TrainingRules
from core.trainer.placement import Resources, plan_for
from tests.swarms.tiny_run import write_tiny_run


@pytest.fixture
def training(tmp_path: Path) -> TrainingRules:
    return RunManifest.load(write_tiny_run(tmp_path / "run")).training


@pytest.fixture
def settings(tmp_path: Path) -> BenchmarkSettings:
    beside = {"PYTHONPATH": str(Path(__file__).parents[3])}
    allowed = ResourceLimits(
        threads=1, ram=2 << 30
    )  # less than is free, so that both sides plan with the same
    # At the lowest priority it would wait for whatever else runs on this machine.
    return BenchmarkSettings(allowed, 0.2, tmp_path / "trial.log", environment=beside, is_idle=False)


def test_samples_are_counted_and_timed(training: TrainingRules, settings: BenchmarkSettings) -> None:
    shown: list[SpeedMeasurement] = []
    result = asyncio.run(measure_speed(training, settings, shown.append))
    assert result == shown[-1]
    assert result.seconds >= settings.seconds
    assert result.samples % settings.allowed.plan(training).techniques.micro_batch == 0
    assert result.samples_per_hour == pytest.approx(3600 * result.samples / result.seconds)


@pytest.mark.parametrize(("gpus", "shown"), [((), ""), ((0, 2), "0,2")])
def test_a_trial_is_shown_no_gpu_but_those_that_may_train(
    gpus: tuple[int, ...], shown: str, training: TrainingRules, settings: BenchmarkSettings
) -> None:
    telling = replace(
        settings,
        module="tests.client.stand_ins.benchmark",
        allowed=settings.allowed.model_copy(update={"gpus": gpus}),
    )
    with pytest.raises(ChildError) as caught:
        asyncio.run(measure_speed(training, telling, lambda _: None))
    assert caught.value.what == f"It was given {list(gpus)}, shown {shown!r}, spins 1000."


def test_a_trial_that_crashes_says_where_to_look(
    training: TrainingRules, settings: BenchmarkSettings
) -> None:
    crashing = replace(settings, module="tests.client.stand_in_nobody")
    with pytest.raises(ChildError) as caught:
        asyncio.run(measure_speed(training, crashing, lambda _: None))
    assert str(settings.log) in caught.value.remedy


def test_the_plan_is_the_trainers(training: TrainingRules, tmp_path: Path) -> None:
    machine = read_machine(gpu_bytes=0, ram_bytes=8 << 30)
    assert plan_of(training, machine) == plan_for(training, Resources(machine), tmp_path / "failures.json")
