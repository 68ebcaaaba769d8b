"""The battery, by UPower as python-dbusmock plays it, and by the system itself."""

import asyncio
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from client.machine.bus import Bus
from client.machine.readings import Known, Reading, Unknown
from client.machine.sensors.power import Power
from tests.desktops.desktop import MockService, mock_service

UPOWER = "org.freedesktop.UPower"
PATH = "/org/freedesktop/UPower"
NO_BATTERY = Unknown("This machine has no battery.")
SYSTEM = "the system's power supplies"


class Battery(NamedTuple):
    """A stand-in for psutil's battery status."""

    percent: float
    power_plugged: bool | None


@pytest.fixture
def upower(system_bus: str) -> Iterator[MockService]:
    with mock_service(system_bus, UPOWER, PATH, UPOWER, template="upower") as service:
        yield service


def read(address: str, battery: Any = None) -> tuple[Reading[bool], Reading[float]]:
    async def body() -> tuple[Reading[bool], Reading[float]]:
        bus = Bus(address)
        try:
            return await Power(bus, battery).read()
        finally:
            await bus.close()

    return asyncio.run(body())


def test_a_laptop_on_its_battery_is_seen(system_bus: str, upower: MockService) -> None:
    battery = "2"
    upower.control(
        "SetupDisplayDevice", battery, "2", "42.5", "40", "80", "5", "3600", "0", "true", "icon", "3"
    )
    upower.set_property("OnBattery", "<true>")
    assert read(system_bus) == (Known(True, "UPower"), Known(42.5, "UPower"))
    upower.set_property("OnBattery", "<false>")
    assert read(system_bus) == (Known(False, "UPower"), Known(42.5, "UPower"))


def test_a_desktop_has_no_battery(system_bus: str, upower: MockService) -> None:
    line_power = "1"
    upower.control("SetupDisplayDevice", line_power, "0", "0", "0", "0", "0", "0", "0", "false", "icon", "0")
    assert read(system_bus) == (Known(False, "UPower"), NO_BATTERY)


@pytest.mark.parametrize(
    ("battery", "expected"),
    [
        (Battery(80, True), (Known(False, SYSTEM), Known(80.0, SYSTEM))),
        (Battery(30, False), (Known(True, SYSTEM), Known(30.0, SYSTEM))),
        (None, (Known(False, SYSTEM), NO_BATTERY)),
    ],
)
def test_without_upower_the_system_is_asked(system_bus: str, battery: Battery | None, expected: Any) -> None:
    assert read(system_bus, lambda: battery) == expected


def test_a_battery_that_does_not_tell_whether_it_is_used_is_unknown(system_bus: str) -> None:
    on_battery, percent = read(system_bus, lambda: Battery(55, None))
    assert isinstance(on_battery, Unknown)
    assert percent == Known(55.0, SYSTEM)


def test_what_nobody_tells_is_unknown(system_bus: str) -> None:
    def fail() -> None:
        raise OSError("Input/output error")

    for reading in read(system_bus, fail):
        assert isinstance(reading, Unknown)
        assert reading.why.endswith("The system's power supplies cannot be read: Input/output error.")


def test_this_machine_is_read_without_a_bus() -> None:
    on_battery, _ = read("unix:path=/nonexistent/bus")
    assert isinstance(on_battery, Known)
