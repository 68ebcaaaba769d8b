"""The GPU that trains, of several: tables of cards, read by a stand-in for NVIDIA's library."""

import pytest

from client.machine.gpu.choice import WhyUnused, choose_gpu, gpu_views
from client.machine.gpu.graphics import Graphics, Own
from client.machine.gpu.nvml import Nvml
from client.machine.readings import GpuReading, Known
from tests.client.machine.recorded_nvml import GIB, GpuProcess, RecordedGpu, RecordedNvml

FAST = RecordedGpu(name="fast", total=24 * GIB, units=16_384, megahertz=3_105)
SLOW = RecordedGpu(name="slow", total=24 * GIB, units=3_584, megahertz=2_100)
SMALL = RecordedGpu(name="small", total=8 * GIB, units=16_384, megahertz=3_105)
SILENT = RecordedGpu(name="silent", total=24 * GIB, units=None)
"""A card whose driver does not report its units."""
WITH_SCREEN = RecordedGpu(name="screen", total=24 * GIB, units=16_384, megahertz=3_105, drives_display=True)
GAME = RecordedGpu(
    name="game", total=24 * GIB, units=16_384, megahertz=3_105, processes=(GpuProcess(7, 2 * GIB, use=90),)
)
FULLER = RecordedGpu(
    name="fuller", total=24 * GIB, units=16_384, megahertz=3_105, processes=(GpuProcess(7, 2 * GIB),)
)


def read(*gpus: RecordedGpu) -> tuple[GpuReading, ...]:
    reading = Graphics(Nvml(RecordedNvml.still(*gpus))).read(Own())
    assert isinstance(reading, Known)
    return reading.value


@pytest.mark.parametrize(
    ("gpus", "allowed", "chosen", "unused"),
    [
        ((), None, None, {}),
        ((FAST,), None, 0, {}),
        ((FAST,), (), None, {0: WhyUnused.NOT_ALLOWED}),
        ((FAST,), (1,), None, {0: WhyUnused.NOT_ALLOWED}),
        ((SLOW, FAST), None, 1, {0: WhyUnused.SLOWER}),
        ((SLOW, FAST), (0,), 0, {1: WhyUnused.NOT_ALLOWED}),
        ((SILENT, FAST), None, 0, {1: WhyUnused.ONE_TRAINS}),
        ((SMALL, SLOW), None, 1, {0: WhyUnused.LESS_MEMORY}),
        ((GAME, SLOW), None, 1, {0: WhyUnused.BUSY}),
        ((GAME, SLOW), (0,), 0, {1: WhyUnused.NOT_ALLOWED}),
        ((WITH_SCREEN, FAST), None, 1, {0: WhyUnused.DISPLAY}),
        ((WITH_SCREEN, SLOW), None, 0, {1: WhyUnused.SLOWER}),
        ((WITH_SCREEN, WITH_SCREEN), None, 0, {1: WhyUnused.ONE_TRAINS}),
        ((FULLER, FAST), None, 1, {0: WhyUnused.ONE_TRAINS}),
        ((FAST, FAST), None, 0, {1: WhyUnused.ONE_TRAINS}),
        (
            (SLOW, GAME, FAST, SMALL, WITH_SCREEN),
            (0, 1, 2, 3),
            2,
            {
                0: WhyUnused.SLOWER,
                1: WhyUnused.BUSY,
                3: WhyUnused.LESS_MEMORY,
                4: WhyUnused.NOT_ALLOWED,
            },
        ),
    ],
)
def test_the_gpu_that_gives_most_samples_trains(
    gpus: tuple[RecordedGpu, ...],
    allowed: tuple[int, ...] | None,
    chosen: int | None,
    unused: dict[int, WhyUnused],
) -> None:
    choice = choose_gpu(read(*gpus), allowed, busy_from=0.25)
    assert (choice.chosen.index if choice.chosen else None) == chosen
    assert {gpu.index: why for gpu, why in choice.unused} == unused


def test_without_a_limit_no_gpu_is_busy() -> None:
    choice = choose_gpu(read(GAME, SLOW), None)
    assert choice.unused[0][1] is WhyUnused.SLOWER


@pytest.mark.parametrize(("used", "chosen"), [(None, 1), (1, 1), (0, 0), (7, 1)])
def test_a_trainer_stays_on_its_gpu(used: int | None, chosen: int) -> None:
    choice = choose_gpu(read(SLOW, FAST), None).with_used(used)
    assert choice.chosen is not None
    assert choice.chosen.index == chosen
    assert [gpu.index for gpu, _ in choice.unused] == [1 - chosen]


def test_a_gpu_that_is_not_allowed_any_more_is_not_stayed_on() -> None:
    choice = choose_gpu(read(SLOW, FAST), (1,))
    assert choice.with_used(0) == choice


def test_volunteers_read_which_gpu_trains_and_why_the_others_do_not() -> None:
    views = gpu_views(choose_gpu(read(SLOW, FAST), None))
    assert [view.text for view in views] == [
        "GPU 0 (slow) is not used: it is slower.",
        "GPU 1 (fast) trains.",
    ]
    assert [view.why_unused for view in views] == ["slower", ""]


@pytest.mark.parametrize("gpus", [(), (FAST,)])
def test_where_there_is_nothing_to_choose_nothing_is_named(gpus: tuple[RecordedGpu, ...]) -> None:
    assert gpu_views(choose_gpu(read(*gpus), None)) == ()
