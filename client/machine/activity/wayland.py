"""User activity on Wayland by ext-idle-notify-v1, which KWin, Sway, Hyprland and others offer.

The protocol has no idle time; it signals that a time without activity has passed, and the activity that ends it.
"""

import asyncio
import contextlib
import struct
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Self

from client.api.errors import DisplayError, SourceLost
from client.machine.activity.source import REMEDY
from client.machine.display.wayland import WaylandConnection

_NOTIFIER, _SEAT = "ext_idle_notifier_v1", "wl_seat"
_DESTROY, _IGNORING_NOTHING, _IGNORING_INHIBITORS = 0, 1, 2
_IDLED, _RESUMED = 0, 1
QUIET = 5.0
"""Seconds without activity before the idle time begins to count: shorter pauses would wake us up for nothing."""
_AT_ONCE = 0.001
"""Shortest idle time, in seconds; zero means never to some compositors, and at once to others."""
_PATIENCE = 1.0
"""Seconds for the compositor to see no activity for `_AT_ONCE`."""


@dataclass
class _Notification:
    """Signals of the compositor about a time without activity."""

    on_change: Callable[[bool], None] = lambda idle: None
    idled: asyncio.Event = field(default_factory=asyncio.Event)
    resumed: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self, event: int, arguments: bytes) -> None:
        if event == _IDLED:
            self.idled.set()
        if event == _RESUMED:
            self.resumed.set()
        self.on_change(event == _IDLED)


class WaylandSource:
    """Idle time by an idle notifier, for the first seat."""

    name = "Wayland idle notifier"
    is_event = True

    def __init__(self, connection: WaylandConnection, quiet: float) -> None:
        """Ask to be notified of ``quiet`` seconds without activity; `open` makes a source."""
        self._connection = connection
        self._quiet = quiet
        self._idle_since: float | None = None
        self._notifier, self._version = connection.bind(_NOTIFIER, 2, lambda *_: None)
        self._seat, _ = connection.bind(_SEAT, 1, lambda *_: None)
        self._notify(quiet, _Notification(self._note))

    @classmethod
    async def open(cls, environment: Mapping[str, str], quiet: float = QUIET) -> Self:
        """Connect to the compositor of that environment; DisplayError if there is none, or it lacks the protocol."""
        connection = await WaylandConnection.open(environment)
        try:
            source = cls(connection, quiet)
            await connection.settle()
        except DisplayError:
            await connection.close()
            raise
        return source

    async def idle_seconds(self) -> float:
        if self._connection.lost.is_set():
            raise SourceLost("The Wayland compositor that reported your activity is gone.", REMEDY)
        return 0.0 if self._idle_since is None else time.monotonic() - self._idle_since

    async def until_active(self) -> None:
        try:
            async with self._armed() as notification:
                await self._connection.settle()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_PATIENCE):
                        await self._connection.wait(notification.idled)
                if notification.idled.is_set():
                    await self._connection.wait(notification.resumed)
        except DisplayError as error:
            raise SourceLost(error.what, REMEDY) from error

    async def close(self) -> None:
        await self._connection.close()

    @contextlib.asynccontextmanager
    async def _armed(self) -> AsyncIterator[_Notification]:
        notification = _Notification()
        made = self._notify(_AT_ONCE, notification)
        try:
            yield notification
        finally:
            self._connection.forget(made, _DESTROY)

    def _notify(self, seconds: float, notification: _Notification) -> int:
        # The first version knows only notifications that a playing video holds back: then we count as active.
        kind = _IGNORING_INHIBITORS if self._version >= 2 else _IGNORING_NOTHING
        made = self._connection.new(notification.hear)
        self._connection.request(
            self._notifier, kind, struct.pack("<III", made, round(seconds * 1000), self._seat)
        )
        return made

    def _note(self, idle: bool) -> None:
        self._idle_since = time.monotonic() - self._quiet if idle else None
