"""The bus with real D-Bus daemons and services played by python-dbusmock."""

import asyncio
import contextlib
import signal
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from client.api.errors import BusError
from client.machine.bus import Bus, session_address
from tests.desktops.desktop import MockService, bus_daemon, mock_service
from tests.waiting import DEADLINE, eventually

NAME, PATH, INTERFACE = "org.example.Lamp", "/org/example/Lamp", "org.example.Lamp"
LAMP = (NAME, PATH, INTERFACE)


@pytest.fixture
def lamp(session_bus: str) -> Iterator[MockService]:
    with mock_service(session_bus, *LAMP) as service:
        service.add_method("Double", "u", "u", "ret = 2 * args[0]")
        service.add_property("On", "<true>")
        yield service


def test_a_call_is_answered(session_bus: str, lamp: MockService) -> None:
    async def body() -> None:
        bus = Bus(session_bus)
        assert await bus.call(*LAMP, "Double", "u", 21) == (42,)
        await bus.close()

    asyncio.run(body())


def test_an_answer_of_another_type_is_an_error(session_bus: str, lamp: MockService) -> None:
    async def body() -> None:
        bus = Bus(session_bus)
        assert await bus.value(int, *LAMP, "Double", "u", 21) == 42
        with pytest.raises(BusError, match="sent an invalid answer"):
            await bus.value(str, *LAMP, "Double", "u", 21)
        await bus.close()

    asyncio.run(body())


def test_many_calls_at_once_find_their_own_answers(session_bus: str, lamp: MockService) -> None:
    async def body() -> None:
        bus = Bus(session_bus)
        answers = await asyncio.gather(*(bus.call(*LAMP, "Double", "u", number) for number in range(50)))
        assert answers == [(2 * number,) for number in range(50)]
        await bus.close()

    asyncio.run(body())


def test_a_property_comes_without_its_variant(session_bus: str, lamp: MockService) -> None:
    async def body() -> None:
        bus = Bus(session_bus)
        assert await bus.get(*LAMP, "On") is True
        await bus.close()

    asyncio.run(body())


def test_a_service_that_is_not_there_is_an_error_with_its_name(session_bus: str) -> None:
    async def body() -> None:
        bus = Bus(session_bus)
        with pytest.raises(BusError, match=r"org\.example\.Lamp") as caught:
            await bus.call(*LAMP, "Double", "u", 1)
        assert caught.value.name == "org.freedesktop.DBus.Error.ServiceUnknown"
        await bus.close()

    asyncio.run(body())


@pytest.mark.parametrize("address", ["unix:path=/nowhere/bus", "tcp:host=localhost,port=1", "nonsense"])
def test_a_bus_that_is_not_there_is_an_error(address: str) -> None:
    with pytest.raises(BusError, match="Start the client from within your desktop session"):
        asyncio.run(Bus(address).call(*LAMP, "Double", "u", 1))


def test_a_service_that_does_not_answer_costs_the_time_limit(session_bus: str, lamp: MockService) -> None:
    lamp.add_method("Sleep", "", "", "import time; time.sleep(3600)")

    async def body() -> None:
        bus = Bus(session_bus)  # with its usual limit, as a busy machine needs time to connect
        with pytest.raises(BusError, match="within 2 s"):
            await bus.call(*LAMP, "Sleep")
        assert await bus.call("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetId"), (
            "the bus still serves"
        )
        await bus.close()

    asyncio.run(body())


def test_a_bus_that_hangs_costs_the_time_limit() -> None:
    async def body(address: str, daemon: subprocess.Popen[str]) -> None:
        bus = Bus(address, time_limit=0.2)
        daemon.send_signal(signal.SIGSTOP)
        with pytest.raises(BusError, match="does not answer"):
            await bus.call(*LAMP, "Double", "u", 1)

    with bus_daemon() as (address, daemon):
        try:
            asyncio.run(body(address, daemon))
        finally:
            daemon.send_signal(signal.SIGCONT)


def test_a_signal_reaches_who_listens(session_bus: str, lamp: MockService) -> None:
    async def body() -> None:
        bus = Bus(session_bus)
        async with bus.signals(*LAMP, "Blinked") as blinks:
            await asyncio.to_thread(lamp.emit, "Dimmed", "u", "[<uint32 1>]")
            await asyncio.to_thread(lamp.emit, "Blinked", "u", "[<uint32 7>]")
            assert await _next(blinks) == (7,)
        await bus.close()

    asyncio.run(body())


def test_listening_leaves_no_match_behind(session_bus: str, lamp: MockService) -> None:
    async def body() -> None:
        bus = Bus(session_bus)
        for _ in range(20):
            async with bus.signals(*LAMP, "Blinked"):
                assert await _matches(bus) == 2
        assert await _matches(bus) == 0
        await bus.close()

    asyncio.run(body())


def test_listeners_hear_of_the_end_of_the_service(session_bus: str) -> None:
    async def body() -> None:
        bus = Bus(session_bus)
        with contextlib.ExitStack() as played:
            played.enter_context(mock_service(session_bus, *LAMP))
            async with bus.signals(*LAMP, "Blinked") as blinks:
                played.close()
                with pytest.raises(BusError, match=r"org\.example\.Lamp ended"):
                    await _next(blinks)
        await bus.close()

    asyncio.run(body())


def test_listeners_hear_of_the_end_of_the_bus() -> None:
    async def body(address: str, daemon: subprocess.Popen[str]) -> None:
        bus = Bus(address)
        with mock_service(address, *LAMP):
            async with bus.signals(*LAMP, "Blinked") as blinks:
                daemon.kill()
                with pytest.raises(BusError):
                    await _next(blinks)
        await bus.close()

    with bus_daemon() as (address, daemon):
        asyncio.run(body(address, daemon))


def test_a_bus_that_comes_back_is_used_again(tmp_path: Path) -> None:
    address = f"unix:path={tmp_path}/bus"

    async def body() -> None:
        bus = Bus(address)
        for _ in range(2):
            with bus_daemon(address) as (_, daemon), mock_service(address, *LAMP) as lamp:
                lamp.add_method("Double", "u", "u", "ret = 2 * args[0]")
                assert await bus.call(*LAMP, "Double", "u", 4) == (8,)
                daemon.kill()
                await eventually(lambda: daemon.poll() is not None, "the bus goes on")
            with pytest.raises(BusError):
                await bus.call(*LAMP, "Double", "u", 4)
            (tmp_path / "bus").unlink(missing_ok=True)
        await bus.close()

    asyncio.run(body())


def test_a_connection_on_which_nothing_can_be_sent_is_replaced_at_the_next_attempt(tmp_path: Path) -> None:
    address = f"unix:path={tmp_path}/bus"

    async def body() -> None:
        bus = Bus(address)
        with bus_daemon(address) as (_, daemon), mock_service(address, *LAMP) as lamp:
            lamp.add_method("Double", "u", "u", "ret = 2 * args[0]")
            assert await bus.call(*LAMP, "Double", "u", 4) == (8,)
            daemon.kill()
            daemon.wait()
        (tmp_path / "bus").unlink(missing_ok=True)
        # No turn of the loop passes between the failure and the next call.
        with pytest.raises(BusError, match="ended"):
            await bus.call(*LAMP, "Double", "u", 4)
        with bus_daemon(address), mock_service(address, *LAMP) as lamp:
            lamp.add_method("Double", "u", "u", "ret = 2 * args[0]")
            assert await bus.call(*LAMP, "Double", "u", 4) == (8,)
        await bus.close()

    asyncio.run(body())


async def _next(signals: AsyncIterator[tuple[object, ...]]) -> tuple[object, ...]:
    return await asyncio.wait_for(anext(signals), DEADLINE)


async def _matches(bus: Bus) -> int:
    """Count the match rules that the bus keeps for clients other than the tests' tools, which add none."""
    where = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats")
    (rules,) = await bus.call(*where, "GetAllMatchRules")
    return sum(rule.count("org.example.Lamp") > 0 for rules_of_one in rules.values() for rule in rules_of_one)


def test_the_session_bus_is_found_where_systemd_puts_it(tmp_path: Path) -> None:
    environment = {"XDG_RUNTIME_DIR": str(tmp_path)}
    assert session_address(environment) == "SESSION"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "bus"))
        assert session_address(environment) == f"unix:path={tmp_path}/bus"
        assert session_address({**environment, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"}) == "unix:path=/x"
