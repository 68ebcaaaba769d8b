"""Runs a command in which no process may change a priority, as in a strict container; Linux only."""

import ctypes
import errno
import os
import platform
import struct
import sys

FORBIDDEN = {"x86_64": (141, 144, 251), "aarch64": (140, 119, 30)}
"""The numbers of setpriority, sched_setscheduler and ioprio_set."""
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _FILTER = 38, 22, 2
_LOAD_NUMBER, _RETURN_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def forbid(numbers: tuple[int, ...]) -> None:
    """Have the kernel refuse these system calls to this process and all that it becomes or starts."""
    instructions = [(_LOAD_NUMBER, 0, 0, 0)]
    for index, number in enumerate(numbers):
        instructions.append((_RETURN_IF_EQUAL, len(numbers) - index, 0, number))
    instructions += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]
    code = b"".join(struct.pack("HBBI", *item) for item in instructions)
    libc = ctypes.CDLL(None, use_errno=True)
    program = _FilterProgram(len(instructions), code)
    for step in ((_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (_PR_SET_SECCOMP, _FILTER, ctypes.byref(program))):
        if libc.prctl(*step):
            raise OSError(ctypes.get_errno(), "the filter was refused")


if __name__ == "__main__":
    forbid(FORBIDDEN[platform.machine()])
    os.execvp(sys.argv[1], sys.argv[1:])
