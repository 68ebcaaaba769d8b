"""Leaves nothing of a child: the guard sweeps below it, and leftovers of a killed guard are found by identifier."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence

from core.children import guard_folder, processes
from core.children.processes import CHILD_VARIABLE
from core.children.program import Patience

_log = logging.getLogger(__name__)
_POLL = 0.05
_SCAN = 0.5
"""Seconds between two looks through all processes of the system."""

Marked = Callable[[str, str], Sequence[processes.Process]]
"""Function that returns the processes whose environment has a variable of that name and value."""


class Sweep:
    """Cleans up after the end of one child, or causes that end."""

    def __init__(
        self, guard: Process, lifeline: socket.socket, identifier: str, patience: Patience, marked: Marked
    ) -> None:
        """Prepare to clean up; `leave_nothing` does it.

        Args:
            guard: Process of the guard, which runs or has ended.
            lifeline: Socket whose other end the guard holds. The guard sweeps once this end is shut down, and
                writes the child's exit status to it.
            identifier: Value of the environment variable `core.children.processes.CHILD_VARIABLE` in every
                process of the child.
            patience: Time limits, of which ``leaving`` and ``unkillable`` count here.
            marked: Finds the processes that have the identifier.
        """
        self._guard, self._lifeline, self._identifier = guard, lifeline, identifier
        self._patience, self._marked = patience, marked
        self.status: int | None = None
        """Exit status of the child as the guard has written it; None: the guard was killed or could not start it."""

    async def leave_nothing(self, *, in_order: bool) -> bool:
        """End all that is left of the child; return true if nothing is left.

        The guard, at the end of its lifeline, kills the processes below it. ``in_order`` is true if the child
        has closed the channel and may be about to end.
        """
        guard = self._guard
        self._signal(os.kill, signal.SIGCONT)  # a frozen guard could not sweep up
        if in_order:
            await self._has_ended()
        self._lifeline.shutdown(socket.SHUT_WR)
        if not await self._has_ended():
            self._signal(os.killpg, signal.SIGKILL)
            await self._has_ended()
        self.status = _written(self._lifeline)
        is_clean = await self._kill_strays()
        guard_folder.remove_left_behind(guard.pid)
        if guard.stdin:
            guard.stdin.close()
        if is_clean and guard.stdout:
            await self._read_to_the_end(guard.stdout)
        return is_clean

    async def _read_to_the_end(self, output: asyncio.StreamReader) -> None:
        """Read what no reader wanted: a pipe that was held up would stay open until it is collected as garbage."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience.leaving):
                while await output.read(1 << 16):
                    pass

    def _signal(self, send: Callable[[int, int], None], number: signal.Signals) -> None:
        """Signal the guard itself: asyncio's `Process.send_signal` may collect its exit status and so lose it."""
        if self._guard.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                send(self._guard.pid, number)

    async def _has_ended(self) -> bool:
        """Return true if the guard ends within the time it may take."""
        waited = 0.0
        while self._guard.returncode is None and waited < self._patience.leaving:
            await asyncio.sleep(_POLL)
            waited += _POLL
        return self._guard.returncode is not None

    async def _kill_strays(self) -> bool:
        """End the processes that a killed guard left: its session at once, others after time to clean up."""
        waited = 0.0
        while strays := await self._strays():
            if waited >= self._patience.unkillable:
                _log.error("The system cannot end %s.", [stray.pid for stray in strays])
                return False
            for stray in strays:
                if stray.session == self._guard.pid or waited >= self._patience.leaving:
                    processes.kill(stray.pid)
            await asyncio.sleep(_SCAN)
            waited += _SCAN
        return True

    async def _strays(self) -> Sequence[processes.Process]:
        """Return the marked processes; look at least twice if the guard did not sweep.

        A process at its `exec` has no environment, and so no identifier: while there is one, it may be the child's.
        """
        waited = 0.0
        while True:
            is_unclear = processes.any_at_exec()  # before the look: it may have an environment after it
            found = self._marked(CHILD_VARIABLE, self._identifier)
            is_settled = waited > 0 and not is_unclear
            if found or is_settled or self.status is not None or waited >= self._patience.leaving:
                return found
            await asyncio.sleep(_POLL)
            waited += _POLL


def _written(lifeline: socket.socket) -> int | None:
    """Return the exit status that the guard has written; None if it has written none."""
    lifeline.setblocking(False)
    try:
        written = lifeline.recv(16)
    except (BlockingIOError, ConnectionResetError):
        return None
    finally:
        lifeline.close()
    return int(written) if written else None
