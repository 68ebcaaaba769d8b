"""Stops and wakes processes by handles, not by process ids.

A handle always belongs to the same process, whereas the system uses process ids again.
"""

import os
import signal
import sys
from collections.abc import Collection
from typing import Protocol

from core.children import processes


class ProcessHandles(Protocol):
    """Processes that were ours when they were taken, by process id."""

    @property
    def pids(self) -> Collection[int]:
        """Process ids of the processes that are held."""

    def take(self, pid: int) -> None:
        """Begin to hold the process ``pid``, if it exists."""

    def stop(self, pid: int) -> None:
        """Stop the process ``pid`` in whatever it does, if it is held and has not ended."""

    def go_on(self, pid: int) -> None:
        """Let the process ``pid`` go on after `stop`, if it is held and has not ended."""

    def drop(self, pid: int) -> None:
        """Stop holding the process ``pid``, if it is held."""

    def drop_ended(self) -> None:
        """Stop holding the processes that have ended."""

    def close(self) -> None:
        """Stop holding all processes."""

    def cpu_seconds(self, pid: int) -> float:
        """Return the processor time in seconds that the process ``pid`` has used so far; 0.0 once it is gone."""


def handles_of_system(platform: str = sys.platform) -> ProcessHandles:
    """Return the handles of ``platform``, one of the names of `sys.platform`."""
    if platform == "win32":
        from core.children.windows.handles import SuspendingHandles

        return SuspendingHandles()
    return Handles()


class Handles:
    """Handles of a POSIX system.

    Where the kernel has no handles (Linux has them since 5.3), the process id has to do.
    """

    def __init__(self) -> None:
        self._files: dict[int, int | None] = {}

    @property
    def pids(self) -> Collection[int]:
        """Process ids of the processes that are held."""
        return self._files.keys()

    def take(self, pid: int) -> None:
        """Begin to hold the process ``pid``, if it exists."""
        if pid in self._files:
            return
        try:
            self._files[pid] = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None
        except ProcessLookupError:
            return
        except OSError:  # no such call, or no file left
            self._files[pid] = None

    def stop(self, pid: int) -> None:
        """Send SIGSTOP to the process ``pid``, if it is held and has not ended."""
        self._send(pid, signal.SIGSTOP)

    def go_on(self, pid: int) -> None:
        """Send SIGCONT to the process ``pid``, if it is held and has not ended."""
        self._send(pid, signal.SIGCONT)

    def cpu_seconds(self, pid: int) -> float:
        """Return the processor time in seconds that the process ``pid`` has used so far; 0.0 once it is gone."""
        return processes.cpu_seconds(pid)

    def drop(self, pid: int) -> None:
        """Stop holding the process ``pid``, if it is held."""
        file = self._files.pop(pid, None)
        if file is not None:
            os.close(file)

    def drop_ended(self) -> None:
        """Stop holding the processes that have ended."""
        for pid in list(self._files):
            if not self._reaches(pid, 0):
                self.drop(pid)

    def close(self) -> None:
        """Stop holding all processes."""
        for pid in list(self._files):
            self.drop(pid)

    def _send(self, pid: int, number: signal.Signals) -> None:
        if not self._reaches(pid, number):
            self.drop(pid)

    def _reaches(self, pid: int, number: int) -> bool:
        if pid not in self._files:
            return False
        file = self._files[pid]
        try:
            if file is None:
                os.kill(pid, number)
            else:
                signal.pidfd_send_signal(file, number)
        except ProcessLookupError:
            return False
        return True
