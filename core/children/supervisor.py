"""Runs one child process: reads its messages, gives it orders, ends it when it must, and reports its outcome.

Nothing of a child is left once `run` has returned, whichever of the three processes died first: the guard
sweeps below it, the kernel sends the parent-death signal (`parent_death`), and the identifier in its
environment finds processes that both missed (`cleanup`). A process that not even the kernel can end is left
after a while; the outcome says so.
"""

import asyncio
import secrets
import signal
from asyncio.subprocess import Process
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from core.children import processes
from core.children.cleanup import Marked, Sweep
from core.children.outcome import Ending, Outcome, judge
from core.children.program import Patience, Program
from core.children.spawning import spawn
from core.children.watchdog import Watchdog
from core.messages.children import Failed, Heartbeat, Hello
from core.messages.lines import LineError, Message, decode, encode

M = TypeVar("M", bound=Message)


class Supervisor(Generic[M]):
    """One run of one child process, driven from the main thread, to whose life the kernel ties the guard."""

    def __init__(
        self,
        program: Program,
        kinds: TypeAdapter[M],
        patience: Patience | None = None,
        marked: Marked = processes.marked,
        starved: Callable[[int], float] | None = None,
    ) -> None:
        """Prepare the run within a running event loop; `run` starts the child.

        Args:
            program: Program of the child, its first message and its log.
            kinds: Type adapter of the child's messages; any other line is garbled, and ends the child.
            patience: Time limits; None: the defaults.
            marked: Finds the processes whose environment has the child's mark, which `run` chooses.
            starved: Returns the seconds for which a process has waited for the processor so far, by its id; None:
                as the kernel accounts them.
        """
        self._program, self._kinds, self._marked = program, kinds, marked
        self._patience = patience or Patience()
        self._watchdog = Watchdog(self._patience, starved or processes.Starvation().seconds)
        self._guard: Process | None = None
        self._failure: Failed | None = None
        self._is_stopping = self._is_closed = self._is_stuck = False
        self._given_up: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()
        self._ended = asyncio.Event()

    async def run(self, report: Callable[[M], None]) -> Outcome:
        """Start the child, hand each of its messages to `report`, and return once nothing of it is left.

        Raises ChildError if it cannot be started.
        """
        try:
            mark = secrets.token_hex(16)
            guard, lifeline = await spawn(self._program, mark)
            self._guard = guard
            try:
                await self._accompany(guard, report)
            finally:
                sweep = Sweep(guard, lifeline, mark, self._patience, self._marked)
                self._is_stuck = not await sweep.leave_nothing(in_order=self._is_closed)
        finally:
            self._ended.set()
        return self._outcome(_status(guard) if sweep.status is None else sweep.status)

    async def send(self, message: Message) -> None:
        """Send ``message`` to the child; a child that is about to end may miss it."""
        if self._guard and self._guard.stdin and not self._is_stopping:
            try:
                self._guard.stdin.write(encode(message))
                await self._guard.stdin.drain()
            except (BrokenPipeError, ConnectionResetError):
                pass  # `run` reports the end

    def hold(self, is_held: bool) -> None:
        """Begin (``is_held``) or end a time in which the child is stopped on purpose.

        No sign of life is expected meanwhile.
        """
        self._watchdog.hold(is_held)

    @property
    def child(self) -> int | None:
        """Process id of the process that computes, once it has reported it and is one of ours."""
        return self._watchdog.child

    @property
    def family(self) -> list[int]:
        """Process ids below the guard now, including the one that computes."""
        if self._guard is None or self._guard.returncode is not None:
            return []
        return processes.family(self._guard.pid)

    async def stop(self, timeout: float) -> None:
        """Ask the child to stop, by the end of its input, and end it after `timeout` seconds."""
        self._is_stopping = True
        if self._guard and self._guard.stdin:
            self._guard.stdin.close()
        try:
            await asyncio.wait_for(self._ended.wait(), timeout)
        except TimeoutError:
            self._give_up(Ending.FORCED)
            await self._ended.wait()

    async def _accompany(self, guard: Process, report: Callable[[M], None]) -> None:
        """Serve the child until it closes its side of the channel or is given up, or the guard is gone."""
        await self.send(self._program.start)
        assert guard.stdin is not None
        assert guard.stdout is not None
        if self._is_stopping:
            guard.stdin.close()
        reading = asyncio.ensure_future(self._read(guard, guard.stdout, report))
        watching = asyncio.ensure_future(self._watch(guard))
        ends: set[asyncio.Future[Any]] = {reading, watching, self._given_up}
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                reading.result()
                self._is_closed = True
        finally:
            reading.cancel()
            watching.cancel()

    async def _read(self, guard: Process, lines: asyncio.StreamReader, report: Callable[[M], None]) -> None:
        while line := await _next_line(lines):
            try:
                message = decode(line, self._kinds)
            except LineError:
                self._give_up(Ending.GARBLED)
                return
            if isinstance(message, Hello) and not self._welcome(message, guard):
                self._give_up(Ending.GARBLED)
                return
            self._note(message)
            report(message)

    def _welcome(self, hello: Hello, guard: Process) -> bool:
        """Return true if it names a process of ours or one that has ended already; others are not ours to stop."""
        is_ours = processes.is_below(guard.pid, hello.pid) if processes.listable() else True
        self._watchdog.child = hello.pid if is_ours else None
        return is_ours is not False

    def _note(self, message: M) -> None:
        self._watchdog.heard()
        if isinstance(message, Heartbeat):
            self._watchdog.heard_of_idling(message.idle_seconds)
        elif isinstance(message, Failed):
            self._failure = message

    async def _watch(self, guard: Process) -> None:
        if await self._watchdog.is_given_up(lambda: guard.returncode is not None):
            self._give_up(Ending.HUNG)
        else:
            await asyncio.sleep(self._patience.leaving)  # for what the channel still holds

    def _give_up(self, ending: Ending) -> None:
        if not self._given_up.done():
            self._given_up.set_result(ending)

    def _outcome(self, status: int) -> Outcome:
        given_up = self._given_up.result() if self._given_up.done() else None
        given_up = Ending.STUCK if self._is_stuck else given_up
        ending = judge(given_up, self._failure, self._is_stopping, status)
        return Outcome(self._program.name, ending, status, self._program.log, self._failure)


def _status(guard: Process) -> int:
    """Return the exit status of a guard that could not report its child's."""
    status = guard.returncode if guard.returncode is not None else -signal.SIGKILL
    return status if status >= 0 else 128 - status


async def _next_line(lines: asyncio.StreamReader) -> bytes:
    try:
        return await lines.readline()
    except ValueError:  # longer than the reader's limit
        return b"too long"
