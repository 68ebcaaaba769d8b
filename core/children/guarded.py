"""Containment on POSIX systems: the child runs behind a guard, which sweeps up below it, whatever dies first.

The kernel sends the parent-death signal (`parent_death`, on Linux), and the identifier in the environment of all
descendants finds the processes that both missed (`cleanup`).
"""

import secrets
import signal
import socket
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import Process
from typing import Self

from core.children import processes
from core.children.cleanup import Marked, Sweep
from core.children.program import Patience, Program
from core.children.spawning import spawn


class GuardedChild:
    """A child and its guard, to whose life the kernel ties the main thread of this process."""

    def __init__(
        self, guard: Process, lifeline: socket.socket, identifier: str, patience: Patience, marked: Marked
    ) -> None:
        """Take over what `start` has started.

        Args:
            guard: Process of the guard.
            lifeline: Socket whose other end the guard holds.
            identifier: Identifier in the environment of every process of the child.
            patience: Time limits in seconds, of which ``leaving`` and ``unkillable`` count here.
            marked: Finds the processes that have the identifier.
        """
        self._guard = guard
        self._sweep = Sweep(guard, lifeline, identifier, patience, marked)

    @classmethod
    async def start(cls, program: Program, patience: Patience, marked: Marked = processes.marked) -> Self:
        """Start ``program`` behind a guard; call it from the main thread.

        Args:
            program: Program to run.
            patience: Time limits, of which ``leaving`` and ``unkillable`` count here.
            marked: Finds the processes whose environment has the child's identifier, which is chosen here.

        Raises:
            ChildError: The guard cannot be started.
        """
        identifier = secrets.token_hex(16)
        guard, lifeline = await spawn(program, identifier)
        return cls(guard, lifeline, identifier, patience, marked)

    @property
    def input(self) -> StreamWriter:
        """Standard input of the child."""
        assert self._guard.stdin is not None
        return self._guard.stdin

    @property
    def output(self) -> StreamReader:
        """Standard output of the child."""
        assert self._guard.stdout is not None
        return self._guard.stdout

    @property
    def has_ended(self) -> bool:
        """True once the guard has ended."""
        return self._guard.returncode is not None

    @property
    def status(self) -> int:
        """Exit status of the child as the guard has written it, or else the guard's own."""
        if self._sweep.status is not None:
            return self._sweep.status
        status = self._guard.returncode if self._guard.returncode is not None else -signal.SIGKILL
        return status if status >= 0 else 128 - status

    def family(self) -> list[int]:
        """Return the process ids below the guard now; none once the guard has ended."""
        return [] if self.has_ended else processes.family(self._guard.pid)

    def owns(self, pid: int) -> bool | None:
        """Return true if the process ``pid`` descends from the guard; None if there is no such process.

        Where the table of processes cannot be read, each counts as a descendant.
        """
        return processes.is_below(self._guard.pid, pid) if processes.listable() else True

    async def leave_nothing(self, *, in_order: bool) -> bool:
        """End all that is left of the child; return true if nothing is left.

        ``in_order`` is true if the child has closed the channel and may be about to end.
        """
        return await self._sweep.leave_nothing(in_order=in_order)
