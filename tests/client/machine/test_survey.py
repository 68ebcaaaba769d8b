"""The pace of readings, with probes that do as they are told; and all readings of this machine together."""

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from client.machine.gpu.graphics import Own
from client.machine.gpu.nvml import Nvml
from client.machine.probes import ProbeParts, survey_of
from client.machine.readings import Known, Reading, Readings, Unknown
from client.machine.survey import Probe, Survey, SurveyValues
from client.machine.systems.sources import SystemSources, system_sources
from tests.client.machine.recorded_nvml import GIB, GpuProcess, RecordedGpu, RecordedMoment, RecordedNvml
from tests.desktops.desktop import mock_service
from tests.waiting import DEADLINE

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
NOT_READ = Unknown("It was not read yet.")


class MadeProbes:
    """A clock, and probes of it."""

    def __init__(self) -> None:
        self.now = 0.0
        self.reads: dict[str, list[float]] = {}

    def probe(
        self, field: str, interval: float, answer: Callable[[], Awaitable[Reading[Any]]] | None = None
    ) -> Probe:
        async def read() -> SurveyValues:
            self.reads.setdefault(field, []).append(self.now)
            return (await answer() if answer else Known(self.now, field),)

        return Probe(f"The {field}", (field,), lambda: interval, read)

    def survey(self, *probes: Probe, patience: float = DEADLINE) -> Survey:
        return Survey(probes, lambda: self.now, lambda: NOON, patience)


def test_each_reading_has_its_own_pace_and_lasts_until_the_next() -> None:
    made = MadeProbes()
    survey = made.survey(made.probe("idle_seconds", 0), made.probe("free_disk", 10))

    async def body() -> list[Reading[int]]:
        seen = []
        for _ in range(21):
            readings = await survey.read()
            assert readings.idle_seconds == Known(made.now, "idle_seconds")
            assert readings.now == NOON
            seen.append(readings.free_disk)
            made.now += 1
        return seen

    seen = asyncio.run(body())
    assert made.reads == {"idle_seconds": [float(second) for second in range(21)], "free_disk": [0, 10, 20]}
    assert seen == [Known(second // 10 * 10.0, "free_disk") for second in range(21)]


def test_a_pace_may_change() -> None:
    made = MadeProbes()
    interval = 10.0

    async def read() -> SurveyValues:
        made.reads.setdefault("gpus", []).append(made.now)
        return (Known((), "played"),)

    async def body() -> None:
        nonlocal interval
        survey = made.survey(Probe("The driver", ("gpus",), lambda: interval, read))
        for _ in range(13):
            interval = 1 if made.now >= 5 else 10
            await survey.read()
            made.now += 1

    asyncio.run(body())
    assert made.reads["gpus"] == [0, 5, 6, 7, 8, 9, 10, 11, 12]


def test_one_probe_may_have_two_values() -> None:
    async def read() -> SurveyValues:
        return Known(True, "played"), Known(50.0, "played")

    probe = Probe("The supply", ("on_battery", "battery_percent"), lambda: 1, read)
    readings = asyncio.run(Survey([probe]).read())
    assert (readings.on_battery, readings.battery_percent) == (Known(True, "played"), Known(50.0, "played"))


def test_what_hangs_holds_up_nothing_and_becomes_unknown() -> None:
    made = MadeProbes()

    async def body() -> None:
        answer = asyncio.Event()

        async def hang() -> Reading[bool]:
            await answer.wait()
            return Known(True, "played")

        survey = made.survey(made.probe("locked", 1, hang), made.probe("free_ram", 1), patience=0.2)
        for made.now in (0.0, 1.0, 5.0):
            readings = await survey.read()
            assert readings.locked == NOT_READ
            assert readings.free_ram == Known(made.now, "free_ram")
        made.now = 6.0
        assert (await survey.read()).locked == Unknown("The locked has not answered for 6 s.")
        assert made.reads["locked"] == [0], "it is not asked again while it hangs"
        answer.set()
        assert (await survey.read()).locked == Known(True, "played")

    asyncio.run(body())


def test_what_fails_is_unknown_tried_again_and_logged_once_for_all_failures_in_a_row(
    caplog: pytest.LogCaptureFixture,
) -> None:
    made = MadeProbes()

    async def fail() -> Reading[bool]:
        if made.now < 3:
            raise ZeroDivisionError("division by zero")
        return Known(False, "played")

    async def body() -> None:
        survey = made.survey(made.probe("metered", 1, fail))
        for made.now in (0.0, 1.0, 2.0):
            assert (await survey.read()).metered == Unknown(
                "The metered could not be read: division by zero."
            )
        made.now = 3.0
        assert (await survey.read()).metered == Known(False, "played")

    with caplog.at_level(logging.INFO, "client.machine.survey"):
        asyncio.run(body())
    # By its number: hivemind renames levels of the process.
    assert [(record.levelno, record.message) for record in caplog.records] == [
        (
            logging.WARNING,
            "Reading the metered failed (ZeroDivisionError: division by zero), and is tried again.",
        ),
        (logging.INFO, "Reading the metered succeeded at attempt 4, after 3 s."),
    ]


def test_closing_gives_up_what_hangs() -> None:
    made = MadeProbes()

    async def body() -> None:
        async def hang() -> Reading[bool]:
            await asyncio.Event().wait()
            return NOT_READ

        survey = made.survey(made.probe("locked", 1, hang), patience=0.2)
        await survey.read()
        await survey.close()
        assert len(asyncio.all_tasks()) == 1
        assert isinstance((await survey.read()).locked, Unknown)
        await survey.close()

    asyncio.run(body())


def sources_on(bus: str) -> AbstractAsyncContextManager[SystemSources]:
    """Sources of a session without a display, with both its buses at this address."""
    return system_sources({"DBUS_SYSTEM_BUS_ADDRESS": bus, "DBUS_SESSION_BUS_ADDRESS": bus}, "linux")


def parts_of(
    system: SystemSources, runs: Path, library: RecordedNvml, own: Own, clock: Callable[[], float]
) -> ProbeParts:
    async def idle() -> Reading[float]:
        return Known(5.0, "played")

    return ProbeParts(
        idle=idle,
        system=system,
        nvml=Nvml(library),
        roots=lambda: {os.getpid()},
        own=lambda: own,
        exclusive=lambda: ("no such program",),
        runs=runs,
        clock=clock,
    )


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (Own(gpu=0, computing=True), [0, 1, 2, 3]),
        (Own(gpu=0, memory=GIB), [0, 1, 2, 3]),
        (Own(gpu=0), [0, 0, 0, 0]),
        (Own(), [0, 0, 0, 0]),
    ],
)
def test_gpus_are_read_every_second_while_our_trainer_is_on_one(
    tmp_path: Path, system_bus: str, own: Own, expected: list[int]
) -> None:
    """The played GPU is as hot as the clock is late."""
    made = MadeProbes()
    library = RecordedNvml(lambda: RecordedMoment(gpus=(RecordedGpu(celsius=int(made.now)),)))

    async def body() -> None:
        async with (
            asyncio.timeout(DEADLINE),
            sources_on(system_bus) as system,
            survey_of(parts_of(system, tmp_path, library, own, lambda: made.now)) as survey,
        ):
            for second, celsius in enumerate(expected):
                made.now = float(second)
                while celsius_of(await survey.read()) != celsius:
                    await asyncio.sleep(0.02)

    asyncio.run(body())


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (Own(), [0, 1, 2, 3, 4]),
        (Own(computing=True), [0, 1, 2, 3, 4]),
        (Own(gpu=0, computing=True, memory=GIB), [0, 1, 2, 3, 4]),
        (Own(gpu=0, memory=GIB), [0, 2, 4]),
    ],
)
def test_while_our_trainer_is_frozen_on_a_gpu_all_else_may_wait(
    tmp_path: Path, system_bus: str, own: Own, expected: list[int]
) -> None:
    made, read_at = MadeProbes(), list[float]()

    async def idle() -> Reading[float]:
        read_at.append(made.now)
        return Known(5.0, "played")

    async def body() -> None:
        async with sources_on(system_bus) as system:
            parts = parts_of(system, tmp_path, RecordedNvml.still(RecordedGpu()), own, lambda: made.now)
            async with survey_of(replace(parts, idle=idle)) as survey:
                for second in range(5):
                    made.now = float(second)
                    await survey.read()

    asyncio.run(body())
    assert read_at == expected


def celsius_of(readings: Readings) -> float | None:
    return readings.gpus.value[0].celsius if isinstance(readings.gpus, Known) else None


def test_all_of_a_machine_is_read(tmp_path: Path, system_bus: str) -> None:
    """The machine runs on battery, has a recorded GPU that we train on, and has no display."""
    ours = GpuProcess(os.getpid(), 4 * GIB, use=90)
    library = RecordedNvml.still(RecordedGpu(processes=(ours, GpuProcess(1, GIB, use=5))))

    async def body() -> Readings:
        async with sources_on(system_bus) as system, asyncio.timeout(DEADLINE):
            parts = parts_of(system, tmp_path, library, Own(gpu=0, computing=True), time.monotonic)
            async with survey_of(parts) as survey:
                while not isinstance((readings := await survey.read()).cpu_by_others, Known):
                    await asyncio.sleep(0.1)
        return readings

    name, path = "org.freedesktop.UPower", "/org/freedesktop/UPower"
    with mock_service(system_bus, name, path, name, template="upower") as upower:
        upower.set_property("OnBattery", "<true>")
        readings = asyncio.run(body())
    assert readings.idle_seconds == Known(5.0, "played")
    assert readings.on_battery == Known(True, "UPower")
    assert readings.exclusive == Known((), "list of processes")
    assert isinstance(readings.gpus, Known)
    assert (readings.gpus.value[0].memory_by_others, readings.gpus.value[0].used_by_others) == (GIB, 0.05)
    assert isinstance(readings.free_disk, Known)
    assert isinstance(readings.free_ram, Known)
    for unknown in (readings.full_screen, readings.metered, readings.awake, readings.locked):
        assert isinstance(unknown, Unknown)
        assert unknown != NOT_READ
