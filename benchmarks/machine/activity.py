"""Measures how soon the first key or mouse movement is reported, and what it costs to watch for it.

Real display servers without a screen (Xvfb, KWin, Mutter) each get input through their own means for tests.
Latency lasts from just before the input is sent until the waiting call returns. CPU time is that of this
process, which does nothing else meanwhile: watching while there is no input; and on X11 not watching while
xdotool moves the mouse.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from client.machine.activity.gnome import GnomeSource
from client.machine.activity.source import IdleSource
from client.machine.activity.wayland import WaylandSource
from client.machine.activity.x11 import X11Source
from client.machine.bus import Bus
from client.machine.display.wayland import WaylandConnection
from client.machine.display.x11 import X11Connection
from tests.client.machine.activity.users import DesktopUser, KwinUser, MutterUser, X11User
from tests.desktops.desktop import gnome_compositor, private_bus, running, virtual_display, wayland_compositor

_TRIES = 100
_SETTLE = 0.05
"""Seconds between the start of watching and the input, and between two tries."""
_PACE = 0.01
"""Seconds between xdotool's movements."""
Desk = AbstractAsyncContextManager[tuple[IdleSource, DesktopUser]]


@asynccontextmanager
async def x11() -> AsyncIterator[tuple[IdleSource, DesktopUser]]:
    with virtual_display() as display:
        environment = {"DISPLAY": display}
        connection = await X11Connection.open(environment)
        source = await X11Source.open(environment)
        yield source, await X11User.sit_down(connection)
        await source.close()
        await connection.close()


@asynccontextmanager
async def kwin() -> AsyncIterator[tuple[IdleSource, DesktopUser]]:
    with tempfile.TemporaryDirectory() as folder, wayland_compositor(Path(folder)) as (environment, _):
        connection = await WaylandConnection.open(environment)
        source = await WaylandSource.open(environment, quiet=_SETTLE)
        yield source, KwinUser(connection)
        await source.close()
        await connection.close()


@asynccontextmanager
async def mutter() -> AsyncIterator[tuple[IdleSource, DesktopUser]]:
    with (
        tempfile.TemporaryDirectory() as folder,
        private_bus() as address,
        gnome_compositor(Path(folder), address),
    ):
        bus, users_bus = Bus(address), Bus(address)
        yield await GnomeSource.open(bus), await MutterUser.sit_down(users_bus)
        await users_bus.close()
        await bus.close()


DESKS: dict[str, Callable[[], Desk]] = {"X11": x11, "KWin": kwin, "Mutter": mutter}


async def latency(source: IdleSource, user: DesktopUser, key: bool) -> float:
    """Return the seconds from one input to its report."""
    while await source.idle_seconds() < _SETTLE:
        await asyncio.sleep(_SETTLE / 5)
    waiting = asyncio.create_task(source.until_active())
    await asyncio.sleep(_SETTLE)
    assert not waiting.done()
    begun = time.perf_counter()
    await (user.press_key() if key else user.move_mouse())
    await waiting
    return time.perf_counter() - begun


async def cpu_while(seconds: float) -> float:
    """Return the CPU seconds per hour that this process takes while it only waits."""
    begun = time.process_time()
    await asyncio.sleep(seconds)
    return (time.process_time() - begun) * 3600 / seconds


async def cpu_armed(source: IdleSource, seconds: float) -> float:
    waiting = asyncio.create_task(source.until_active())
    await asyncio.sleep(1)  # setting it is not what is measured
    taken = await cpu_while(seconds)
    assert not waiting.done()
    waiting.cancel()
    await asyncio.wait([waiting])
    return taken


async def cpu_while_the_mouse_moves(seconds: float) -> float:
    """Return the CPU seconds per hour on X11 with a source that has no waiting call."""
    with virtual_display() as display, tempfile.NamedTemporaryFile("w") as script:
        script.writelines(
            f"mousemove {step % 600} 5 sleep {_PACE}\n" for step in range(int(2 * seconds / _PACE))
        )
        script.flush()
        source = await X11Source.open({"DISPLAY": display})
        with running("xdotool", script.name, environment={"DISPLAY": display}) as user:
            await asyncio.sleep(1)
            taken = await cpu_while(seconds)
            assert user.poll() is None
            assert await source.idle_seconds() < 1, "the mouse moves"
        await source.close()
    return taken


async def measure(server: str, tries: int, seconds: float) -> dict[str, Any]:
    async with DESKS[server]() as (source, user):
        milliseconds = [1000 * await latency(source, user, key=step % 2 == 0) for step in range(tries)]
        return {
            "server": server,
            "source": source.name,
            "p50_ms": rounded(float(np.percentile(milliseconds, 50)), 3),
            "p99_ms": rounded(float(np.percentile(milliseconds, 99)), 3),
            "cpu_seconds_an_hour_armed": rounded(await cpu_armed(source, seconds), 2),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--tries", type=int, default=_TRIES)
    parser.add_argument("--seconds", type=float, default=60.0, help="of each measurement of CPU time")
    options = parser.parse_args()
    report = BenchmarkReport("activity", __doc__ or "")
    rows = [asyncio.run(measure(server, options.tries, options.seconds)) for server in DESKS]
    rows[0]["cpu_seconds_an_hour_mouse_moves"] = rounded(
        asyncio.run(cpu_while_the_mouse_moves(options.seconds)), 2
    )
    report.write(rows, folder=options.out, tries=options.tries, seconds=options.seconds)


if __name__ == "__main__":
    main()
