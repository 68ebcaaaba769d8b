"""The containment of a child process: nothing of the child outlives it, or the process that started it.

POSIX systems have no such thing; there a guard, a process of ours, does it (`guarded`). Windows has the Job Object
(`windows.job`).
"""

import sys
from asyncio import StreamReader
from typing import Protocol

from core.children.program import Patience, Program


class ChildInput(Protocol):
    """Standard input of a child; an `asyncio.StreamWriter` is one."""

    def write(self, data: bytes) -> None:
        """Send ``data`` as soon as the child takes it."""

    async def drain(self) -> None:
        """Wait until not much is left to send; raises ConnectionError if the child takes no more."""

    def close(self) -> None:
        """End the input after what was written."""


class ContainedChild(Protocol):
    """One child process with all that it has started, and their end."""

    @property
    def input(self) -> ChildInput:
        """Standard input of the child."""

    @property
    def output(self) -> StreamReader:
        """Standard output of the child."""

    @property
    def has_ended(self) -> bool:
        """True once the child has ended, or the guard before it."""

    @property
    def status(self) -> int:
        """Exit status of the child after `leave_nothing`; above 128 it is 128 + the signal that ended the child."""

    def family(self) -> list[int]:
        """Return the process ids of the child and of all that descends from it, as of now."""

    def owns(self, pid: int) -> bool | None:
        """Return true if the process ``pid`` is the child or descends from it; None if there is no such process."""

    async def leave_nothing(self, *, in_order: bool) -> bool:
        """End all that is left of the child, remove its temporary folder, and return true if nothing is left.

        ``in_order`` is true if the child has closed the channel and may be about to end.
        """


class Contain(Protocol):
    """Function that starts a child within a containment."""

    async def __call__(self, program: Program, patience: Patience) -> ContainedChild:
        """Start ``program``.

        Of the time limits ``patience``, ``leaving`` and ``unkillable`` count here. Raises ChildError if the program
        cannot be started.
        """


def containment(platform: str = sys.platform) -> Contain:
    """Return the containment of ``platform``, one of the names of `sys.platform`."""
    if platform == "win32":
        from core.children.windows.job import JobChild

        return JobChild.start
    from core.children.guarded import GuardedChild

    return GuardedChild.start


def tie_children(platform: str = sys.platform) -> None:
    """Make the system end whatever this process starts with this process, where a containment leaves a gap.

    Call it once, in a process whose children never outlive it.

    Args:
        platform: One of the names of `sys.platform`.

    Raises:
        OSError: The system refuses it.
    """
    if platform == "win32":
        from core.children.windows import job

        job.tie_children()
