"""Gives a process a lower priority, or the lowest there is, for processor and disk; standard library only.

On Linux that is SCHED_IDLE, under which it runs only where nothing else wants to, and the idle class for disks;
elsewhere the largest niceness. What is started below inherits both. Desktops schedule by session first
(CONFIG_SCHED_AUTOGROUP), whatever the priorities within: therefore the session is lowered as well, which must be the
process's own or its parent's, and not one that a person works in.
"""

import ctypes
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

_LOWEST_NICENESS = 19
_SYS_IOPRIO_SET = {"x86_64": 251, "aarch64": 30, "riscv64": 30}
_WHO_PROCESS = 1
_IDLE_CLASS = 3 << 13  # linux/ioprio.h
_AUTOGROUP = Path("/proc/self/autogroup")
_ATTEMPTS = 20
_SECONDS_BETWEEN = 0.12
"""The kernel lets all users together change the niceness of one session every tenth of a second."""


def lower() -> None:
    """Lower the priority of this process as far as the system allows; a POSIX system's."""
    with suppress(OSError):
        os.nice(_LOWEST_NICENESS)
    if sys.platform == "linux":
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        _lower_disk()
        if os.getsid(0) in (os.getpid(), os.getppid()):
            lower_session(_AUTOGROUP)


def give_way(niceness: int) -> None:
    """Raise the niceness of this process by ``niceness`` (1 to 19).

    Others come first then, but it does not go short of the processor for long.
    """
    with suppress(OSError):
        os.nice(niceness)
    if sys.platform == "linux" and os.getsid(0) in (os.getpid(), os.getppid()):
        lower_session(_AUTOGROUP, niceness)


def lower_session(autogroup: Path, niceness: int = _LOWEST_NICENESS) -> None:
    """Lower the session with the file ``autogroup`` to ``niceness``.

    A kernel without such files has no need of it, and errors are ignored.
    """
    for _ in range(_ATTEMPTS):
        try:
            autogroup.write_text(str(niceness), encoding="ascii")
        except BlockingIOError:
            time.sleep(_SECONDS_BETWEEN)
        except OSError:
            return
        else:
            return


def _lower_disk() -> None:
    # glibc has no function for it, and each architecture its own number
    if number := _SYS_IOPRIO_SET.get(os.uname().machine):
        ctypes.CDLL(None).syscall(number, _WHO_PROCESS, 0, _IDLE_CLASS)


_SPINS = 1000
"""Turns for which a thread of GNU's library waits for others spinning before it sleeps, instead of 300,000.

It is what the library itself chooses where it knows that there are more threads than cores.
"""


def waiting_threads(threads: int) -> dict[str, str]:
    """Return the environment of a process with a number of ``threads`` that do not wait for each other spinning.

    A thread that spins keeps its core from the one that it waits for, which another program keeps from its own core:
    of two threads at the lowest priority, both stand still for as long as that lasts. Other systems' libraries ignore
    it.
    """
    return {"OMP_NUM_THREADS": str(threads), "GOMP_SPINCOUNT": str(_SPINS)}
