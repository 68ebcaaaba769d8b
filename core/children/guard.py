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
from collections.abc import Sequence

from core.children import descendants, guard_folder, parent_death

_ENDING = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}


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
        child = descendants.start(command, rank)
        _leave_channel_to_child()
        ended = _wait_for_end(child, lifeline, wake_up)
        ended |= descendants.kill_all()
    descendants.remove_shared_memory(ended)
    status = descendants.exit_status(ended[child].status)
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


def _leave_channel_to_child() -> None:
    """Close standard input and output, so that the supervisor sees the child's end of them."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)


def _wait_for_end(child: int, lifeline: int, wake_up: int) -> dict[int, descendants.EndedProcess]:
    """Wait until the child ends or is to end; return all that ended so far."""
    ended: dict[int, descendants.EndedProcess] = {}
    while child not in ended:
        readable, _, _ = select.select([lifeline, wake_up], [], [])
        if lifeline in readable and not os.read(lifeline, 1):
            break
        if wake_up in readable and _ENDING.intersection(os.read(wake_up, 512)):
            break
        ended |= descendants.reap()[0]
    return ended


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
