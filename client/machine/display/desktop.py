"""Finds the application that fills the screen, such as a game: by the X11 window manager, or a Wayland compositor."""

import struct
from collections.abc import Mapping

from client.api.errors import DisplayError
from client.machine.display.toplevels import WaylandWindows
from client.machine.display.x11 import X11Connection
from client.machine.processes import AN_APPLICATION, program_of
from client.machine.readings import Known, Reading, Unknown

_SOURCE = "X11 window manager"
_NO_DISPLAY = Unknown("The client was started outside of a desktop session, so it cannot see its windows.")
_NO_MANAGER = Unknown("The window manager does not say which window is in use (EWMH).")


class Desktop:
    """Looks at the window in use; what fills another screen without being in use does not count."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Prepare to look at the desktop of a user's session, whose variables ``environment`` has."""
        self._environment = environment
        self._connection: X11Connection | None = None
        self._wayland = WaylandWindows(environment)

    async def read(self) -> Reading[str | None]:
        """Return the name of the application that fills the screen."""
        if not is_wayland(self._environment):
            return await self._read_x11()
        on_wayland = await self._wayland.read()
        if isinstance(on_wayland, Known):
            return on_wayland
        # Most games run on Xwayland, which shows its own windows, and no others.
        on_x11 = await self._read_x11()
        return on_x11 if isinstance(on_x11, Known) and on_x11.value else on_wayland

    async def close(self) -> None:
        await self._wayland.close()
        await self._close_x11()

    async def _close_x11(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            await connection.close()

    async def _read_x11(self) -> Reading[str | None]:
        if not self._environment.get("DISPLAY"):
            return _NO_DISPLAY
        try:
            connection = await self._open()
            if not await connection.window_property(connection.server.root, "_NET_SUPPORTING_WM_CHECK"):
                return _NO_MANAGER
            return Known(await _full_screen(connection), _SOURCE)
        except DisplayError as error:
            return Unknown(error.what)

    async def _open(self) -> X11Connection:
        if self._connection and self._connection.lost.is_set():
            await self._close_x11()
        if not self._connection:
            self._connection = await X11Connection.open(self._environment)
        return self._connection


def is_wayland(environment: Mapping[str, str]) -> bool:
    """Return true for a Wayland session, where programs for X11 see only each other."""
    return bool(environment.get("WAYLAND_DISPLAY")) or environment.get("XDG_SESSION_TYPE") == "wayland"


async def _full_screen(connection: X11Connection) -> str | None:
    (window, *_) = await _numbers(connection, connection.server.root, "_NET_ACTIVE_WINDOW") or (0,)
    full_screen = await connection.atom("_NET_WM_STATE_FULLSCREEN")
    if not window or not full_screen:
        return None
    if full_screen not in await _numbers(connection, window, "_NET_WM_STATE"):
        return None
    return await _application(connection, window)


async def _application(connection: X11Connection, window: int) -> str:
    """Return the window's class, which is meant for people, or the name of its process if it has none."""
    names = (await connection.window_property(window, "WM_CLASS")).decode(errors="replace").split("\0")
    name = next((name for name in reversed(names) if name.strip()), "")
    if name:
        return name
    (pid, *_) = await _numbers(connection, window, "_NET_WM_PID") or (0,)
    return program_of(pid) if pid else AN_APPLICATION


async def _numbers(connection: X11Connection, window: int, name: str) -> tuple[int, ...]:
    value = await connection.window_property(window, name)
    return tuple(number for (number,) in struct.iter_unpack("<I", value[: len(value) // 4 * 4]))
