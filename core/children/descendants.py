"""Starts a command as a child of this process, and ends all that descends from this process.

Standard library only: a guard and the agent of a distribution import this module. POSIX systems alone have what it
calls.
"""

import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from core.children import parent_death, priority, processes
from core.children.processes import Process

CANNOT_START = 127
"""Exit status of a child whose command could not be started."""
_POLL = 0.05
_LONGEST_PAUSE = 10.0
"""Seconds between two looks at a process that cannot be ended, since it hangs in a driver."""


class EndedProcess(NamedTuple):
    """A process that has ended and was reaped."""

    status: int
    """Status by which it ended, as `os.waitpid` gives it."""
    reaped_at: float
    """Time in seconds since 1970 after which another process may have its id."""


def start(command: Sequence[str], rank: str, prepare: Callable[[], None] = lambda: None) -> int:
    """Start ``command``, which the kernel ends with this thread, and return its process id.

    Args:
        command: Program and arguments.
        rank: ``idle`` or a niceness, for `core.children.priority`.
        prepare: Called in the child before its priority changes, for its descriptors and its session.
    """
    parent = os.getpid()
    child = os.fork()
    if child:
        return child
    try:
        parent_death.signal_on_parent_death(signal.SIGKILL)
        if os.getppid() == parent:
            prepare()
            if rank == "idle":
                priority.lower()
            elif niceness := int(rank):
                priority.give_way(niceness)
            os.execvp(command[0], list(command))
    finally:
        os._exit(CANNOT_START)


def reap() -> tuple[dict[int, EndedProcess], bool]:
    """Return the children that have ended, by their ids, and true if others are left."""
    ended: dict[int, EndedProcess] = {}
    while True:
        try:
            pid = _any_ended()
            now = time.time()
            pid, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            return ended, False
        if pid <= 0:
            return ended, True
        ended[pid] = EndedProcess(status, now)


def _any_ended() -> int:
    """Return the id of a child that has ended, and that keeps its id until it is reaped; -1 if none is known.

    macOS cannot tell before Python 3.13, and has no /dev/shm for which it matters.
    """
    if not hasattr(os, "waitid"):
        return -1
    found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    return found.si_pid if found is not None else -1


def kill_all() -> dict[int, EndedProcess]:
    """SIGKILL descendants, and those that they leave behind, until there is none; return them by their ids."""
    if not processes.listable():
        os.killpg(0, signal.SIGKILL)  # without a table: end the whole group, this process included
    (ended, left), pause = reap(), _POLL
    while left or (not parent_death.ADOPTS_ORPHANS and _members()):
        for process in _members():
            processes.kill(process.pid)
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
        newly_ended, left = reap()
        ended |= newly_ended
    return ended


def exit_status(wait_status: int) -> int:
    """Return the exit status that ``wait_status`` stands for, or 128 + the signal that ended the process."""
    status = os.waitstatus_to_exitcode(wait_status)
    return status if status >= 0 else 128 - status


def remove_shared_memory(ended: Mapping[int, EndedProcess]) -> None:
    """Remove what processes shared that ``ended``, as torch's own cleaner does two seconds after the last of them.

    Their ids may be those of other programs by now, which would be ended by torch if they missed what they share.
    """
    for pid, process in ended.items():
        for segment in Path("/dev/shm").glob(f"torch_{pid}_*"):
            with suppress(OSError):  # it is gone, or another user's
                if segment.stat().st_ctime <= process.reaped_at:
                    segment.unlink()


def _members() -> list[Process]:
    """Return the descendants and, where orphans are not adopted, all others of this process's session."""
    own, table = os.getpid(), processes.running()
    found = processes.below(own, table)
    if parent_death.ADOPTS_ORPHANS:
        return found
    return found + [each for each in table if each.session == own and each.pid != own and each not in found]
