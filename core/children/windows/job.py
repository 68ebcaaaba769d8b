"""Containment on Windows: the child and all that it starts belong to a Job Object that only this process has open.

The child is started suspended and joins the job before its first instruction, so nothing that it starts is outside.
The system ends the whole job once this process has ended, however it ends. No guard is needed. Tried under Wine,
and with a stand-in for the system.
"""

import asyncio
import contextlib
import os
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Self

from core.children import logs
from core.children.program import Patience, Program
from core.children.spawning import command_of, environment_of, starting
from core.children.windows.folder import ChildFolder, remove_left_behind
from core.children.windows.win32 import (
    BELOW_NORMAL_PRIORITY_CLASS,
    CREATE_NEW_PROCESS_GROUP,
    CREATE_NO_WINDOW,
    CREATE_SUSPENDED,
    IDLE_PRIORITY_CLASS,
    PROCESS_SET_QUOTA,
    PROCESS_SUSPEND_RESUME,
    PROCESS_TERMINATE,
    SYNCHRONIZE,
    Win32,
)
from core.messages.lines import MAX_LINE

_POLL = 0.05
_KILLED = 128 + 9
"""Exit status of what is ended by us, as of a process that SIGKILL ends."""
_ASSIGNING = PROCESS_SET_QUOTA | PROCESS_TERMINATE | PROCESS_SUSPEND_RESUME

Spawn = Callable[..., Awaitable[Process]]
"""The like of `asyncio.create_subprocess_exec`."""


def tie_children(win32: Win32 | None = None) -> None:
    """Make the system end whatever this process starts from now on once this process has ended.

    A child that was started and is not yet in a job of its own would be left otherwise. This process joins the job as
    well, so whatever is to outlive it, as an installer, has to be started with CREATE_BREAKAWAY_FROM_JOB.

    Args:
        win32: Calls of the system; None: as it has them.

    Raises:
        OSError: The system refuses it.
    """
    win32 = win32 or Win32.of_system()
    own = win32.open_process(os.getpid(), _ASSIGNING)
    assert own is not None, "this process runs"
    try:
        win32.assign(win32.create_job(may_leave=True), own)  # whose handle is closed with this process
    finally:
        win32.close(own)


class JobChild:
    """A child in a Job Object of its own."""

    def __init__(
        self, process: Process, job: int, folder: ChildFolder, win32: Win32, patience: Patience
    ) -> None:
        """Take over what `start` has made.

        Args:
            process: The child, which belongs to the job.
            job: The only handle of the job.
            folder: Temporary folder of the child.
            win32: Calls of the system.
            patience: Time limits, of which ``leaving`` and ``unkillable`` count here.
        """
        self._process, self._folder = process, folder
        self._job: int | None = job
        self._win32, self._patience = win32, patience

    @classmethod
    async def start(
        cls,
        program: Program,
        patience: Patience,
        win32: Win32 | None = None,
        spawn: Spawn = asyncio.create_subprocess_exec,
        temporary: Path | None = None,
    ) -> Self:
        """Start ``program`` in a job.

        Args:
            program: Program to run.
            patience: Time limits, of which ``leaving`` and ``unkillable`` count here.
            win32: Calls of the system; None: as it has them.
            spawn: Starts a process as `asyncio.create_subprocess_exec` does.
            temporary: Folder for temporary files; None: the system's.

        Raises:
            ChildError: The program cannot be started.
        """
        with starting(program), contextlib.ExitStack() as undo:
            win32 = win32 or Win32.of_system()
            await asyncio.to_thread(
                remove_left_behind, temporary
            )  # before the child needs space on that disk
            folder = ChildFolder.create(temporary)
            undo.callback(folder.remove)
            job = win32.create_job()
            undo.callback(win32.close, job)
            process = await _start_suspended(program, folder, spawn)
            undo.callback(_kill, process)
            _let_go_in(job, process.pid, win32)
            undo.pop_all()
        return cls(process, job, folder, win32, patience)

    @property
    def input(self) -> StreamWriter:
        """Standard input of the child."""
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def output(self) -> StreamReader:
        """Standard output of the child."""
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def has_ended(self) -> bool:
        """True once the child has ended."""
        return self._process.returncode is not None

    @property
    def status(self) -> int:
        """Exit status of the child; 137 if it was ended, or if the system could not end it."""
        return _KILLED if self._process.returncode is None else self._process.returncode

    def family(self) -> list[int]:
        """Return the process ids of the job's processes; none after `leave_nothing`."""
        return [] if self._job is None else self._win32.process_ids(self._job)

    def owns(self, pid: int) -> bool | None:
        """Return true if the process ``pid`` belongs to the job; None if there is no such process."""
        if pid in self.family():
            return True
        try:
            handle = self._win32.open_process(pid, SYNCHRONIZE)
        except OSError:  # another user's
            return False
        if handle is None:
            return None
        try:  # an ended process is there for as long as a handle to it is open
            return None if self._win32.has_ended(handle) else False
        finally:
            self._win32.close(handle)

    async def leave_nothing(self, *, in_order: bool) -> bool:
        """End all that is left of the child, remove its folder, and return true if nothing is left.

        ``in_order`` is true if the child has closed the channel and may be about to end.
        """
        win32, job = self._win32, self._job
        assert job is not None, "it is ended once"
        if in_order:
            await _comes_true(lambda: self.has_ended, self._patience.leaving)
        win32.terminate_job(job, _KILLED)
        is_clean = await _comes_true(lambda: win32.active_processes(job) == 0, self._patience.unkillable)
        await _comes_true(
            lambda: self.has_ended, self._patience.leaving
        )  # until the event loop has noticed it
        self.input.close()
        self._job = None
        win32.close(job)
        await asyncio.to_thread(self._folder.remove)
        return is_clean


async def _start_suspended(program: Program, folder: ChildFolder, spawn: Spawn) -> Process:
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder.path))
    with logs.appending(program.log) as log:
        return await spawn(
            *command_of(program),
            stdin=PIPE,
            stdout=PIPE,
            stderr=log,
            creationflags=CREATE_SUSPENDED | CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP | _priority(program),
            limit=MAX_LINE,
            env={**environment_of(program), **temporary},
        )


def _priority(program: Program) -> int:
    """Return the flag of the child's priority, which its own children inherit.

    A process may put itself into the background mode, too, but that leaves it 32 MB of RAM, more or less.
    """
    if program.is_idle:
        return IDLE_PRIORITY_CLASS
    return BELOW_NORMAL_PRIORITY_CLASS if program.niceness else 0


def _let_go_in(job: int, pid: int, win32: Win32) -> None:
    """Put a process that was started suspended into the job, and let it run."""
    handle = win32.open_process(pid, _ASSIGNING)
    if handle is None:
        raise ProcessLookupError(f"the process {pid} has ended before it began")
    try:
        win32.assign(job, handle)
        win32.resume(handle)
    finally:
        win32.close(handle)


def _kill(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()


async def _comes_true(condition: Callable[[], bool], seconds: float) -> bool:
    """Return true once ``condition`` holds, or false after ``seconds``."""
    waited = 0.0
    while not condition():
        if waited >= seconds:
            return False
        await asyncio.sleep(_POLL)
        waited += _POLL
    return True
