"""Starts one child process behind the guard, watches it, gives it orders, ends it: the one place that spawns.

Nothing of a child is left once `run` has returned, whichever of the three processes died first: the guard
sweeps below it, the kernel follows `core.leash`, and what both missed is found here by the mark in its
environment. What not even the kernel can end is left after a while, and the outcome says so.
"""

import asyncio
import contextlib
import logging
import os
import secrets
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import gettempdir
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from core.children import processes
from core.children.guard import folder_prefix
from core.children.outcome import Ending, Outcome, judge
from core.errors import ChildError
from core.lines import MAX_LINE, LineError, Message, decode, encode
from core.messages import Failed, Heartbeat, Hello

MARK = "IDLEBRUSH_CHILD"
"""Environment variable that every descendant of a child inherits; its value is that child's own."""
_log = logging.getLogger(__name__)
_POLL = 0.05
_SCAN = 0.5
"""Seconds between two looks through all processes of the system."""
_STARVED = 0.5
"""Share of a tick for which a child waited for the processor that shows that it could not have said anything."""
_STARVED_PACE = 0.1
"""Of silence meanwhile; not nothing, for one that hangs in a loop waits as well."""
_WORTH_A_LOOK = 0.2
"""Share of the silence that is allowed."""
_LOOK_WHILE_HELD = 5.0
"""Seconds between two looks at whether the guard is there: its end is usually told by that of the channel."""
_SECRETS = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_API_TOKEN", "HUGGINGFACE_TOKEN", "DATABASE_URL")
"""Variables in which people keep their token of the Hub, for other programs, and their database's password."""

M = TypeVar("M", bound=Message)


@dataclass(frozen=True)
class Program:
    """A module of ours that speaks `core.lines`, and what it is told first."""

    name: str
    """What it is to a person, such as "trainer"."""
    module: str
    start: Message
    log: Path
    """Receives all that the process writes to standard error."""
    is_idle: bool = False
    """Whether it runs only where nothing else wants to (`core.children.priority`)."""
    niceness: int = 0
    """How far it gives way to others, where it is not idle altogether."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """What differs from this process's own; never a secret, which other processes could read there."""

    @property
    def rank(self) -> str:
        """Its priority, as the guard is told."""
        return "idle" if self.is_idle else str(self.niceness)


@dataclass(frozen=True)
class Patience:
    """Seconds after which a child is given up."""

    first_message: float = 180.0
    silence: float = 30.0
    """Between messages; heartbeats come every other second."""
    idle: float = 900.0
    """Without a sign of life of the child's main loop."""
    leaving: float = 3.0
    """For the guard to sweep up after the child's end, before it is killed as well."""
    unkillable: float = 10.0
    """After which no end of a killed process is expected any more: it hangs in a driver, or in a file system."""
    tick: float = 0.5


class Supervisor(Generic[M]):
    """One run of one child process, driven from the main thread, to whose life the kernel ties the guard."""

    def __init__(
        self,
        program: Program,
        kinds: TypeAdapter[M],
        patience: Patience | None = None,
        marked: Callable[[str, str], Sequence[processes.Process]] = processes.marked,
        starved: Callable[[int], float] = processes.starved_seconds,
    ) -> None:
        self._program = program
        self._kinds = kinds
        self._patience = patience or Patience()
        self._mark = secrets.token_hex(16)
        self._marked = marked
        self._starved = starved
        self._guard: Process | None = None
        self._failure: Failed | None = None
        self._stopping = False
        self._closed = False
        self._is_stuck = False
        self._given_up: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()
        self._ended = asyncio.Event()
        self._silence = 0.0
        self._idle = 0.0
        self._running = 0.0
        """Since it was let go on last; the child's clock does not know for how long it was stopped."""
        self._waited = 0.0
        """Seconds for which the child had waited for the processor at the last look."""
        self._let_go = asyncio.Event()
        self._let_go.set()
        self.child: int | None = None
        """The process that computes, once it has said so, and is one of ours."""
        self._allowed_silence = self._patience.first_message

    async def run(self, report: Callable[[M], None]) -> Outcome:
        """Start the child, hand each of its messages to `report`, and return once nothing of it is left."""
        try:
            guard, lifeline = await self._spawn()
            self._guard = guard
            try:
                await self._accompany(guard, report)
            finally:
                await self._leave_nothing(guard, lifeline)
        finally:
            self._ended.set()
        return self._outcome(guard)

    async def send(self, message: Message) -> None:
        """Give the child an order; one that is about to end may miss it."""
        if self._guard and self._guard.stdin and not self._stopping:
            try:
                self._guard.stdin.write(encode(message))
                await self._guard.stdin.drain()
            except (BrokenPipeError, ConnectionResetError):
                pass  # `run` reports the end

    def hold(self, is_held: bool) -> None:
        """Expect no sign of life while the child is stopped on purpose."""
        self._silence = self._idle = self._running = 0.0
        (self._let_go.clear if is_held else self._let_go.set)()

    @property
    def family(self) -> list[int]:
        """The processes below the guard now, the one that computes included."""
        if self._guard is None or self._guard.returncode is not None:
            return []
        return processes.family(self._guard.pid)

    async def stop(self, timeout: float) -> None:
        """Ask the child to stop, by the end of its input, and end it after `timeout` seconds."""
        self._stopping = True
        if self._guard and self._guard.stdin:
            self._guard.stdin.close()
        try:
            await asyncio.wait_for(self._ended.wait(), timeout)
        except TimeoutError:
            self._give_up(Ending.FORCED)
            await self._ended.wait()

    async def _spawn(self) -> tuple[Process, int]:
        """The guard, and the end of the pipe by which it notices that this process is gone."""
        read_end, lifeline = os.pipe()
        try:
            return await self._exec(read_end), lifeline
        except OSError as error:
            os.close(lifeline)
            raise ChildError(
                f"The {self._program.name} cannot be started: {error}.",
                f"See that there is space on the disk and that {self._program.log.parent} can be written to.",
            ) from error
        finally:
            os.close(read_end)

    async def _exec(self, lifeline: int) -> Process:
        self._program.log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(self._program.log, "ab", opener=_for_owner) as log:
            return await asyncio.create_subprocess_exec(
                *_python("core.children.guard", str(lifeline), self._program.rank),
                *_python(self._program.module),
                stdin=PIPE,
                stdout=PIPE,
                stderr=log,
                pass_fds=(lifeline,),
                start_new_session=True,
                limit=MAX_LINE,
                env={**_without_tokens(os.environ), **self._program.environment, MARK: self._mark},
            )

    async def _accompany(self, guard: Process, report: Callable[[M], None]) -> None:
        """Until the child closes its side of the channel, or is given up, or the guard is gone."""
        await self.send(self._program.start)
        assert guard.stdin is not None
        assert guard.stdout is not None
        if self._stopping:
            guard.stdin.close()
        reading = asyncio.ensure_future(self._read(guard, guard.stdout, report))
        watching = asyncio.ensure_future(self._watch(guard))
        ends: set[asyncio.Future[Any]] = {reading, watching, self._given_up}
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                reading.result()
                self._closed = True
        finally:
            reading.cancel()
            watching.cancel()

    async def _read(self, guard: Process, lines: asyncio.StreamReader, report: Callable[[M], None]) -> None:
        while line := await self._next_line(lines):
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
        """Whether it names a process of ours, or one that has ended already: others are not ours to stop."""
        is_ours = processes.is_below(guard.pid, hello.pid) if processes.listable() else True
        self.child = hello.pid if is_ours else None
        return is_ours is not False

    async def _next_line(self, lines: asyncio.StreamReader) -> bytes:
        try:
            return await lines.readline()
        except ValueError:  # longer than the reader's limit
            return b"too long"

    def _note(self, message: M) -> None:
        self._silence = 0.0
        self._allowed_silence = self._patience.silence
        if isinstance(message, Heartbeat):
            self._idle = min(message.idle_seconds, self._running)
        elif isinstance(message, Failed):
            self._failure = message

    async def _watch(self, guard: Process) -> None:
        """Count ticks instead of reading a clock: while this process is frozen itself, no silence adds up."""
        while self._silence < self._allowed_silence and self._idle < self._patience.idle:
            if self._let_go.is_set():
                await asyncio.sleep(self._patience.tick)
                self._silence += self._patience.tick * (_STARVED_PACE if self._is_starved() else 1.0)
                self._running += self._patience.tick
            else:
                await self._until_let_go(_LOOK_WHILE_HELD)
            if guard.returncode is not None:
                await asyncio.sleep(self._patience.leaving)  # for what the channel still holds
                return
        self._give_up(Ending.HUNG)

    def _is_starved(self) -> bool:
        """Whether others had the processor since the last look; nobody looks before a heartbeat was missed."""
        if self.child is None or self._silence < _WORTH_A_LOOK * self._allowed_silence:
            return False
        before, self._waited = self._waited, self._starved(self.child)
        return self._waited - before > _STARVED * self._patience.tick

    async def _until_let_go(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._let_go.wait()

    def _give_up(self, ending: Ending) -> None:
        if not self._given_up.done():
            self._given_up.set_result(ending)

    async def _leave_nothing(self, guard: Process, lifeline: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            guard.send_signal(signal.SIGCONT)  # a frozen guard could not sweep up
        if self._closed:
            await self._has_ended(guard)
        os.close(lifeline)
        if not await self._has_ended(guard):
            os.killpg(guard.pid, signal.SIGKILL)
            await self._has_ended(guard)
        await self._kill_strays(guard.pid)
        if guard.returncode is None or guard.returncode < 0:
            _remove_folder(guard.pid)
        if guard.stdin:
            guard.stdin.close()

    async def _has_ended(self, guard: Process) -> bool:
        """Whether it has, waited for as long as the guard may take."""
        waited = 0.0
        while guard.returncode is None and waited < self._patience.leaving:
            await asyncio.sleep(_POLL)
            waited += _POLL
        return guard.returncode is not None

    async def _kill_strays(self, session: int) -> None:
        """End what a killed guard left: its session at once, others after they had time to clean up."""
        waited = 0.0
        while strays := self._marked(MARK, self._mark):
            if waited >= self._patience.unkillable:
                _log.error("The system cannot end %s.", [stray.pid for stray in strays])
                self._is_stuck = True
                return
            for stray in strays:
                if stray.session == session or waited >= self._patience.leaving:
                    processes.kill(stray.pid)
            await asyncio.sleep(_SCAN)
            waited += _SCAN

    def _outcome(self, guard: Process) -> Outcome:
        given_up = self._given_up.result() if self._given_up.done() else None
        status = guard.returncode if guard.returncode is not None else 128 + signal.SIGKILL
        status = status if status >= 0 else 128 - status
        given_up = Ending.STUCK if self._is_stuck else given_up
        ending = judge(given_up, self._failure, self._stopping, status)
        return Outcome(self._program.name, ending, status, self._program.log, self._failure)


def _remove_folder(guard: int) -> None:
    """What a guard that was killed could not take away: sockets above all."""
    for folder in Path(gettempdir()).glob(f"{folder_prefix(guard)}*"):
        shutil.rmtree(folder, ignore_errors=True)


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _without_tokens(environment: Mapping[str, str]) -> dict[str, str]:
    """No child is given a token that it was not meant to have."""
    return {name: value for name, value in environment.items() if name not in _SECRETS}


def _python(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", module, *arguments]  # -P: no module of the working directory is ours
