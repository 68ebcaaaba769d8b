"""Stands between a supervisor and one child process, and leaves nothing of it behind, whatever dies first.

    python -m core.children.guard LIFELINE PRIORITY COMMAND...

The guard leads the process group, adopts every orphan below it, and kills all of its descendants once the
command ends, once the supervisor's end of the socket whose descriptor is LIFELINE is closed, or once it is ordered to
terminate. PRIORITY is ``idle`` or a niceness, for `core.children.priority`. If the supervisor is killed while the
guard is frozen, the kernel wakes the guard up (SIGCONT); if the guard is killed, the kernel kills the command and
what `core.children.parent_death` ties to it. The exit status is the command's, or 128 + its signal. The guard also
writes it to the socket: an exit status can be read only once, and another part of the supervisor may do so first.
"""

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from core.children import guard_folder, parent_death, priority, processes
from core.children.processes import Process

CANNOT_START = 127
_ENDING = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
_POLL = 0.05
_LONGEST_PAUSE = 10.0
"""Seconds between two looks at a process that cannot be ended, since it hangs in a driver."""


def main(arguments: Sequence[str]) -> int:
    """Run a command behind the guard, and return its exit status, or 128 + its signal.

    ``arguments`` are LIFELINE, PRIORITY and COMMAND of the command line.
    """
    lifeline, rank, command = int(arguments[0]), arguments[1], arguments[2:]
    parent_death.signal_on_parent_death(signal.SIGCONT)
    parent_death.adopt_orphans()
    wake_up = _wake_up_on_signals()
    os.set_inheritable(lifeline, False)
    guard_folder.remove_left_behind()  # before the command needs space on that disk
    with guard_folder.own_folder() as folder:
        os.environ["TMPDIR"] = folder  # sockets and the like of whatever is killed below go with it
        child = _start(command, rank)
        _leave_channel_to_child()
        ended = _wait_for_end(child, lifeline, wake_up)
        ended |= _kill_descendants()
    _remove_shared_memory(ended)
    status = os.waitstatus_to_exitcode(ended[child])
    status = status if status >= 0 else 128 - status
    with contextlib.suppress(OSError):  # the supervisor is gone
        os.write(lifeline, b"%d" % status)
    return status


def _wake_up_on_signals() -> int:
    """Return a descriptor that yields a byte for every signal that concerns the guard."""
    read_end, write_end = os.pipe()
    for end in (read_end, write_end):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(write_end)
    for number in (signal.SIGCHLD, *_ENDING):
        signal.signal(number, lambda *_: None)
    return read_end


def _start(command: Sequence[str], rank: str) -> int:
    guard = os.getpid()
    child = os.fork()
    if child:
        return child
    try:
        parent_death.signal_on_parent_death(signal.SIGKILL)
        if os.getppid() == guard:
            if rank == "idle":
                priority.lower()
            elif niceness := int(rank):
                priority.give_way(niceness)
            os.execvp(command[0], list(command))
    finally:
        os._exit(CANNOT_START)


def _leave_channel_to_child() -> None:
    """Close standard input and output, so that the supervisor sees the child's end of them."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)


def _wait_for_end(child: int, lifeline: int, wake_up: int) -> dict[int, int]:
    """Wait until the child ends or is to end; return the statuses of all that ended so far."""
    ended: dict[int, int] = {}
    while child not in ended:
        readable, _, _ = select.select([lifeline, wake_up], [], [])
        if lifeline in readable and not os.read(lifeline, 1):
            break
        if wake_up in readable and _ENDING.intersection(os.read(wake_up, 512)):
            break
        ended |= _reap()[0]
    return ended


def _reap() -> tuple[dict[int, int], bool]:
    """Return the statuses of processes that have ended, and true if others are left."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended, False
        if pid == 0:
            return ended, True
        ended[pid] = status


def _kill_descendants() -> dict[int, int]:
    """SIGKILL descendants, and those that they leave behind, until there is none; return their statuses."""
    if not processes.listable():
        os.killpg(0, signal.SIGKILL)  # without a table: end the whole group, this process included
    (ended, left), pause = _reap(), _POLL
    while left or (not parent_death.ADOPTS_ORPHANS and _members()):
        for process in _members():
            processes.kill(process.pid)
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
        newly_ended, left = _reap()
        ended |= newly_ended
    return ended


def _members() -> list[Process]:
    """Return the descendants and, where orphans are not adopted, all others of the guard's session."""
    own, table = os.getpid(), processes.running()
    found = processes.below(own, table)
    if parent_death.ADOPTS_ORPHANS:
        return found
    return found + [each for each in table if each.session == own and each.pid != own and each not in found]


def _remove_shared_memory(pids: Iterable[int]) -> None:
    """Do what torch's own cleaner would have done two seconds after the last process that shares tensors."""
    for pid in pids:
        for segment in Path("/dev/shm").glob(f"torch_{pid}_*"):
            segment.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
