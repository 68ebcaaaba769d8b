"""Activity on X11, with a real X server, and keys and movements by xdotool."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Callable

import pytest

from client.api.errors import DisplayError, SourceLost
from client.machine.activity.x11 import X11Source
from tests.desktops.desktop import move_mouse, press_key, x_server
from tests.waiting import DEADLINE, eventually


@pytest.mark.parametrize(
    "deed", [press_key, lambda display: move_mouse(display, 10, 10)], ids=["key", "mouse"]
)
def test_a_key_and_a_movement_are_activity(xvfb: str, deed: Callable[[str], None]) -> None:
    async def body() -> None:
        source = await X11Source.open({"DISPLAY": xvfb})
        waiting = asyncio.create_task(source.until_active())
        await asyncio.sleep(0.3)
        assert not waiting.done(), "nobody has touched anything yet"
        await asyncio.to_thread(deed, xvfb)
        await asyncio.wait_for(waiting, DEADLINE)
        await source.close()

    asyncio.run(body())


def test_no_movement_is_missed_however_soon_it_comes(xvfb: str) -> None:
    async def body() -> None:
        source = await X11Source.open({"DISPLAY": xvfb})
        for step in range(30):
            waiting = asyncio.create_task(source.until_active())
            await asyncio.sleep(0.002 * step)
            await asyncio.to_thread(move_mouse, xvfb, step, step)
            await asyncio.wait_for(waiting, DEADLINE)
        await source.close()

    asyncio.run(body())


def test_all_who_wait_are_notified(xvfb: str) -> None:
    async def body() -> None:
        source = await X11Source.open({"DISPLAY": xvfb})
        waiting = [asyncio.create_task(source.until_active()) for _ in range(3)]
        await eventually(lambda: source.alarms == 3, "the alarms are not set")
        await asyncio.to_thread(press_key, xvfb)
        await asyncio.wait_for(asyncio.gather(*waiting), DEADLINE)
        assert source.alarms == 0
        await source.close()

    asyncio.run(body())


def test_idle_time_agrees_with_xprintidle(xvfb: str) -> None:
    async def body() -> None:
        source = await X11Source.open({"DISPLAY": xvfb})
        await asyncio.to_thread(press_key, xvfb)
        await asyncio.sleep(0.2)
        before = await source.idle_seconds()
        other = await asyncio.to_thread(_xprintidle, xvfb)
        after = await source.idle_seconds()
        assert 0.2 <= before <= other <= after
        await source.close()

    asyncio.run(body())


def test_a_server_that_ends_is_a_source_lost() -> None:
    async def body(display: str, server: subprocess.Popen[str]) -> None:
        source = await X11Source.open({"DISPLAY": display})
        waiting = asyncio.create_task(source.until_active())
        await eventually(lambda: source.alarms == 1, "the alarm is not set")
        server.terminate()
        with pytest.raises(SourceLost):
            await asyncio.wait_for(waiting, DEADLINE)
        with pytest.raises(SourceLost):
            await source.idle_seconds()
        await source.close()

    with x_server() as (display, server):
        asyncio.run(body(display, server))


def test_a_server_that_hangs_costs_the_time_limit_and_serves_again_after_it() -> None:
    async def body(display: str, server: subprocess.Popen[str]) -> None:
        source = await X11Source.open({"DISPLAY": display})  # a busy machine needs time for what succeeds
        server.send_signal(signal.SIGSTOP)
        with pytest.raises(SourceLost, match="does not answer"):
            await source.idle_seconds()
        with pytest.raises(DisplayError, match="does not answer"):
            await X11Source.open({"DISPLAY": display}, time_limit=0.2)
        server.send_signal(signal.SIGCONT)
        assert await source.idle_seconds() > 0
        await source.close()

    with x_server() as (display, server):
        asyncio.run(body(display, server))


@pytest.mark.parametrize(
    ("display", "words"),
    [
        (":54321", ":54321 does not answer"),
        ("localhost:54321.0", ":54321 does not answer"),
        ("", "not the name of a display"),
        ("7", "not the name of a display"),
    ],
)
def test_a_display_that_is_not_there_is_named(display: str, words: str) -> None:
    with pytest.raises(DisplayError, match=words):
        asyncio.run(X11Source.open({"DISPLAY": display}))


def _xprintidle(display: str) -> float:
    output = subprocess.run(
        ["xprintidle"],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "DISPLAY": display},
        timeout=DEADLINE,
    )
    return int(output.stdout) / 1000
