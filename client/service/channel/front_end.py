"""One connection of a front end: answers its requests line by line, and sends it snapshots while it watches.

Lines, patience and what waits to be read are limited. A front end that reads slowly misses snapshots, never the
latest.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from client.api.answers import MAX_ANSWER, DaemonAnswer, Done, Refused, Status
from client.api.errors import REPORT_THIS, ControlError
from client.api.questions import GetStatus, Watch
from client.api.requests import AnyRequest
from client.api.snapshot import Snapshot
from client.service.channel.request_line import refusal, understand
from core.errors import CoreError
from core.messages.lines import LineError, encode

Handle = Callable[[AnyRequest], Awaitable[Done | Refused]]
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """Limits for front ends, together and each."""

    connections: int = 64
    bad_lines: int = 8
    """Bad lines of one connection, which then is closed."""
    quiet: float = 60.0
    """Seconds for which a front end may be silent that watches nothing."""
    unread: float = 60.0
    """Seconds that a front end may leave unread what it was sent."""
    interval: float = 0.2
    """Seconds between two snapshots for one front end."""
    flush_seconds: float = 1.0
    """Seconds in which answers on their way are still sent when the daemon ends."""
    reachable: float = 5.0
    """Seconds between two looks at whether front ends still find the daemon."""


class _FrontEndGone(Exception):
    """The front end has hung up, or does not read what it is sent."""


class FrontEndConnection:
    """One connection of one front end."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        handle: Handle,
        snapshot: Callable[[], Snapshot],
        limits: Limits,
    ) -> None:
        self.news = asyncio.Event()
        self._reader, self._writer = reader, writer
        self._handle, self._snapshot, self._limits = handle, snapshot, limits
        self._watching: asyncio.Task[None] | None = None
        self._watch_number = 0
        self._answering = self._ending = False
        self._bad_lines = 0
        writer.transport.set_write_buffer_limits(high=0)

    async def run(self) -> None:
        """Answer one line after another, until either side closes the connection."""
        try:
            while not self._ending and (line := await self._line()):
                self._answering = True
                await self._answer(line)
                self._answering = False
        except _FrontEndGone:
            pass
        finally:
            if self._watching:
                self._watching.cancel()

    def end(self) -> None:
        """Send the answer that is due, if there is one, and nothing more."""
        self._ending = True
        if not self._answering:
            self._writer.transport.abort()

    async def _line(self) -> bytes:
        """Return the next line, or nothing at the end or after a long silence."""
        await asyncio.sleep(0)  # lines that have arrived together do not keep the others waiting
        try:
            async with asyncio.timeout(None if self._watching else self._limits.quiet):
                return await self._reader.readline()
        except ValueError:  # what follows begins within the line that was too long
            self._bad_lines = self._limits.bad_lines
            return b"\0"
        except (ConnectionError, TimeoutError):
            return b""

    async def _answer(self, line: bytes) -> None:
        match understand(line):
            case Refused() as refused:
                await self._send(refused)
                self._bad_lines += 1
                self._ending |= self._bad_lines >= self._limits.bad_lines
            case GetStatus(id=number):
                await self._send(self._status(number))
            case Watch(id=number):
                self._watch(number)
            case request:
                await self._send(await self._outcome(request))

    async def _outcome(self, request: AnyRequest) -> Done | Refused:
        try:
            return await self._handle(request)
        except CoreError as error:
            return refusal(request.id, error)
        except Exception as error:  # noqa: BLE001 - a front end would take a broken connection for the end
            _log.exception("A request of the kind %r was not carried out.", request.type)
            return refusal(request.id, _mistake(error))

    def _watch(self, number: int) -> None:
        """Watch on behalf of a request; a second request gets a snapshot too, at the pace of the first."""
        self._watch_number = number
        self.news.set()
        if not self._watching:
            self._watching = asyncio.create_task(self._keep_posted())

    async def _keep_posted(self) -> None:
        try:
            while True:
                self.news.clear()
                await self._send(self._status(self._watch_number))
                await asyncio.sleep(self._limits.interval)
                await self.news.wait()
        except _FrontEndGone:
            self._writer.transport.abort()

    def _status(self, number: int) -> Status:
        return Status(id=number, snapshot=self._snapshot())

    async def _send(self, answer: DaemonAnswer) -> None:
        """Hand over an answer, and wait until all of it has left this process."""
        self._writer.write(_line(answer))
        try:
            async with asyncio.timeout(self._limits.unread):
                await self._writer.drain()
        except (ConnectionError, TimeoutError) as error:
            raise _FrontEndGone from error


def _line(answer: DaemonAnswer) -> bytes:
    try:
        return encode(answer, MAX_ANSWER)
    except LineError as error:
        return encode(refusal(answer.id, error))


def _mistake(error: Exception) -> ControlError:
    """Return an error that names the kind of a mistake alone: its text may repeat what was sent."""
    return ControlError(
        f"An internal error occurred ({type(error).__name__}). The request was not carried out.",
        REPORT_THIS,
    )
