"""Keeps the system from going to sleep by itself, by a lock of the system's that ends with this process.

Such a lock is about sleep alone: the screen may turn off, and programs that wait for an idle user are not held up.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from client.api.errors import WakeLockError

APPLICATION = "Idlebrush"
"""Name by which the system lists the lock, and by which our own lock is told from those of other programs."""
REASON = "Training"


@dataclass(frozen=True)
class KeptAwake:
    """A system that is kept awake, and by which services."""

    by: str
    """Names of the services that do so."""
    is_sure: bool = True
    """False if the desktop may put the system to sleep all the same."""


class WakeLock(Protocol):
    """Lock of one system; all methods may block, and are called from one thread, which lives as long as the lock."""

    def hold(self) -> KeptAwake:
        """Keep the system awake until `release`, and return what does so.

        It is called again while the lock is held, and then takes what was lost meanwhile.

        Raises:
            ClientError: The system refuses.
        """

    def release(self) -> None:
        """Let the system sleep again; without a lock, do nothing.

        Raises:
            ClientError: The system refuses.
        """


class NoWakeLock:
    """The lock of a system that has none."""

    def hold(self) -> KeptAwake:
        """Raise WakeLockError."""
        raise WakeLockError(
            "Idlebrush cannot keep this system awake.", "Change the system's settings for sleep."
        )

    def release(self) -> None:
        """Do nothing."""


def wake_lock_of(environment: Mapping[str, str], platform: str = sys.platform) -> WakeLock:
    """Return the lock of a system.

    Only the modules of that system are imported: others need packages that are not installed here.

    Args:
        environment: Environment of the user's session.
        platform: Name of the system, as ``sys.platform`` has it.
    """
    if platform == "win32":
        from client.machine.wake_lock.windows import WindowsWakeLock

        return WindowsWakeLock()
    if platform == "darwin":
        from client.machine.wake_lock.macos import MacWakeLock

        return MacWakeLock()
    if platform == "linux":
        from client.machine.wake_lock.linux import LinuxWakeLock

        return LinuxWakeLock(environment)
    return NoWakeLock()
