"""Metered connections, by NetworkManager as python-dbusmock plays it."""

import asyncio

import pytest

from client.machine.bus import Bus
from client.machine.readings import Known, Reading, Unknown
from client.machine.sensors.power import read_metered
from tests.desktops.desktop import mock_service

NAME = "org.freedesktop.NetworkManager"
PATH = "/org/freedesktop/NetworkManager"


def read(address: str) -> Reading[bool]:
    async def body() -> Reading[bool]:
        bus = Bus(address)
        try:
            return await read_metered(bus)
        finally:
            await bus.close()

    return asyncio.run(body())


def test_metered_is_what_networkmanager_knows_or_guesses(system_bus: str) -> None:
    with mock_service(system_bus, NAME, PATH, NAME, template="networkmanager") as service:
        service.add_property("Metered", "<uint32 0>")
        seen = []
        for value in range(6):
            service.set_property("Metered", f"<uint32 {value}>")
            seen.append(read(system_bus))
    knows, guesses = "NetworkManager", "NetworkManager's guess"
    assert seen[1:5] == [Known(True, knows), Known(False, knows), Known(True, guesses), Known(False, guesses)]
    assert isinstance(seen[0], Unknown)
    assert seen[5] == seen[0], "a value of a later version"


@pytest.mark.parametrize("has_manager", [True, False])
def test_without_an_answer_it_is_unknown(system_bus: str, has_manager: bool) -> None:
    if has_manager:
        with mock_service(system_bus, NAME, PATH, NAME, template="networkmanager"):
            reading = read(system_bus)  # a version that has no such property
    else:
        reading = read(system_bus)
    assert isinstance(reading, Unknown)
    assert reading.why.startswith("NetworkManager does not report whether the connection is metered. ")
