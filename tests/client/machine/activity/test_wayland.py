"""Activity on Wayland, with a real KWin and input that it is given by its own protocol for tests."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from client.api.errors import DisplayError, SourceLost
from client.machine.activity.wayland import WaylandSource
from client.machine.display.wayland import WaylandConnection
from tests.client.machine.activity.stand_in_compositor import StandInCompositor
from tests.client.machine.activity.users import KwinUser
from tests.desktops.desktop import Process, wayland_compositor
from tests.waiting import DEADLINE

QUIET = 0.2
Compositor = tuple[dict[str, str], Process]


@pytest.fixture
def kwin(tmp_path: Path) -> Iterator[Compositor]:
    with wayland_compositor(tmp_path) as compositor:
        yield compositor


@pytest.mark.parametrize("deed", [KwinUser.press_key, KwinUser.move_mouse])
def test_a_key_and_a_movement_are_activity(
    kwin: Compositor, deed: Callable[[KwinUser], Awaitable[None]]
) -> None:
    async def body() -> None:
        source = await WaylandSource.open(kwin[0], QUIET)
        user = KwinUser(other := await WaylandConnection.open(kwin[0]))
        for _ in range(3):
            waiting = asyncio.create_task(source.until_active())
            await asyncio.sleep(0.05)
            assert not waiting.done()
            await deed(user)
            await asyncio.wait_for(waiting, DEADLINE)
        await source.close()
        await other.close()

    asyncio.run(body())


def test_idle_time_counts_from_the_last_activity(kwin: Compositor) -> None:
    async def body() -> None:
        loop = asyncio.get_running_loop()
        opened = loop.time()
        source = await WaylandSource.open(kwin[0], QUIET)
        user = KwinUser(other := await WaylandConnection.open(kwin[0]))
        assert await source.idle_seconds() == 0
        while (idle := await source.idle_seconds()) < 2 * QUIET:
            assert loop.time() - opened < DEADLINE
            await asyncio.sleep(0.02)
        assert idle <= loop.time() - opened + 0.1 * QUIET, "KWin's timers may come a twentieth early"
        await user.move_mouse()
        while await source.idle_seconds():
            assert loop.time() - opened < 2 * DEADLINE
            await asyncio.sleep(0.02)
        await source.close()
        await other.close()

    asyncio.run(body())


def test_waiting_for_activity_leaves_nothing_behind(kwin: Compositor) -> None:
    async def body() -> None:
        connection = await WaylandConnection.open(kwin[0])
        source = WaylandSource(connection, QUIET)
        await connection.settle()
        before = connection.objects
        for _ in range(50):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(source.until_active(), 0.001)
        await connection.settle()
        assert connection.objects == before
        await source.close()

    asyncio.run(body())


def test_a_compositor_that_ends_is_a_source_lost(kwin: Compositor) -> None:
    async def body() -> None:
        source = await WaylandSource.open(kwin[0], QUIET)
        waiting = asyncio.create_task(source.until_active())
        await asyncio.sleep(0.05)
        kwin[1].kill()
        with pytest.raises(SourceLost):
            await asyncio.wait_for(waiting, DEADLINE)
        with pytest.raises(SourceLost):
            await source.idle_seconds()
        await source.close()

    asyncio.run(body())


def test_a_compositor_that_hangs_costs_the_time_limit(kwin: Compositor) -> None:
    async def body() -> None:
        kwin[1].send_signal(signal.SIGSTOP)
        try:
            with pytest.raises(DisplayError, match="does not answer"):
                await WaylandConnection.open(kwin[0], time_limit=0.2)
        finally:
            kwin[1].send_signal(signal.SIGCONT)

    asyncio.run(body())


def test_without_a_compositor_the_address_is_named(tmp_path: Path) -> None:
    environment = {"XDG_RUNTIME_DIR": str(tmp_path), "WAYLAND_DISPLAY": "wayland-7"}
    with pytest.raises(DisplayError, match="wayland-7"):
        asyncio.run(WaylandSource.open(environment))


def test_a_compositor_without_the_protocol_says_so(tmp_path: Path) -> None:
    async def body() -> None:
        async with StandInCompositor.running(tmp_path, {"wl_seat": 8}) as compositor:
            with pytest.raises(DisplayError, match="ext_idle_notifier_v1"):
                await WaylandSource.open(compositor.environment)

    asyncio.run(body())


@pytest.mark.parametrize(("version", "respects_inhibitors"), [(1, True), (2, False), (3, False)])
def test_a_playing_video_is_passed_over_where_the_protocol_can(
    tmp_path: Path, version: int, respects_inhibitors: bool
) -> None:
    async def body() -> None:
        offered = {"wl_seat": 8, "ext_idle_notifier_v1": version}
        async with StandInCompositor.running(tmp_path, offered) as compositor:
            source = await WaylandSource.open(compositor.environment)
            assert compositor.respects_inhibitors == [respects_inhibitors]
            await source.close()

    asyncio.run(body())


def test_where_a_video_holds_idleness_back_the_computer_counts_as_used(tmp_path: Path) -> None:
    async def body() -> None:
        offered = {"wl_seat": 8, "ext_idle_notifier_v1": 1}
        async with StandInCompositor.running(tmp_path, offered) as compositor:
            source = await WaylandSource.open(compositor.environment)
            await asyncio.wait_for(source.until_active(), DEADLINE)  # it never says that anybody is idle
            assert await source.idle_seconds() == 0
            await source.close()

    asyncio.run(body())
