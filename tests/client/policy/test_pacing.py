"""Temperature and power are held by the share of the time, tried on machines that heat up as real ones do."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean

import pytest

from client.policy.pacing import LEAST_SHARE, control_all
from client.policy.policy import Effect, Memory, PauseReason, decide
from client.preferences.preferences import Preferences
from tests.client.situations import UNKNOWN, gpus, readings, situation

STEP = 0.1
MINUTE = 60
TARGET = 75.0
HELD = Preferences(cpu_target_temperature=TARGET)


@dataclass(frozen=True)
class HeatingMachine:
    """A processor with a small mass on a cooler with a large one; each warms up exponentially."""

    name: str
    ambient: float
    die: tuple[float, float]
    """Degrees of the die above its cooler under full load, and the time constant in seconds."""
    cooler: tuple[float, float]
    """Degrees of the cooler above the air under full load, and the time constant in seconds."""
    read_every: float = 2.0
    """Seconds between two readings of the sensor, which shows whole degrees."""
    micro_step: float = 1.0
    """Seconds of a micro-step with the pause after it, on average."""
    fan: float = 0.0
    """Part of the cooler's degrees that its fan takes away at 85 °C; it starts at 70 °C."""


MACHINES = (
    HeatingMachine("laptop", 30, (35, 2), (45, 25), micro_step=0.4),
    HeatingMachine("laptop with a fan", 30, (35, 2), (60, 30), micro_step=0.4, fan=0.35),
    HeatingMachine("desktop", 25, (25, 1.5), (30, 60)),
    HeatingMachine("hot desktop", 35, (45, 2), (30, 90)),
    HeatingMachine("water-cooled desktop", 28, (40, 1), (25, 300)),
    HeatingMachine("GPU", 30, (15, 3), (45, 60), read_every=1.0, micro_step=2.0),
    HeatingMachine("small GPU", 30, (10, 3), (70, 40), read_every=1.0, micro_step=2.0),
    HeatingMachine("sensor that is read seldom", 30, (15, 3), (45, 60), read_every=10.0, micro_step=2.0),
)


def trained(
    machine: HeatingMachine, preferences: Preferences = HELD, minutes: int = 20
) -> Iterator[tuple[float, float]]:
    """Train on that machine; yields temperature and share of the time, every tenth of a second."""
    chance, memory = random.Random(1), Memory()
    die = cooler = shown = share = 0.0
    began, length = 0.0, machine.micro_step
    for step in range(int(minutes * MINUTE / STEP)):
        now = step * STEP
        if step % round(machine.read_every / STEP) == 0:
            shown = float(round(machine.ambient + die + cooler))
        if step % 10 == 0:
            decision, memory = decide(preferences, situation(readings(now, cpu_celsius=shown)), memory)
            share = decision.budget.share
        if now - began >= length:
            began, length = now, machine.micro_step * chance.uniform(0.8, 1.2)
        computes = now - began < share * length
        heat, seconds = machine.die
        die += (heat * computes - die) * STEP / seconds
        heat, seconds = machine.cooler
        speed = min(1.0, max(0.0, (machine.ambient + die + cooler - 70) / 15))
        cooler += (heat * (1 - machine.fan * speed) * computes - cooler) * STEP / seconds
        yield machine.ambient + die + cooler, share


def by_minute(values: list[float]) -> list[float]:
    length = int(MINUTE / STEP)
    return [fmean(values[at : at + length]) for at in range(0, len(values), length)]


@pytest.mark.parametrize("machine", MACHINES, ids=[machine.name for machine in MACHINES])
def test_a_temperature_settles_at_its_target_and_stays(machine: HeatingMachine) -> None:
    course = list(trained(machine))
    heat, shares = [celsius for celsius, _ in course], by_minute([share for _, share in course])
    means = by_minute(heat)
    assert all(abs(mean - TARGET) <= 2 for mean in means[5:]), means
    assert max(fmean(heat[at : at + 100]) for at in range(0, len(heat), 50)) < 80, "it overshoots"
    late, later = shares[6:13], shares[13:]
    assert max(later) - min(later) <= max(late) - min(late) + 0.02, "it swings ever more"
    assert all(abs(after - before) < 0.05 for before, after in pairwise(later))


@pytest.mark.parametrize("machine", MACHINES, ids=[machine.name for machine in MACHINES])
def test_the_limit_that_pauses_training_is_never_reached(machine: HeatingMachine) -> None:
    limited = Preferences(cpu_target_temperature=TARGET, cpu_temperature=TARGET + 10)
    assert all(share > 0 for _, share in trained(machine, limited, minutes=5))


def test_a_machine_that_stays_cool_trains_at_full_speed_after_a_minute() -> None:
    cool = HeatingMachine("cool", 25, (10, 2), (15, 60))
    shares = [share for _, share in trained(cool, minutes=3)]
    assert by_minute(shares)[1:] == [1.0, 1.0]


def test_a_machine_that_is_hot_whatever_we_do_is_asked_for_the_least_share() -> None:
    memory = Memory()
    for second in range(600):
        decision, memory = decide(HELD, situation(readings(second, cpu_celsius=88.0)), memory)
    assert decision.budget.share == LEAST_SHARE
    assert decision.headline == "Slowed to 5%: the processor is held at 75 °C."


@pytest.mark.parametrize(
    ("preferences", "celsius", "share", "reasons"),
    [
        (Preferences(), 80.0, 1.0, set()),
        (HELD, UNKNOWN, 1.0, set()),
        (HELD, 30.0, 0.75, {PauseReason.TARGET_CPU_TEMPERATURE}),
        (HELD, 75.0, 0.3, {PauseReason.TARGET_CPU_TEMPERATURE}),
        (HELD, 95.0, 0.1, {PauseReason.TARGET_CPU_TEMPERATURE}),
        (HELD.model_copy(update={"share_of_time": 0.2}), 60.0, 0.2, {PauseReason.SHARE}),
    ],
)
def test_training_begins_with_a_part_of_its_share(
    preferences: Preferences, celsius: object, share: float, reasons: set[PauseReason]
) -> None:
    decision, _ = decide(preferences, situation(readings(cpu_celsius=celsius)), Memory())
    assert decision.budget.share == pytest.approx(share)
    assert decision.codes == reasons
    assert decision.effect is (Effect.THROTTLE if reasons else Effect.RUN)


def test_a_pause_begins_anew_and_pauses_stay_pauses() -> None:
    paused = situation(readings(60, cpu_celsius=75.0), paused=True)
    _, memory = decide(HELD, situation(readings(cpu_celsius=40.0)), Memory())
    decision, memory = decide(HELD, paused, memory)
    assert (decision.effect, decision.budget.share) == (Effect.PAUSE, 0.0)
    later = situation(readings(120, cpu_celsius=75.0))
    decision, _ = decide(HELD, later, memory)
    assert decision.budget.share == 0.3


def test_a_clock_that_is_set_back_and_a_computer_that_slept_change_little() -> None:
    controls = control_all(HELD, situation(readings(cpu_celsius=60.0)), {}, 1.0)
    for seconds in (-3600.0, 7200.0):
        after = control_all(HELD, situation(readings(seconds, cpu_celsius=60.0)), controls, 1.0)
        (before_it,), (after_it,) = controls.values(), after.values()
        assert abs(after_it.share - before_it.share) < 0.03


def test_the_hottest_gpu_that_trains_counts() -> None:
    wanted = Preferences(gpu_target_temperature=70.0, gpus=(1,))
    (card,) = gpus(celsius=90.0)
    both = (card, replace(card, index=1, celsius=70.0))
    decision, _ = decide(wanted, situation(readings(gpus=both), on_gpu=True, gpu_index=1), Memory())
    assert decision.budget.share == 0.3
    assert decision.codes == {PauseReason.TARGET_GPU_TEMPERATURE}
    on_processor, _ = decide(wanted, situation(readings(gpus=both)), Memory())
    assert on_processor.effect is Effect.RUN


@pytest.mark.parametrize(
    ("idle", "full", "limit"), [(20.0, 300.0, 150.0), (60.0, 450.0, 300.0), (10.0, 90.0, 50.0)]
)
def test_the_average_power_settles_at_its_limit(idle: float, full: float, limit: float) -> None:
    chance, memory, drawn = random.Random(2), Memory(), list[float]()
    share = 0.0
    for second in range(300):
        watts = idle + (full - idle) * share + chance.uniform(-0.1, 0.1) * full
        drawn.append(watts)
        card = situation(readings(second, gpus=gpus(watts=watts)), on_gpu=True, gpu_index=0)
        decision, memory = decide(Preferences(), replace(card, gpu_watts_by_share=limit), memory)
        share = decision.budget.share
    assert fmean(drawn[60:]) == pytest.approx(limit, rel=0.03)
    assert decision.codes == {PauseReason.GPU_POWER}
