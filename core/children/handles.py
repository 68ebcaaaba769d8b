"""Signals processes, not process ids: a handle is of one process for ever, its number may soon be another's."""

import os
import signal
from collections.abc import Collection
from signal import Signals


class Handles:
    """Processes that were ours when they were taken, by process id.

    Where the kernel has no handles (Linux has them since 5.3), the process id has to do.
    """

    def __init__(self) -> None:
        self._files: dict[int, int | None] = {}

    @property
    def pids(self) -> Collection[int]:
        return self._files.keys()

    def take(self, pid: int) -> None:
        """Begin to hold a process, if it is there."""
        if pid in self._files:
            return
        try:
            self._files[pid] = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None
        except ProcessLookupError:
            return
        except OSError:  # no such call, or no file left
            self._files[pid] = None

    def send(self, pid: int, number: Signals) -> None:
        """Signal a process, if it is held and still there."""
        if not self._reaches(pid, number):
            self.drop(pid)

    def drop(self, pid: int) -> None:
        file = self._files.pop(pid, None)
        if file is not None:
            os.close(file)

    def drop_ended(self) -> None:
        """Hold those alone that are still there."""
        for pid in list(self._files):
            if not self._reaches(pid, 0):
                self.drop(pid)

    def close(self) -> None:
        for pid in list(self._files):
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
