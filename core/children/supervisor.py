"""Runs one child process: reads its messages, gives it orders, ends it when it must, and reports its outcome.

Nothing of a child is left once `run` has returned, whichever process died first: the child runs within a
containment of the system's kind (`containment`). A process that not even the kernel can end is left after a
while; the outcome says so.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from core.children import processes
from core.children.containment import Contain, ContainedChild, containment
from core.children.outcome import Ending, Outcome, judge
from core.children.program import Patience, Program
from core.children.watchdog import Watchdog
from core.messages.children import Failed, Heartbeat, Hello
from core.messages.lines import LineError, Message, decode, encode
from core.messages.paths import PathView

M = TypeVar("M", bound=Message)


class Supervisor(Generic[M]):
    """One run of one child process, driven from the main thread, to whose life the kernel may tie the child's."""

    def __init__(
        self,
        program: Program,
        kinds: TypeAdapter[M],
        patience: Patience | None = None,
        contain: Contain | None = None,
        starved: Callable[[int], float] | None = None,
        paths: PathView | None = None,
    ) -> None:
        """Prepare the run within a running event loop; `run` starts the child.

        Args:
            program: Program of the child, its first message and its log.
            kinds: Type adapter of the child's messages; any other line is garbled, and ends the child.
            patience: Time limits; None: the defaults.
            contain: Starts the child within a containment; None: in that of the system.
            starved: Returns the seconds for which a process has waited for the processor so far, by its id; None:
                as the kernel accounts them.
            paths: Translates paths of files in messages; None: the child sees files under the same paths.
        """
        self._program, self._kinds, self._contain = program, kinds, contain or containment()
        self._patience, self._paths = patience or Patience(), paths
        self._watchdog = Watchdog(self._patience, starved or processes.Starvation().seconds)
        self._contained: ContainedChild | None = None
        self._failure: Failed | None = None
        self._is_stopping = self._is_closed = self._is_stuck = False
        self._given_up: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()
        self._ended = asyncio.Event()

    async def run(self, report: Callable[[M], None]) -> Outcome:
        """Start the child, hand each of its messages to `report`, and return once nothing of it is left.

        Raises ChildError if it cannot be started.
        """
        try:
            contained = await self._contain(self._program, self._patience)
            self._contained = contained
            try:
                await self._accompany(contained, report)
            finally:
                self._is_stuck = not await contained.leave_nothing(in_order=self._is_closed)
        finally:
            self._ended.set()
        return self._outcome(contained.status)

    async def send(self, message: Message) -> None:
        """Send ``message`` to the child; a child that is about to end may miss it."""
        if self._contained and not self._is_stopping:
            try:
                self._contained.input.write(encode(message, paths=self._paths))
                await self._contained.input.drain()
            except ConnectionError:
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
        """Process ids of the child and of all that descends from it now, including the one that computes."""
        return self._contained.family() if self._contained else []

    async def stop(self, timeout: float) -> None:
        """Ask the child to stop, by the end of its input, and end it after `timeout` seconds."""
        self._is_stopping = True
        if self._contained:
            self._contained.input.close()
        try:
            await asyncio.wait_for(self._ended.wait(), timeout)
        except TimeoutError:
            self._give_up(Ending.FORCED)
            await self._ended.wait()

    async def _accompany(self, contained: ContainedChild, report: Callable[[M], None]) -> None:
        """Serve the child until it closes its side of the channel or is given up, or it or its guard is gone."""
        await self.send(self._program.start)
        if self._is_stopping:
            contained.input.close()
        reading = asyncio.ensure_future(self._read(contained, report))
        watching = asyncio.ensure_future(self._watch(contained))
        ends: set[asyncio.Future[Any]] = {reading, watching, self._given_up}
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                reading.result()
                self._is_closed = True
        finally:
            reading.cancel()
            watching.cancel()

    async def _read(self, contained: ContainedChild, report: Callable[[M], None]) -> None:
        while line := await _next_line(contained.output):
            try:
                message = decode(line, self._kinds, paths=self._paths)
            except LineError:
                self._give_up(Ending.GARBLED)
                return
            if isinstance(message, Hello) and not self._welcome(message, contained):
                self._give_up(Ending.GARBLED)
                return
            self._note(message)
            report(message)

    def _welcome(self, hello: Hello, contained: ContainedChild) -> bool:
        """Return true if it names a process of ours or one that has ended already; others are not ours to stop."""
        is_ours = contained.owns(hello.pid)
        self._watchdog.child = hello.pid if is_ours else None
        return is_ours is not False

    def _note(self, message: M) -> None:
        self._watchdog.heard()
        if isinstance(message, Heartbeat):
            self._watchdog.heard_of_idling(message.idle_seconds)
        elif isinstance(message, Failed):
            self._failure = message

    async def _watch(self, contained: ContainedChild) -> None:
        if await self._watchdog.is_given_up(lambda: contained.has_ended):
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


async def _next_line(lines: asyncio.StreamReader) -> bytes:
    try:
        return await lines.readline()
    except ValueError:  # longer than the reader's limit
        return b"too long"
