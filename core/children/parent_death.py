"""Ties a process, and every process that it forks, to the life of its parent, so that no orphan computes on.

The kernel sends the signal (Linux: `PR_SET_PDEATHSIG`), therefore it reaches frozen processes too. It is
bound to the parent's *thread* that forked, so only forks of a main thread are tied; a fork made by another
thread is left to the guard's sweep. Other systems have no such call: there all is left to the guard.
"""

import ctypes
import os
import signal
import sys
import threading

ADOPTS_ORPHANS = sys.platform == "linux"
"""True where `adopt_orphans` works."""
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


class _Forking(threading.local):
    """The process about to fork; the child keeps the thread-local value of the thread that forked."""

    parent: int = 0
    by_main_thread: bool = False


_forking = _Forking()


def signal_on_parent_death(number: signal.Signals) -> None:
    """Make the kernel send `number` to this process once the thread that started it is gone.

    This survives `exec`.
    """
    _prctl(_PR_SET_PDEATHSIG, number)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent dies, on Linux."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def tie_forks() -> None:
    """Let every process that this one forks from now on, and those that they fork, die with its parent."""
    if hasattr(os, "register_at_fork"):  # Windows has no forks
        os.register_at_fork(before=_note_parent, after_in_child=_tie)


def _prctl(option: int, argument: int) -> None:
    if sys.platform == "linux":
        _libc().prctl(option, argument, 0, 0, 0)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def _note_parent() -> None:
    _forking.parent = os.getpid()
    _forking.by_main_thread = threading.get_native_id() == os.getpid()


def _tie() -> None:
    if not _forking.by_main_thread:
        return
    signal_on_parent_death(signal.SIGKILL)
    if os.getppid() != _forking.parent:  # it died before the kernel was asked
        os.kill(os.getpid(), signal.SIGKILL)
