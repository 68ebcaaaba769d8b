"""Gives a process the lowest priority there is, for processor and disk; standard library only.

On Linux that is SCHED_IDLE, under which it runs only where nothing else wants to, and the idle class for disks;
elsewhere the largest niceness. What is started below inherits both.
"""

import ctypes
import os
import platform
import sys

_LOWEST_NICENESS = 19
_SYS_IOPRIO_SET = {"x86_64": 251, "aarch64": 30, "riscv64": 30}
_WHO_PROCESS = 1
_IDLE_CLASS = 3 << 13  # linux/ioprio.h


def lower() -> None:
    """Lower this process as far as the system lets it; where it does not, it stays as it is."""
    os.nice(_LOWEST_NICENESS)
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        _lower_disk()


def _lower_disk() -> None:
    # glibc has no function for it, and each architecture its own number
    if number := _SYS_IOPRIO_SET.get(platform.machine()):
        ctypes.CDLL(None).syscall(number, _WHO_PROCESS, 0, _IDLE_CLASS)
