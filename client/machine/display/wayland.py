"""A connection to a Wayland compositor that never blocks the event loop; no file descriptor travels over it.

libwayland's bindings for Python have to be compiled for each system, and wait in place.
"""

import asyncio
import contextlib
import itertools
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

from client.api.errors import DisplayError

TIME_LIMIT = 2.0
"""Seconds to connect, or to wait for an answer."""
_REMEDY = "Check WAYLAND_DISPLAY and XDG_RUNTIME_DIR, and that your user may use this display."
_DISPLAY, _REGISTRY = 1, 2
_SYNC, _GET_REGISTRY, _BIND = 0, 1, 0
_DELETE_ID, _GLOBAL, _GLOBAL_REMOVE = 1, 0, 1

_Listener = Callable[[int, bytes], None]
"""Takes an event's number, and its arguments."""


class WaylandConnection:
    """Sends requests to the compositor, and hands events to the objects that they are for."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, time_limit: float) -> None:
        """Begin to receive events; `open` makes a connection."""
        self.lost = asyncio.Event()
        self._reader, self._writer = reader, writer
        self._time_limit = time_limit
        self._new_ids = itertools.count(_REGISTRY + 1)
        self._free_ids: list[int] = []
        self._globals: dict[int, tuple[str, int]] = {}
        self._listeners: dict[int, _Listener] = {_DISPLAY: self._on_display, _REGISTRY: self._on_registry}
        self._receiving = asyncio.create_task(self._receive())

    @classmethod
    async def open(cls, environment: Mapping[str, str], time_limit: float = TIME_LIMIT) -> Self:
        """Connect to the compositor of that environment, and learn all that it offers.

        Raise DisplayError if it does not answer within ``time_limit`` seconds.
        """
        path = Path(environment.get("XDG_RUNTIME_DIR", "/")) / environment.get("WAYLAND_DISPLAY", "wayland-0")
        try:
            async with asyncio.timeout(time_limit):
                reader, writer = await asyncio.open_unix_connection(path)
        except OSError as error:
            raise DisplayError(f"No Wayland compositor answers at {path}.", _REMEDY) from error
        connection = cls(reader, writer, time_limit)
        connection.request(_DISPLAY, _GET_REGISTRY, struct.pack("<I", _REGISTRY))
        try:
            await connection.settle()
        except DisplayError:
            await connection.close()
            raise
        return connection

    @property
    def objects(self) -> int:
        """Number of our objects that the compositor keeps."""
        return len(self._listeners)

    def bind(self, interface: str, version: int, listener: _Listener) -> tuple[int, int]:
        """Bind the first object of that interface; return its identifier and its version, at most `version`.

        Raise DisplayError if there is none.
        """
        for name, (offered, offered_version) in self._globals.items():
            if offered == interface:
                bound = min(version, offered_version)
                made = self.new(listener)
                text = struct.pack("<I", len(interface) + 1) + _padded(interface.encode() + b"\0")
                self.request(
                    _REGISTRY, _BIND, struct.pack("<I", name) + text + struct.pack("<II", bound, made)
                )
                return made, bound
        raise DisplayError(f"The Wayland compositor lacks {interface}.", "A newer one may have it.")

    def offered_version(self, interface: str) -> int:
        """Return the highest version in which the compositor offers that interface; 0: it lacks it."""
        return max(
            (version for offered, version in self._globals.values() if offered == interface), default=0
        )

    def adopt(self, made: int, listener: _Listener) -> None:
        """Hand the events of an object that the compositor has made to a listener."""
        self._listeners[made] = listener

    def release(self, target: int, destroy: int) -> None:
        """Destroy an object that the compositor has made, by its request of that number."""
        self._listeners.pop(target, None)
        self.request(target, destroy)

    def new(self, listener: _Listener) -> int:
        """Return an identifier for an object that the next request makes."""
        made = self._free_ids.pop() if self._free_ids else next(self._new_ids)
        self._listeners[made] = listener
        return made

    def request(self, target: int, opcode: int, arguments: bytes = b"") -> None:
        """Send a request; if it is wrong, the compositor ends the connection."""
        self._writer.write(struct.pack("<IHH", target, opcode, 8 + len(arguments)) + arguments)

    def forget(self, target: int, destroy: int) -> None:
        """Destroy an object by its request of that number."""
        self._listeners[target] = _ignore
        self.request(target, destroy)

    async def settle(self) -> None:
        """Wait until the compositor has handled all requests."""
        done = asyncio.Event()
        self.request(_DISPLAY, _SYNC, struct.pack("<I", self.new(lambda *_: done.set())))
        await self.wait(done, self._time_limit)

    async def wait(self, event: asyncio.Event, time_limit: float | None = None) -> None:
        """Wait for what a listener sets; DisplayError once the time is over or the connection ends."""
        waits = [asyncio.create_task(each.wait()) for each in (event, self.lost)]
        try:
            await asyncio.wait(waits, timeout=time_limit, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if self.lost.is_set():
            raise DisplayError("The connection to the Wayland compositor ended.", "It is opened again later.")
        if not event.is_set():
            raise DisplayError("The Wayland compositor does not answer.", "It is asked again later.")

    async def close(self) -> None:
        self._receiving.cancel()
        await asyncio.wait([self._receiving])

    async def _receive(self) -> None:
        try:
            with contextlib.suppress(OSError, EOFError, struct.error):
                while True:
                    target, opcode, size = struct.unpack("<IHH", await self._reader.readexactly(8))
                    arguments = await self._reader.readexactly(max(0, size - 8))
                    self._listeners.get(target, _ignore)(opcode, arguments)
        finally:
            self._writer.close()
            self.lost.set()

    def _on_display(self, event: int, arguments: bytes) -> None:
        if event == _DELETE_ID:
            (gone,) = struct.unpack("<I", arguments)
            if self._listeners.pop(gone, None):
                self._free_ids.append(gone)

    def _on_registry(self, event: int, arguments: bytes) -> None:
        (name,) = struct.unpack_from("<I", arguments)
        if event == _GLOBAL_REMOVE:
            self._globals.pop(name, None)
        if event == _GLOBAL:
            (length,) = struct.unpack_from("<I", arguments, 4)
            (version,) = struct.unpack_from("<I", arguments, len(arguments) - 4)
            self._globals[name] = arguments[8 : 7 + length].decode(errors="replace"), version


def _ignore(event: int, arguments: bytes) -> None:
    """Ignore events for objects that are being destroyed."""


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
