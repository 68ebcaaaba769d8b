"""Reads the table of processes by psutil, on systems without /proc: Windows and macOS. Tried on Linux only.

What the system does not tell of a process, such as another user's environment, counts as not there. Processes come
and go meanwhile: one that is gone is left out, and nothing here raises for it.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator

import psutil

from core.children.processes import HeldMemory, Process, below


def running() -> list[Process]:
    """Return all processes; the parent is 0 where the system does not tell it.

    A process whose parent has ended keeps that parent's id on Windows, where another process may come to have it.
    """
    return [
        Process(found.pid, found.info["ppid"] or 0, _session(found.pid), found.info["name"] or "")
        for found in psutil.process_iter(["ppid", "name"])
    ]


def family(root: int) -> list[int]:
    """Return the process ids below ``root``, for which all processes are listed."""
    return [process.pid for process in below(root, running())]


def is_below(root: int, pid: int) -> bool | None:
    """Return true if the process ``pid`` descends from ``root``; None if there is no such process."""
    try:
        return any(parent.pid == root for parent in psutil.Process(pid).parents())
    except psutil.NoSuchProcess:
        return None
    except psutil.AccessDenied:
        return False


def memory_held(pids: Iterable[int]) -> HeldMemory:
    """Add up the memory that each of the processes ``pids`` has for itself (USS), and the most that one shares.

    Programs and libraries are shared by all processes that run them; pages that only two of three share are missed.
    """
    sizes = list(_sizes(pids))
    return HeldMemory(
        sum(own for own, _ in sizes) + max((shared for _, shared in sizes), default=0), is_exact=False
    )


def marked(variable: str, value: str) -> list[Process]:
    """Return the processes of this user whose environment has ``variable`` with ``value``."""
    return [process for process in running() if _environment(process.pid).get(variable) == value]


def cpu_seconds(pid: int) -> float:
    """Return the processor time in seconds that the process ``pid`` has used so far; 0.0 once it is gone."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def _session(pid: int) -> int:
    """Return the session of a process; 0 where there are none (Windows) or the system does not tell."""
    if hasattr(os, "getsid"):
        with contextlib.suppress(OSError):
            return os.getsid(pid)
    return 0


def _sizes(pids: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the bytes that each process has for itself and those that it shares; a process may not be readable."""
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(pid)
            try:
                memory = process.memory_full_info()
            except (psutil.AccessDenied, OSError):  # macOS and Wine report the whole of a process alone
                yield process.memory_info().rss, 0
            else:
                yield memory.uss, max(0, memory.rss - memory.uss)


def _environment(pid: int) -> dict[str, str]:
    try:
        return psutil.Process(pid).environ()
    except (psutil.Error, OSError):
        return {}
