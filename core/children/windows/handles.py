"""Stops and wakes processes on Windows, thread by thread, by handles that always belong to the same process.

Tried with a stand-in for the system only.
"""

from collections.abc import Collection

from core.children.windows.win32 import (
    PROCESS_QUERY_LIMITED_INFORMATION,
    PROCESS_SUSPEND_RESUME,
    SYNCHRONIZE,
    Win32,
)

_RIGHTS = PROCESS_SUSPEND_RESUME | PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE


class SuspendingHandles:
    """Processes that were ours when they were taken, by process id.

    The system counts suspensions; these handles suspend a process once, so one call lets it go on.
    """

    def __init__(self, win32: Win32 | None = None) -> None:
        """Prepare to hold processes; ``win32`` has the calls of the system, None: as it has them."""
        self._win32 = win32 or Win32.of_system()
        self._handles: dict[int, int] = {}
        self._suspended: set[int] = set()

    @property
    def pids(self) -> Collection[int]:
        """Process ids of the processes that are held."""
        return self._handles.keys()

    def take(self, pid: int) -> None:
        """Begin to hold the process ``pid``, if it exists and is this user's."""
        if pid in self._handles:
            return
        try:
            handle = self._win32.open_process(pid, _RIGHTS)
        except OSError:  # another user's, or one that is about to end
            return
        if handle is not None:
            self._handles[pid] = handle

    def stop(self, pid: int) -> None:
        """Suspend the process ``pid``, if it is held and has not ended."""
        if pid in self._handles and pid not in self._suspended:
            if self._win32.suspend(self._handles[pid]):
                self._suspended.add(pid)
            else:
                self.drop(pid)

    def go_on(self, pid: int) -> None:
        """Let the process ``pid`` go on after `stop`, if it is held and has not ended."""
        if pid in self._suspended:
            self._suspended.discard(pid)
            if not self._win32.resume(self._handles[pid]):
                self.drop(pid)

    def cpu_seconds(self, pid: int) -> float:
        """Return the processor time in seconds that the process ``pid`` has used so far; 0.0 if it is not held."""
        return self._win32.cpu_seconds(self._handles[pid]) if pid in self._handles else 0.0

    def drop(self, pid: int) -> None:
        """Stop holding the process ``pid``, if it is held."""
        handle = self._handles.pop(pid, None)
        self._suspended.discard(pid)
        if handle is not None:
            self._win32.close(handle)

    def drop_ended(self) -> None:
        """Stop holding the processes that have ended."""
        for pid in [pid for pid, handle in self._handles.items() if self._win32.has_ended(handle)]:
            self.drop(pid)

    def close(self) -> None:
        """Stop holding all processes; those that are suspended stay so."""
        for pid in list(self._handles):
            self.drop(pid)
