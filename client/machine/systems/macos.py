"""The sources of macOS: the last input and the power supply; all else is unknown there so far.

A reading that is added takes one line below. Nothing here ran on macOS yet.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from client.machine.activity.choice import SourceCandidate
from client.machine.activity.polling import open_macos
from client.machine.activity.source import IdleSource
from client.machine.readings import Unknown
from client.machine.sensors.power import read_supplies
from client.machine.systems.sources import SystemSources, beside
from client.side_thread import SideThread


def macos_sources(battery: Callable[[], Any] | None = None) -> SystemSources:
    """Prepare to read; `battery`: as ``psutil.sensors_battery``, None: psutil's own."""
    thread = SideThread("system")

    async def close() -> None:
        thread.close()

    return SystemSources(
        activity=lambda: [SourceCandidate("macOS", _open_activity)],
        locked=_unread("whether the screen is locked"),
        full_screen=_unread("whether an application fills the screen"),
        power=beside(thread, lambda: read_supplies(battery)),
        awake=_unread("whether an application keeps the screen on"),
        cpu_celsius=_unread("the processor's temperature"),
        metered=_unread("whether the connection is metered"),
        close=close,
    )


async def _open_activity() -> IdleSource:
    return open_macos()


def _unread(what: str) -> Callable[[], Awaitable[Unknown]]:
    async def read() -> Unknown:
        return Unknown(f"Idlebrush does not read on macOS yet {what}.")

    return read
