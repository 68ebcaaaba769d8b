"""Keeps Windows awake by the execution state of a thread; tried with a stand-in for Windows' libraries only.

Windows undoes the state when the thread ends. The flags are those of SetThreadExecutionState (winbase.h); the one
that keeps the display on is not among them.
"""

from ctypes import c_uint32

from client.api.errors import WakeLockError
from client.machine.wake_lock.lock import KeptAwake
from client.machine.windows.libraries import Libraries, SystemLibraries

_CONTINUOUS, _SYSTEM_REQUIRED = 0x80000000, 0x00000001
_FUNCTION = "SetThreadExecutionState"


class WindowsWakeLock:
    """The lock of the thread that calls it, which has to live as long as the lock."""

    def __init__(self, libraries: Libraries | None = None) -> None:
        """Prepare to call `libraries`; None: the system's."""
        self._libraries = libraries or SystemLibraries()

    def hold(self) -> KeptAwake:
        """Say that the system is required; raises WakeLockError if Windows refuses."""
        self._set(_CONTINUOUS | _SYSTEM_REQUIRED)
        return KeptAwake("Windows power manager")

    def release(self) -> None:
        """Say that it is required no longer; raises WakeLockError if Windows refuses."""
        self._set(_CONTINUOUS)

    def _set(self, state: int) -> None:
        try:
            before = self._libraries.function("kernel32", _FUNCTION, c_uint32, c_uint32)(state)
        except OSError as error:
            raise _refused(str(error)) from error
        if not before:
            raise _refused(f"{_FUNCTION} failed")


def _refused(why: str) -> WakeLockError:
    return WakeLockError(
        f"The system is not kept awake: {why}.", "Change Windows' settings for sleep, under Power & battery."
    )
