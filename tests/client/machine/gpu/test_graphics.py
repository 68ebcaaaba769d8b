"""Use of the GPUs by other programs is read from recordings of NVIDIA's library."""

from dataclasses import replace
from pathlib import Path

import pytest

from client.machine.gpu.graphics import Graphics, Own
from client.machine.gpu.nvml import Nvml
from client.machine.readings import GpuReading, Known, Unknown
from tests.client.machine.recorded_nvml import (
    GIB,
    GpuProcess,
    RecordedGpu,
    RecordedMoment,
    RecordedNvml,
    newest,
    played,
    read_frames,
)

DESKTOP, TRAINER, GAME = 900, 1000, 2000
OURS = Own(pids=frozenset({TRAINER}), gpu=0, computing=True, memory=4 * GIB)
GAME_STARTS = Path(__file__).with_name("game_starts.jsonl")


def read_one(gpu: RecordedGpu, own: Own = OURS) -> GpuReading:
    reading = Graphics(Nvml(RecordedNvml.still(gpu))).read(own)
    assert isinstance(reading, Known)
    (found,) = reading.value
    return found


def test_all_of_a_gpu_is_read() -> None:
    gpu = RecordedGpu(
        processes=(GpuProcess(TRAINER, 4 * GIB, use=60), GpuProcess(GAME, GIB, use=25, draws=True)),
        celsius=70,
        milliwatts=151_500,
        millijoules=7_200_500,
        units=3_584,
        megahertz=2_100,
        drives_display=True,
    )
    expected = GpuReading(
        0,
        gpu.name,
        0.25,
        GIB,
        7 * GIB,
        12 * GIB,
        70,
        151.5,
        7200.5,
        throughput=7_526_400.0,
        drives_display=True,
    )
    assert read_one(gpu) == expected


def test_what_a_gpu_does_not_tell_is_left_open() -> None:
    found = read_one(RecordedGpu(celsius=None, milliwatts=None, millijoules=None, units=None))
    assert (found.celsius, found.watts, found.joules) == (None, None, None)
    assert (found.throughput, found.drives_display) == (None, None)


def test_a_game_is_seen_as_it_starts_and_ends() -> None:
    moments = iter((0.0, 10.0, 11.0, 60.0))
    now: float | None = next(moments)
    graphics = Graphics(Nvml(RecordedNvml(played(read_frames(GAME_STARTS), lambda: now or 0.0))))
    seen = []
    while now is not None:
        reading = graphics.read(OURS)
        assert isinstance(reading, Known)
        seen.append((round(reading.value[0].used_by_others or 0, 2), reading.value[0].memory_by_others / GIB))
        now = next(moments, None)
    desktop = 0.29296875
    assert seen == [(0.02, desktop), (0.18, desktop + 1.5), (0.58, desktop + 6), (0.02, desktop)]


def test_a_recording_that_grows_shows_its_last_whole_line(tmp_path: Path) -> None:
    file = tmp_path / "recording.jsonl"
    first, second = '{"gpus": [{"celsius": 40}]}\n', '{"gpus": [{"celsius": 80}]}\n'
    graphics = Graphics(Nvml(RecordedNvml(newest(file))))
    seen = []
    for written in (first, first + second[:9], first + second):
        file.write_text(written)
        reading = graphics.read(Own())
        assert isinstance(reading, Known)
        seen.append(reading.value[0].celsius)
    assert seen == [40, 40, 80]


@pytest.mark.parametrize(
    ("processes", "used", "own", "expected"),
    [
        ((GpuProcess(TRAINER, 4 * GIB), GpuProcess(GAME, 2 * GIB)), None, OURS, 2 * GIB),
        # In both lists.
        ((GpuProcess(GAME, 2 * GIB), GpuProcess(GAME, 2 * GIB, draws=True)), None, OURS, 2 * GIB),
        # Not told by process: what is used, without what is known of ours.
        ((GpuProcess(TRAINER), GpuProcess(GAME)), 9 * GIB, OURS, 5 * GIB),
        ((GpuProcess(TRAINER, 3 * GIB), GpuProcess(GAME)), 9 * GIB, OURS, 6 * GIB),
        ((GpuProcess(TRAINER), GpuProcess(GAME)), 9 * GIB, Own(gpu=1, memory=4 * GIB), 9 * GIB),
        ((GpuProcess(TRAINER), GpuProcess(GAME)), 1 * GIB, OURS, 0),
        ((), 9 * GIB, OURS, 0),
        # Ours goes by another number, outside of our container.
        ((GpuProcess(4242, 4 * GIB),), 4 * GIB, OURS, 0),
        ((GpuProcess(4242, 4 * GIB), GpuProcess(GAME, 2 * GIB)), 7 * GIB, OURS, 2 * GIB),
        ((GpuProcess(GAME, 2 * GIB),), 7 * GIB, Own(gpu=1, memory=4 * GIB), 2 * GIB),
    ],
)
def test_memory_of_others_is_what_is_not_ours(
    processes: tuple[GpuProcess, ...], used: int | None, own: Own, expected: int
) -> None:
    assert read_one(RecordedGpu(processes=processes, used=used), own).memory_by_others == expected


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (OURS, None),
        (Own(gpu=0, computing=False), 0.7),
        (Own(gpu=1, computing=True), 0.7),
        (Own(), 0.7),
    ],
)
def test_use_as_a_whole_is_others_unless_ours_computes_there(own: Own, expected: float | None) -> None:
    assert read_one(RecordedGpu(use=70, tells_use_by_process=False), own).used_by_others == expected


def test_absurd_samples_do_not_count() -> None:
    gpu = RecordedGpu(processes=(GpuProcess(GAME, GIB, use=3_000_000), GpuProcess(DESKTOP, GIB, use=5)))
    assert read_one(gpu).used_by_others == 0.05


@pytest.mark.parametrize("code", [9, 12])
def test_without_a_driver_there_is_no_gpu(code: int) -> None:
    reading = Graphics(Nvml(RecordedNvml.still(nvmlInit=code))).read(OURS)
    assert reading == Known((), "No NVIDIA driver runs here.")


def test_an_updated_driver_asks_for_a_restart() -> None:
    reading = Graphics(Nvml(RecordedNvml.still(nvmlInit=18))).read(OURS)
    assert reading == Unknown("The NVIDIA driver was updated while it was in use. Restart the computer.")


@pytest.mark.parametrize(
    ("function", "code"),
    [
        ("nvmlDeviceGetMemoryInfo", 15),
        ("nvmlDeviceGetTemperature", 15),
        ("nvmlDeviceGetProcessUtilization", 15),
        ("nvmlDeviceGetCount", 1),
        ("nvmlDeviceGetHandleByIndex", 15),
    ],
)
def test_a_lost_driver_is_unknown_and_opened_again_once_it_is_back(function: str, code: int) -> None:
    gpu = RecordedGpu(processes=(GpuProcess(GAME, GIB, use=5),))
    frame = RecordedMoment(gpus=(gpu,))
    library = RecordedNvml(lambda: frame)
    graphics = Graphics(Nvml(library))
    assert isinstance(graphics.read(OURS), Known)
    frame = RecordedMoment(gpus=(gpu,), fails={function: code})
    lost = graphics.read(OURS)
    assert isinstance(lost, Unknown)
    assert lost.why.startswith("The NVIDIA driver does not report a GPU")
    assert library.open == 0
    frame = RecordedMoment(fails={"nvmlInit": 9})
    assert isinstance(graphics.read(OURS), Unknown), "a driver that was there is lost, not absent"
    frame = RecordedMoment(gpus=(gpu,))
    assert isinstance(graphics.read(OURS), Known)
    graphics.close()
    assert library.open == 0


def test_the_driver_is_opened_once() -> None:
    library = RecordedNvml.still(RecordedGpu())
    graphics = Graphics(Nvml(library))
    for _ in range(3):
        graphics.read(OURS)
    assert library.open == 1


def test_a_gpu_that_sleeps_is_not_woken_to_be_read() -> None:
    gpu = RecordedGpu(processes=(GpuProcess(GAME, GIB, use=5),))
    frame, asleep = RecordedMoment(gpus=(gpu,)), True
    graphics = Graphics(Nvml(RecordedNvml(lambda: frame)), lambda: asleep)
    awake = graphics.read(Own())
    assert isinstance(awake, Known)
    assert awake.value[0].memory_by_others == GIB, "the first time it has to be woken"
    frame = RecordedMoment(gpus=(gpu,), fails={"nvmlDeviceGetCount": 15})
    sleeping = graphics.read(Own())
    assert sleeping == Known(
        (
            replace(
                awake.value[0],
                used_by_others=0.0,
                memory_by_others=0,
                memory_free=gpu.total,
                celsius=None,
                watts=None,
            ),
        ),
        "the kernel: powered down",
    )
    assert graphics.read(Own()) == sleeping
    assert isinstance(graphics.read(OURS), Unknown), "we train on it, so it cannot sleep"
    asleep, frame = False, RecordedMoment(gpus=(gpu,))
    assert graphics.read(Own()) == awake


def test_the_installed_library_answers_here_whatever_there_is() -> None:
    graphics = Graphics(Nvml())
    assert isinstance(graphics.read(Own()), Known | Unknown)
    graphics.close()
