"""The host's end of the channel to an agent: orders go out, reports come in, and the lease is renewed meanwhile.

Orders to freeze never wait behind the child's input, of which one line at a time is handed to the system.
"""

import asyncio
import contextlib
import logging
from asyncio import StreamReader
from asyncio.subprocess import Process
from collections.abc import Callable
from dataclasses import dataclass

from core.children.agent.frames import (
    INPUT_WINDOW,
    AgentOrder,
    AgentReading,
    AgentReport,
    chunks,
    frame,
    number,
    parse,
)
from core.messages.lines import MAX_LINE
from core.tasks import end_tasks

_log = logging.getLogger(__name__)
_POLL = 0.02
_LOOK = 1.0


@dataclass(frozen=True)
class Lease:
    """Times of a channel, in seconds."""

    seconds: float = 30.0
    """Time without an order after which the agent ends everything, or without a report, after which the host does."""
    renewal: float = 5.0
    """Time between two renewals."""
    greeting: float = 90.0
    """Longest time until the agent's first line; Windows may have to start the virtual machine first."""


async def has_ended(process: Process, seconds: float) -> bool:
    """Return true if ``process`` ends within ``seconds``.

    `Process.wait` waits for the ends of its pipes as well, which other processes may have open.
    """
    waited = 0.0
    while process.returncode is None and waited < seconds:
        await asyncio.sleep(_POLL)
        waited += _POLL
    return process.returncode is not None


class _Pausing(asyncio.ReadTransport):
    """Has a reader tell when it has enough, and when it wants more."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted = asyncio.Event()
        self.wanted.set()

    def pause_reading(self) -> None:
        self.wanted.clear()

    def resume_reading(self) -> None:
        self.wanted.set()


class AgentInput:
    """Standard input of the child, of which the agent holds no more than it can pass on."""

    def __init__(
        self, send: Callable[[AgentOrder, bytes], None], flushed: Callable[[], "asyncio.Future[None]"]
    ) -> None:
        """Send by ``send``; ``flushed`` waits until the system has taken what was sent."""
        self._send, self._flushed = send, flushed
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._sent, self._under_way = 0, 0
        self._changed = asyncio.Event()
        self._is_closed = False

    def write(self, data: bytes) -> None:
        """Send ``data`` as soon as the child takes it."""
        for piece in chunks(data):
            self._under_way += len(piece)
            self._waiting.put_nowait(piece)

    async def drain(self) -> None:
        """Wait until not much is left to send; raises ConnectionError if the child takes no more."""
        while self._under_way > INPUT_WINDOW and not self._is_closed:
            self._changed.clear()
            await self._changed.wait()
        if self._is_closed:
            raise ConnectionResetError("the channel to the agent is closed")

    def close(self) -> None:
        """End the input after what was written."""
        self._waiting.put_nowait(None)

    def taken(self, size: int) -> None:
        """Note that the child has taken ``size`` bytes."""
        self._sent -= size
        self._under_way -= size
        self._changed.set()

    def break_off(self) -> None:
        """Release the tasks that wait: nothing more is taken."""
        self._is_closed = True
        self._changed.set()

    async def pump(self) -> None:
        """Send what is written, until the end of the input."""
        while (piece := await self._waiting.get()) is not None:
            while self._sent + len(piece) > INPUT_WINDOW:
                self._changed.clear()
                await self._changed.wait()
            self._sent += len(piece)
            self._send(AgentOrder.INPUT, piece)
            await self._flushed()
        self._send(AgentOrder.END_OF_INPUT, b"")


class AgentLink:
    """The channel to one agent that has greeted, until it has ended."""

    def __init__(self, process: Process, lease: Lease) -> None:
        """Take over ``process``, which relays the channel; `open` begins to read and to renew the lease."""
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._lease = process, lease
        self._writer, self._lines = process.stdin, process.stdout
        self._writer.transport.set_write_buffer_limits(high=0)
        self.input = AgentInput(self.send, lambda: asyncio.ensure_future(self._flush()))
        self._flow = _Pausing()
        self.output = StreamReader(limit=MAX_LINE)
        self.output.set_transport(self._flow)
        self.started: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """Process id of the child, once it has been started."""
        self.over = asyncio.Event()
        """Set once nothing more comes from the agent."""
        self.status: int | None = None
        """Exit status of the child, if the agent has reported that nothing of it is left."""
        self.reading: asyncio.Future[AgentReading] = asyncio.get_running_loop().create_future()
        self.last_reading = AgentReading(memory=0, is_exact=False, starved=0.0)
        self._is_dropping = False
        self._unanswered = 0
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        """Begin to read, to send what the child's input gets, and to renew the lease."""
        work = (self._read(), self.input.pump(), self._renew(), self._watch())
        self._tasks = [asyncio.ensure_future(each) for each in work]

    def send(self, order: AgentOrder, data: bytes = b"") -> None:
        """Send an order at once, or not at all if the channel is closed."""
        if not self._writer.is_closing() and not self.over.is_set():
            self._writer.write(frame(order, data))

    def ask_for_reading(self) -> "asyncio.Future[AgentReading]":
        """Ask the agent for the state of the child's processes, and return where the answer is put."""
        if self.reading.done():
            self.reading = asyncio.get_running_loop().create_future()
        self.send(AgentOrder.READ)
        return self.reading

    def drop_output(self) -> None:
        """Read on, but keep nothing of the child's output from now on."""
        self._is_dropping = True
        self._flow.wanted.set()

    async def close(self, seconds: float) -> None:
        """Close the channel, and end the process that relays it if it has not ended within ``seconds``."""
        reading, *others = self._tasks
        await end_tasks(others)
        self._writer.close()
        if not await has_ended(self._process, seconds):
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await has_ended(self._process, seconds)
        await asyncio.wait({reading}, timeout=seconds)  # to the end of the pipe, which closes it
        await end_tasks([reading])
        self._end()

    async def _flush(self) -> None:
        with contextlib.suppress(ConnectionError):
            await self._writer.drain()

    async def _watch(self) -> None:
        """Close the channel once the process has ended, even if another process has its pipes open."""
        while not await has_ended(self._process, _LOOK):
            pass
        await asyncio.sleep(_LOOK)  # for what the pipe still holds
        self._end()

    async def _renew(self) -> None:
        """Renew the lease until nothing has come from the agent for as long as a lease: it has been killed.

        wsl.exe may continue then, as long as a process that the agent has left, stopped perhaps, holds its output
        open. Renewals are counted, as this system's clock may continue while the computer sleeps.
        """
        while self._unanswered * self._lease.renewal <= self._lease.seconds:
            await asyncio.sleep(self._lease.renewal)
            self.send(AgentOrder.RENEW)
            self._unanswered += self._flow.wanted.is_set()
        _log.error("The agent has not answered for %.0f s.", self._lease.seconds)
        self._end()

    async def _read(self) -> None:
        try:
            while line := await self._lines.readline():
                self._unanswered = 0
                self._handle(*parse(line, AgentReport))
                await self._flow.wanted.wait()
        except (
            ValueError,
            OSError,
        ) as error:  # a FrameError, or a line that is longer than the reader's limit
            _log.error("The agent's reports are not understood: %s", error)
            self.send(AgentOrder.END)
        finally:
            self._end()

    def _handle(self, report: AgentReport, data: bytes) -> None:
        match report:
            case AgentReport.STARTED if not self.started.done():
                self.started.set_result(number(data))
            case AgentReport.OUTPUT if not self._is_dropping:
                self.output.feed_data(data)
            case AgentReport.END_OF_OUTPUT:
                self.output.feed_eof()
            case AgentReport.TAKEN:
                self.input.taken(number(data))
            case AgentReport.READING:
                self.last_reading = AgentReading.decode(data)
                if not self.reading.done():
                    self.reading.set_result(self.last_reading)
            case AgentReport.GONE:
                self.status = number(data)
                self._end()

    def _end(self) -> None:
        self.output.feed_eof()
        self.input.break_off()
        if not self.started.done():
            self.started.set_exception(
                ConnectionResetError("the agent has ended before it started the child")
            )
        if not self.reading.done():
            self.reading.set_result(self.last_reading)
        self.over.set()
