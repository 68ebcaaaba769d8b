"""Users played at the keyboard and the mouse of real display servers, by each server's own means for that."""

import struct
from typing import Protocol, Self

from client.machine.bus import Bus
from client.machine.display.wayland import WaylandConnection
from client.machine.display.x11 import X11Connection, request

DESKTOP = "org.gnome.Mutter.RemoteDesktop"


class DesktopUser(Protocol):
    async def press_key(self) -> None: ...

    async def move_mouse(self) -> None: ...


class X11User:
    """A user who types and moves the mouse through XTEST, the extension that xdotool uses."""

    def __init__(self, connection: X11Connection, opcode: int) -> None:
        """`sit_down` makes one."""
        self._connection = connection
        self._opcode = opcode
        self._x = 0

    @classmethod
    async def sit_down(cls, connection: X11Connection) -> Self:
        return cls(connection, (await connection.extension("XTEST"))[0])

    async def press_key(self) -> None:
        for kind in (2, 3):
            self._do(kind, 38, 0)

    async def move_mouse(self) -> None:
        self._x = (self._x + 1) % 100
        self._do(6, 0, self._x)

    def _do(self, kind: int, detail: int, x: int) -> None:
        self._connection.send(
            request(self._opcode, 2, struct.pack("<BBxxII8xhh8x", kind, detail, 0, 0, x, 5))
        )


class KwinUser:
    """A user who types and moves the mouse through the fake-input protocol of KWin's own tests."""

    def __init__(self, connection: WaylandConnection) -> None:
        self._connection = connection
        self._device, _ = connection.bind("org_kde_kwin_fake_input", 4, lambda *_: None)
        text = struct.pack("<I8s", 5, b"test")
        connection.request(self._device, 0, text + text)

    async def press_key(self) -> None:
        for state in (1, 0):
            self._connection.request(self._device, 10, struct.pack("<II", 30, state))

    async def move_mouse(self) -> None:
        self._connection.request(self._device, 1, struct.pack("<ii", 256, 256))


class MutterUser:
    """A user who types and moves the mouse through Mutter's service for remote desktops."""

    def __init__(self, bus: Bus, session: str) -> None:
        """`sit_down` makes one."""
        self._bus = bus
        self._session = session

    @classmethod
    async def sit_down(cls, bus: Bus) -> Self:
        (session,) = await bus.call(DESKTOP, "/org/gnome/Mutter/RemoteDesktop", DESKTOP, "CreateSession")
        user = cls(bus, session)
        await user._do("Start")
        return user

    async def press_key(self) -> None:
        for down in (True, False):
            await self._do("NotifyKeyboardKeycode", "ub", 30, down)

    async def move_mouse(self) -> None:
        await self._do("NotifyPointerMotionRelative", "dd", 5.0, 5.0)

    async def _do(self, method: str, signature: str = "", *arguments: object) -> None:
        await self._bus.call(DESKTOP, self._session, f"{DESKTOP}.Session", method, signature, *arguments)
