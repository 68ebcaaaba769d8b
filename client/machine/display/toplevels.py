"""Reads which window of a Wayland session fills the screen, by wlr-foreign-toplevel-management.

Compositors on wlroots (Sway, labwc, Wayfire, river) and others that follow them offer the protocol. KWin and
Mutter do not. Its successor, ext-foreign-toplevel-list, lists windows without their states.
"""

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from client.api.errors import DisplayError
from client.machine.display.wayland import WaylandConnection
from client.machine.processes import AN_APPLICATION
from client.machine.readings import Known, Reading, Unknown
from core.excerpt import shortened

SOURCE = "Wayland compositor"
_MANAGER = "zwlr_foreign_toplevel_manager_v1"
_WITH_FULL_SCREEN = 2
"""First version of the protocol that reports whether a window fills the screen."""
LACKING = Unknown(
    "This Wayland compositor lets no program see whether another one fills the screen (it lacks "
    "wlr-foreign-toplevel-management). Name your games as exclusive applications."
)
_NEW_WINDOW = 0
"""Event of the manager."""
_TITLE, _APP_ID, _STATE, _DONE, _CLOSED = 0, 1, 4, 5, 6
"""Events of a window; `_DONE` ends those that belong together."""
_DESTROY = 7
_ACTIVATED, _FULL_SCREEN = 2, 3
_MOST_WINDOWS = 1_000
_LONGEST_NAME = 100


@dataclass(frozen=True)
class Toplevel:
    """A window as the compositor describes it."""

    title: str = ""
    app_id: str = ""
    """Name of the application, such as ``org.mozilla.firefox``."""
    states: frozenset[int] = frozenset()
    """Numbers of the protocol's states."""

    @property
    def fills_the_screen(self) -> bool:
        """True if the window is in use and fills its screen."""
        return {_ACTIVATED, _FULL_SCREEN} <= self.states

    @property
    def name(self) -> str:
        """Name of the application for people."""
        return shortened(self.app_id or self.title or AN_APPLICATION, _LONGEST_NAME)

    def after(self, event: int, arguments: bytes) -> "Toplevel":
        """Return the window after an event of the compositor; raise struct.error for what is cut off."""
        if event == _TITLE:
            return replace(self, title=_text(arguments))
        if event == _APP_ID:
            return replace(self, app_id=_text(arguments))
        if event == _STATE:
            return replace(self, states=frozenset(_numbers(arguments)))
        return self


def full_screen_name(windows: Iterable[Toplevel]) -> str | None:
    """Return the name of the application that fills the screen; None if none does."""
    return next((window.name for window in windows if window.fills_the_screen), None)


class WaylandWindows:
    """Follows the windows of a Wayland session; events arrive on the event loop, and nothing blocks it."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Prepare to follow the windows of a user's session, whose variables ``environment`` has."""
        self._environment = environment
        self._connection: WaylandConnection | None = None
        self._changing: dict[int, Toplevel] = {}
        """Windows with all events so far, by the numbers of their objects."""
        self._settled: dict[int, Toplevel] = {}
        """Windows as of their last complete change."""

    async def read(self) -> Reading[str | None]:
        """Return the name of the application that fills the screen."""
        try:
            connection = await self._open()
            if connection.offered_version(_MANAGER) < _WITH_FULL_SCREEN:
                return LACKING
            # What happened before this question has arrived by then.
            await connection.settle()
            return Known(full_screen_name(self._settled.values()), SOURCE)
        except DisplayError as error:
            await self.close()
            return Unknown(error.what)

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        self._changing.clear()
        self._settled.clear()
        if connection:
            await connection.close()

    async def _open(self) -> WaylandConnection:
        if self._connection and self._connection.lost.is_set():
            await self.close()
        if not self._connection:
            self._connection = await WaylandConnection.open(self._environment)
            if self._connection.offered_version(_MANAGER) >= _WITH_FULL_SCREEN:
                self._connection.bind(_MANAGER, _WITH_FULL_SCREEN, self._on_manager)
        return self._connection

    def _on_manager(self, event: int, arguments: bytes) -> None:
        if event != _NEW_WINDOW or self._connection is None:
            return
        (made,) = struct.unpack("<I", arguments)
        self._connection.adopt(made, lambda event, arguments: self._on_window(made, event, arguments))
        if len(self._changing) < _MOST_WINDOWS:
            self._changing[made] = Toplevel()

    def _on_window(self, number: int, event: int, arguments: bytes) -> None:
        if event == _CLOSED:
            self._changing.pop(number, None)
            self._settled.pop(number, None)
            if self._connection is not None:
                self._connection.release(number, _DESTROY)
        elif number in self._changing:
            self._changing[number] = self._changing[number].after(event, arguments)
            if event == _DONE:
                self._settled[number] = self._changing[number]


def _text(arguments: bytes) -> str:
    (length,) = struct.unpack_from("<I", arguments)
    return arguments[4 : 4 + length].rstrip(b"\0").decode(errors="replace")


def _numbers(arguments: bytes) -> Iterable[int]:
    (size,) = struct.unpack_from("<I", arguments)
    return (number for (number,) in struct.iter_unpack("<I", arguments[4 : 4 + size]))
