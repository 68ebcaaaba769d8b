"""A connection to an X server that never blocks the event loop; it speaks what readings of the machine need.

python-xlib waits for replies in place, lacks the SYNC extension and takes 6 MB; libraries that wrap libxcb have to
be compiled where the volunteer is.
"""

import asyncio
import contextlib
import itertools
import struct
from collections.abc import Callable, Mapping
from typing import Self

from client.api.errors import DisplayError
from client.machine.display.x11_setup import REMEDY, DisplayName, Server, Streams, connect, cookie_for, greet

TIME_LIMIT = 2.0
"""Seconds to connect, or to wait for a reply."""
_LONGEST = 1 << 18
"""Words of four bytes that a reply may have; longer ones end the connection."""
_ERROR, _REPLY, _GENERIC_EVENT = 0, 1, 35
_INTERN_ATOM, _GET_PROPERTY, _QUERY_EXTENSION = 16, 20, 98


class X11Connection:
    """Sends requests, and hands out replies and events."""

    def __init__(self, streams: Streams, server: Server, time_limit: float) -> None:
        """Begin to receive replies and events; `open` makes a connection."""
        self.server = server
        self.lost = asyncio.Event()
        self._reader, self._writer = streams
        self._time_limit = time_limit
        self._sequence = itertools.count(1)
        self._ids = itertools.count()
        self._replies: dict[int, asyncio.Future[bytes]] = {}
        self._listeners: dict[int, Callable[[bytes], None]] = {}
        self._atoms: dict[str, int] = {}
        self._receiving = asyncio.create_task(self._receive())

    @classmethod
    async def open(cls, environment: Mapping[str, str], time_limit: float = TIME_LIMIT) -> Self:
        """Connect to the display that DISPLAY names.

        Raise DisplayError if it does not answer within ``time_limit`` seconds.
        """
        name = DisplayName.parse(environment.get("DISPLAY", ""))
        cookie = cookie_for(name.number, environment)
        try:
            async with asyncio.timeout(time_limit):
                streams = await connect(name)
                return cls(streams, await greet(streams, cookie), time_limit)
        except (OSError, EOFError) as error:
            raise DisplayError(f"The display :{name.number} does not answer.", REMEDY) from error

    def new_id(self) -> int:
        """Return an identifier for a resource; after some millions of them they are used again."""
        return self.server.id_base | (next(self._ids) & self.server.id_mask)

    def listen(self, kind: int, listener: Callable[[bytes], None]) -> None:
        """Give `listener` all events of that kind."""
        self._listeners[kind] = listener

    def send(self, request: bytes) -> None:
        """Send what has no reply."""
        next(self._sequence)
        self._writer.write(request)

    async def ask(self, *requests: bytes) -> bytes:
        """Return the reply to the last request.

        Raise DisplayError where any of them is refused, or no reply comes.
        """
        if self.lost.is_set():
            raise _gone()
        numbers = [next(self._sequence) & 0xFFFF for _ in requests]
        reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._replies |= dict.fromkeys(numbers, reply)
        try:
            async with asyncio.timeout(self._time_limit):
                self._writer.write(b"".join(requests))
                return await reply
        except TimeoutError as error:
            raise DisplayError("The display does not answer.", "It is asked again later.") from error
        finally:
            for number in numbers:
                del self._replies[number]

    async def extension(self, name: str) -> tuple[int, int]:
        """Return the extension's major opcode and the code of its first event."""
        body = struct.pack("<Hxx", len(name)) + name.encode()
        present, opcode, first_event = (await self.ask(request(_QUERY_EXTENSION, 0, body)))[8:11]
        if not present:
            raise DisplayError(f"The display lacks the extension {name}.", "Use an X server that has it.")
        return opcode, first_event

    async def atom(self, name: str) -> int:
        """Return the number that stands for a name, or 0 if the name was never used."""
        if not self._atoms.get(name):
            body = struct.pack("<Hxx", len(name)) + name.encode()
            (self._atoms[name],) = struct.unpack_from("<I", await self.ask(request(_INTERN_ATOM, 1, body)), 8)
        return self._atoms[name]

    async def window_property(self, window: int, name: str) -> bytes:
        """Return the first 4 KiB of a property's value, little-endian; empty if the window lacks the property."""
        any_type, at, words = 0, 0, 1024
        if not (atom := await self.atom(name)):
            return b""
        body = struct.pack("<5I", window, atom, any_type, at, words)
        reply = await self.ask(request(_GET_PROPERTY, 0, body))
        (items,) = struct.unpack_from("<I", reply, 16)
        return reply[32 : 32 + items * reply[1] // 8]

    async def close(self) -> None:
        self._receiving.cancel()
        await asyncio.wait([self._receiving])

    async def _receive(self) -> None:
        try:
            with contextlib.suppress(OSError, EOFError):
                while not self.lost.is_set():
                    self._take(await self._message())
        finally:
            self._writer.close()
            self.lost.set()
            for reply in self._replies.values():
                if not reply.done():
                    reply.set_exception(_gone())

    async def _message(self) -> bytes:
        head = await self._reader.readexactly(32)
        if head[0] & 0x7F not in (_REPLY, _GENERIC_EVENT):
            return head
        (words,) = struct.unpack_from("<I", head, 4)
        if words > _LONGEST:
            raise EOFError
        return head + await self._reader.readexactly(4 * words)

    def _take(self, message: bytes) -> None:
        kind = message[0] & 0x7F
        if kind in (_ERROR, _REPLY):
            (number,) = struct.unpack_from("<H", message, 2)
            reply = self._replies.get(number)
            if reply and not reply.done():
                self._answer(reply, message)
        elif kind in self._listeners:
            self._listeners[kind](message)

    def _answer(self, reply: asyncio.Future[bytes], message: bytes) -> None:
        if message[0] == _REPLY:
            reply.set_result(message)
        else:
            reply.set_exception(DisplayError(f"The display refuses a request (error {message[1]}).", REMEDY))


def request(opcode: int, detail: int, body: bytes) -> bytes:
    """Build a request; one of an extension has its major opcode, and its own number as ``detail``."""
    body += bytes(-len(body) % 4)
    return struct.pack("<BBH", opcode, detail, 1 + len(body) // 4) + body


def _gone() -> DisplayError:
    return DisplayError("The connection to the display ended.", "It is opened again at the next attempt.")
