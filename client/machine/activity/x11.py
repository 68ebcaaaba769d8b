"""User activity on X11: the server's IDLETIME counter, and an alarm on it.

The alarm signals that there was an input, and never which: no key of the user passes through here.
"""

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Self

from client.api.errors import DisplayError, SourceLost
from client.machine.activity.source import REMEDY
from client.machine.display.x11 import TIME_LIMIT, X11Connection, request

_INITIALIZE, _LIST_SYSTEM_COUNTERS, _QUERY_COUNTER, _CREATE_ALARM, _DESTROY_ALARM = 0, 1, 5, 8, 11
_ALARM_NOTIFY = 1
"""Number of the alarm event, counted from the extension's first event."""
_COUNTER, _VALUE_TYPE, _VALUE, _TEST_TYPE, _DELTA, _EVENTS = (1 << bit for bit in range(6))
_ABSOLUTE, _NEGATIVE_TRANSITION = 0, 1


class X11Source:
    """Idle time by the SYNC extension of an X server."""

    name = "X11 IDLETIME counter"
    is_event = True

    def __init__(self, connection: X11Connection, opcode: int, counter: int) -> None:
        """Prepare to ask for the counter; `open` makes a source."""
        self._connection = connection
        self._opcode = opcode
        self._counter = counter
        self._alarms: dict[int, asyncio.Event] = {}

    @classmethod
    async def open(cls, environment: Mapping[str, str], time_limit: float = TIME_LIMIT) -> Self:
        """Connect to the display of that environment; DisplayError if there is none, or it lacks the counter."""
        connection = await X11Connection.open(environment, time_limit)
        try:
            opcode, first_event = await connection.extension("SYNC")
            await connection.ask(request(opcode, _INITIALIZE, bytes((3, 1))))
            listed = await connection.ask(request(opcode, _LIST_SYSTEM_COUNTERS, b""))
            counter = dict(_system_counters(listed)).get("IDLETIME")
            if counter is None:
                raise DisplayError("The display has no IDLETIME counter.", "Use an X server that has it.")
        except DisplayError:
            await connection.close()
            raise
        source = cls(connection, opcode, counter)
        connection.listen(first_event + _ALARM_NOTIFY, source._ring)
        return source

    @property
    def alarms(self) -> int:
        """Number of alarms that are set."""
        return len(self._alarms)

    async def idle_seconds(self) -> float:
        return await self._idle_milliseconds() / 1000

    async def until_active(self) -> None:
        idle = await self._idle_milliseconds()
        async with self._alarm(below=idle) as (rings, idle_then):
            # Before the alarm was set there may have been a movement.
            if idle_then >= idle:
                await self._wait(rings)

    async def close(self) -> None:
        await self._connection.close()

    async def _idle_milliseconds(self, *before: bytes) -> int:
        """Ask for it, after those requests."""
        question = request(self._opcode, _QUERY_COUNTER, struct.pack("<I", self._counter))
        try:
            return _wide(await self._connection.ask(*before, question), 8)
        except DisplayError as error:
            raise SourceLost(error.what, REMEDY) from error

    @contextlib.asynccontextmanager
    async def _alarm(self, below: int) -> AsyncIterator[tuple[asyncio.Event, int]]:
        """Give an event that is set once the idle time falls, and the idle time when the alarm was set."""
        alarm = self._connection.new_id()
        rings = self._alarms[alarm] = asyncio.Event()
        creation = request(self._opcode, _CREATE_ALARM, self._description(alarm, max(0, below - 1)))
        try:
            yield rings, await self._idle_milliseconds(creation)
        finally:
            del self._alarms[alarm]
            self._connection.send(request(self._opcode, _DESTROY_ALARM, struct.pack("<I", alarm)))

    def _description(self, alarm: int, milliseconds: int) -> bytes:
        given = _COUNTER | _VALUE_TYPE | _VALUE | _TEST_TYPE | _DELTA | _EVENTS
        value, delta = divmod(milliseconds, 1 << 32), (0, 0)
        values = (self._counter, _ABSOLUTE, *value, _NEGATIVE_TRANSITION, *delta, True)
        return struct.pack(f"<{2 + len(values)}I", alarm, given, *values)

    async def _wait(self, rings: asyncio.Event) -> None:
        waits = [asyncio.create_task(event.wait()) for event in (rings, self._connection.lost)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if not rings.is_set():
            raise SourceLost("The display that reported your activity is gone.", REMEDY)

    def _ring(self, event: bytes) -> None:
        (alarm,) = struct.unpack_from("<I", event, 4)
        if alarm in self._alarms:
            self._alarms[alarm].set()


def _system_counters(reply: bytes) -> Iterator[tuple[str, int]]:
    (count,) = struct.unpack_from("<I", reply, 8)
    at = 32
    for _ in range(count):
        counter, length = struct.unpack_from("<I8xH", reply, at)
        yield reply[at + 14 : at + 14 + length].decode(), counter
        at += 14 + length + -(14 + length) % 4


def _wide(reply: bytes, at: int) -> int:
    """Return an INT64 of the extension: the upper half comes first."""
    high, low = struct.unpack_from("<iI", reply, at)
    return int(high << 32 | low)
