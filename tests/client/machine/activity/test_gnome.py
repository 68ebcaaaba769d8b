"""Activity on GNOME: with a real Mutter, and with its monitor played by python-dbusmock."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import pytest

from client.api.errors import SourceLost
from client.machine.activity.gnome import GnomeSource
from client.machine.bus import Bus
from tests.client.machine.activity.users import MutterUser
from tests.desktops.desktop import MockService, gnome_compositor, mock_service
from tests.waiting import DEADLINE, eventually

MONITOR = (
    "org.gnome.Mutter.IdleMonitor",
    "/org/gnome/Mutter/IdleMonitor/Core",
    "org.gnome.Mutter.IdleMonitor",
)
OURS, ANOTHER = "[<uint32 7>]", "[<uint32 3>]"


@pytest.fixture
def mutter(session_bus: str) -> Iterator[MockService]:
    with mock_service(session_bus, *MONITOR) as monitor:
        play(monitor, idle_milliseconds=5000)
        yield monitor


def play(monitor: MockService, idle_milliseconds: int) -> None:
    monitor.add_method("GetIdletime", "", "t", f"ret = {idle_milliseconds}")
    monitor.add_method("AddUserActiveWatch", "", "u", "ret = 7")
    monitor.add_method("RemoveWatch", "u", "", "")


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[GnomeSource]:
    bus = Bus(address)
    try:
        yield await GnomeSource.open(bus)
    finally:
        await bus.close()


@pytest.mark.parametrize("deed", [MutterUser.press_key, MutterUser.move_mouse])
def test_a_key_and_a_movement_are_activity_to_a_real_mutter(
    tmp_path: Path, session_bus: str, deed: Callable[[MutterUser], Awaitable[None]]
) -> None:
    async def body() -> None:
        bus = Bus(session_bus)
        source = await GnomeSource.open(bus)
        user = await MutterUser.sit_down(bus)
        for _ in range(3):
            while await source.idle_seconds() < 0.2:  # new devices and keys that go up are activity too
                await asyncio.sleep(0.02)
            waiting = asyncio.create_task(source.until_active())
            await asyncio.sleep(0.1)
            assert not waiting.done()
            await deed(user)
            await asyncio.wait_for(waiting, DEADLINE)
        await bus.close()

    with gnome_compositor(tmp_path, session_bus):
        asyncio.run(body())


def test_idle_time_is_reported_in_seconds(session_bus: str, mutter: MockService) -> None:
    async def body() -> None:
        async with opened(session_bus) as source:
            assert await source.idle_seconds() == 5

    asyncio.run(body())


def test_the_watch_that_fires_is_activity_and_no_other(session_bus: str, mutter: MockService) -> None:
    async def body() -> None:
        async with opened(session_bus) as source:
            waiting = asyncio.create_task(source.until_active())
            await eventually(lambda: mutter.calls("GetIdletime") == 2, "nothing waits")
            await asyncio.to_thread(mutter.emit, "WatchFired", "u", ANOTHER)
            await source.idle_seconds()
            assert not waiting.done()
            await asyncio.to_thread(mutter.emit, "WatchFired", "u", OURS)
            await asyncio.wait_for(waiting, DEADLINE)

    asyncio.run(body())


def test_a_movement_just_before_the_watch_is_not_missed(session_bus: str, mutter: MockService) -> None:
    play(mutter, idle_milliseconds=0)

    async def body() -> None:
        async with opened(session_bus) as source:
            await asyncio.wait_for(source.until_active(), DEADLINE)

    asyncio.run(body())


def test_who_gives_up_waiting_leaves_no_watch(session_bus: str, mutter: MockService) -> None:
    async def body() -> None:
        async with opened(session_bus) as source:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(source.until_active(), 0.2)
        assert mutter.calls("AddUserActiveWatch") == mutter.calls("RemoveWatch") == 1

    asyncio.run(body())


def test_a_shell_that_ends_is_a_source_lost(session_bus: str) -> None:
    async def body() -> None:
        with ExitStack() as played:
            monitor = played.enter_context(mock_service(session_bus, *MONITOR))
            play(monitor, idle_milliseconds=5000)
            async with opened(session_bus) as source:
                waiting = asyncio.create_task(source.until_active())
                await eventually(lambda: monitor.calls("GetIdletime") == 2, "nothing waits")
                played.close()
                with pytest.raises(SourceLost):
                    await asyncio.wait_for(waiting, DEADLINE)
                with pytest.raises(SourceLost):
                    await source.idle_seconds()

    asyncio.run(body())


def test_without_gnome_nothing_opens(session_bus: str) -> None:
    async def body() -> None:
        with pytest.raises(SourceLost, match="IdleMonitor"):
            async with opened(session_bus):
                pass

    asyncio.run(body())
