"""Every system's sources keep one contract: what they read is known and of its type, or unknown with a sentence."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from client.machine.activity.watch import ActivityWatch
from client.machine.processes import program_of
from client.machine.readings import Known, Reading, Unknown
from client.machine.systems.sources import SystemSources, system_sources
from client.machine.systems.windows import windows_sources
from tests.client.machine.windows.stand_in_windows import E_FAIL, StandInWindow, StandInWindows
from tests.waiting import DEADLINE

NO_DESKTOP = {
    "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
    "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere",
}
LAPTOP = SimpleNamespace(percent=61, power_plugged=False)
REFUSALS = (
    "WTSQuerySessionInformationW",
    "SHQueryUserNotificationState",
    "CallNtPowerInformation",
    "CoInitializeEx",
    "PdhOpenQueryW",
)


@asynccontextmanager
async def on_windows(windows: StandInWindows, battery: Callable[[], Any]) -> AsyncIterator[SystemSources]:
    sources = windows_sources(windows, battery)
    try:
        yield sources
    finally:
        await sources.close()


def no_battery_driver() -> None:
    raise OSError("The request is not supported")


SYSTEMS: dict[str, Callable[[], AbstractAsyncContextManager[SystemSources]]] = {
    "linux without buses and display": lambda: system_sources(NO_DESKTOP, "linux"),
    "linux whose display is gone": lambda: system_sources({**NO_DESKTOP, "DISPLAY": ":54321"}, "linux"),
    "windows": lambda: on_windows(StandInWindows(), lambda: LAPTOP),
    "windows that refuses": lambda: on_windows(
        StandInWindows(failing={"GetLastInputInfo": 5} | dict.fromkeys(REFUSALS, E_FAIL)), no_battery_driver
    ),
    "windows without its libraries": lambda: system_sources({}, "win32"),
    "macos without its libraries": lambda: system_sources({}, "darwin"),
}


NAMES = [
    pytest.param(name, marks=() if name.startswith("windows") else pytest.mark.posix) for name in SYSTEMS
]
"""The systems that can be tried here: Windows has no D-Bus, and words its errors otherwise."""


async def read_all(system: SystemSources) -> dict[str, Reading[Any]]:
    """All readings by the fields of `Readings`."""
    watch = ActivityWatch(system.activity)
    on_battery, battery_percent = await system.power()
    readings: dict[str, Reading[Any]] = {
        "idle_seconds": await watch.idle(),
        "locked": await system.locked(),
        "on_battery": on_battery,
        "battery_percent": battery_percent,
        "full_screen": await system.full_screen(),
        "awake": await system.awake(),
        "cpu_celsius": await system.cpu_celsius(),
        "metered": await system.metered(),
    }
    await watch.close()
    return readings


def readings_of(opened: AbstractAsyncContextManager[SystemSources]) -> dict[str, Reading[Any]]:
    async def body() -> dict[str, Reading[Any]]:
        async with asyncio.timeout(DEADLINE), opened as system:
            return await read_all(system)

    return asyncio.run(body())


def is_of_type(field: str, value: Any) -> bool:
    match field:
        case "locked" | "on_battery" | "metered":
            return isinstance(value, bool)
        case "full_screen":
            return value is None or (isinstance(value, str) and value != "")
        case "awake":
            return isinstance(value, tuple) and all(isinstance(name, str) for name in value)
    return isinstance(value, float)


@pytest.mark.parametrize("system", NAMES)
def test_each_reading_is_known_and_of_its_type_or_unknown_with_a_sentence(system: str) -> None:
    for field, reading in readings_of(SYSTEMS[system]()).items():
        if isinstance(reading, Known):
            assert is_of_type(field, reading.value), field
            assert reading.source, field
        else:
            assert reading.why[0].isupper() or reading.why.startswith("macOS"), field
            assert reading.why.endswith("."), field
            assert ".." not in reading.why, field


@pytest.mark.posix
@pytest.mark.parametrize("system", NAMES)
def test_nothing_is_held_after_the_end(system: str) -> None:
    async def body() -> None:
        files, threads = len(os.listdir("/proc/self/fd")), set(threading.enumerate())  # noqa: PTH208
        async with SYSTEMS[system]() as sources:
            await read_all(sources)
        left = set(threading.enumerate()) - threads
        for thread in left:
            await asyncio.to_thread(thread.join, DEADLINE)
        assert not any(thread.is_alive() for thread in left)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert len(os.listdir("/proc/self/fd")) == files  # noqa: PTH208

    asyncio.run(body())


@pytest.mark.parametrize("system", NAMES)
def test_sources_that_were_never_read_can_be_closed(system: str) -> None:
    async def body() -> None:
        async with SYSTEMS[system]():
            pass

    asyncio.run(body())


def test_all_of_a_windows_laptop_is_read() -> None:
    """Ctypes and threads included, the values of each library come out in their own readings."""
    windows = StandInWindows(
        session_flags=0,
        execution_state=2,
        cost=2,
        window=StandInWindow(pid=os.getpid()),
        zones=((0, 3182.0),),
    )
    readings = readings_of(on_windows(windows, lambda: LAPTOP))
    assert {field: known(reading) for field, reading in readings.items()} == {
        "idle_seconds": 60.0,
        "locked": True,
        "on_battery": True,
        "battery_percent": 61.0,
        "full_screen": program_of(os.getpid()).removesuffix(".exe"),
        "awake": ("an application",),
        "cpu_celsius": pytest.approx(45.0),
        "metered": True,
    }
    assert windows.held.total() == 0


def test_a_windows_that_refuses_is_unknown_in_all() -> None:
    readings = readings_of(SYSTEMS["windows that refuses"]())
    assert [field for field, reading in readings.items() if not isinstance(reading, Unknown)] == []


def test_services_of_windows_that_hang_hold_up_nothing_of_the_session() -> None:
    async def body() -> None:
        answer = threading.Event()
        windows = HangingWindows(answer)
        async with asyncio.timeout(DEADLINE), on_windows(windows, lambda: LAPTOP) as system:
            metered = asyncio.ensure_future(system.metered())
            assert await system.locked() == Known(False, "Windows session")
            assert not metered.done()
            answer.set()
            assert await metered == Known(False, "Windows Network List Manager")

    asyncio.run(body())


class HangingWindows(StandInWindows):
    """One whose COM does not answer until it is told to."""

    def __init__(self, answer: threading.Event) -> None:
        super().__init__()
        self._answer = answer

    def _CoInitializeEx(self, reserved: int | None, mode: int) -> int:  # noqa: N802 - a name of Windows
        assert self._answer.wait(DEADLINE)
        return super()._CoInitializeEx(reserved, mode)


def known(reading: Reading[Any]) -> Any:
    assert isinstance(reading, Known), reading
    return reading.value
