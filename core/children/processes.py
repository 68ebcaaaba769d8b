"""Reads the system's table of processes: /proc, by the standard library alone, or else what psutil tells.

Processes come and go meanwhile: one that is gone is left out, and nothing here raises for it. A guard imports this
module, and has to work without psutil: where there is neither /proc nor psutil, the table is not `listable`. It is
quicker to import without dataclasses, and each child's guard does so.
"""

import os
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol

CHILD_VARIABLE = "IDLEBRUSH_CHILD"
"""Environment variable that every descendant of a child inherits; its value is that child's own identifier."""
_PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""Signal that ends a process at once; on Windows, `os.kill` does so (TerminateProcess) for any but two signals."""
_ENDED = (b"Z", b"X", b"x")
"""States of a process that has ended."""
_FLAGS, _CODE, _ENVIRONMENT_END = 6, 23, 48
"""Places of flags and addresses among the fields of /proc/PID/stat that follow the name."""
_UNREADABLE = b"1"
"""Address of the code of a process whose addresses the kernel hides; its others are 0."""
_KERNEL_THREAD = 0x200000
"""PF_KTHREAD, the flag of threads of the kernel's own."""
_NONE = 0
"""Parent of the first process, and of one whose parent is in another process id namespace."""
_WALKS = 3
"""Ways up to an ancestor before it counts as none: an ancestor that may not be seen ends each of them."""
_NO_SUCH_PROCESS = 87
"""ERROR_INVALID_PARAMETER, with which Windows answers for a process id that no process has."""


class Process(NamedTuple):
    """A process as the system's table of processes describes it."""

    pid: int
    parent: int
    """Process id of the parent; 0: it has none, or its parent is in another process id namespace."""
    session: int
    """Session id of the process; 0: the system has none, or does not report it."""
    name: str = ""
    """Name as the kernel keeps it: its first 15 bytes."""


def listable() -> bool:
    """Return true if the system's table of processes can be read."""
    return _has_proc() or _portable() is not None


def running() -> list[Process]:
    """Return all processes, including those that ended but were not collected yet."""
    if portable := _portable():
        return portable.running()
    return [process for pid in _pids() if (process := _read(pid))]


def below(root: int, processes: Sequence[Process]) -> list[Process]:
    """Return all descendants of the process id `root` among `processes`."""
    found: dict[int, Process] = {}
    generation = {root}
    while generation:
        children = {process.pid: process for process in processes if process.parent in generation}
        generation = children.keys() - found.keys()
        found |= children
    return list(found.values())


def family(root: int) -> list[int]:
    """Return the process ids below `root`, without a look at others; none where the system cannot tell.

    The kernel may leave out a child whose neighbour ends at that moment; another look finds it.
    """
    if portable := _portable():
        return portable.family(root)
    found: list[int] = []
    for task in _names(_PROC / str(root) / "task"):
        for child in map(int, _contents(root, f"task/{task}/children").split()):
            found += [child, *family(child)]
    return found


def is_below(root: int, pid: int, table: Path = _PROC) -> bool | None:
    """Return true if the process ``pid`` descends from the process id ``root``; None if there is no such process.

    An ancestor that ends on the way up leaves its children to another one, so that the way begins again. ``table``
    is the folder of the system's table of processes.
    """
    if portable := _portable():
        return portable.is_below(root, pid)
    for _ in range(_WALKS):
        process = _read(pid, table)
        if process is None:
            return None
        while process is not None and process.parent not in (root, _NONE):
            process = _read(process.parent, table)
        if process is not None:
            return process.parent == root
    return False


class HeldMemory(NamedTuple):
    """RAM that processes hold together."""

    size: int
    """Size of the memory in bytes."""
    is_exact: bool
    """True if a page that several of them share counts once; otherwise the size is an estimate, usually too large."""


def memory_held(pids: Iterable[int], table: Path = _PROC) -> HeldMemory:
    """Add up the proportional set sizes (PSS) of processes.

    A page that n processes share counts as 1/n in each. This takes up to 0.1 s for each 2 GB: too long for an
    event loop. Where the kernel has no such sizes (Linux before 4.14), the resident memory of the processes
    is added up, with files and shared memory counted only as far as the process that has most of them; pages
    that a fork shares then count twice. Other systems have no such sizes either; see `portable_processes`.

    Args:
        pids: Process ids.
        table: Folder of the system's table of processes.
    """
    known = list(pids)
    if portable := _portable():
        return portable.memory_held(known)
    proportional = [_proportional(pid, table) for pid in known]
    resident = [_resident(pid, table) for pid in known]  # after the other: what has ended meanwhile has none
    if all(size is not None or not whole for size, (whole, _) in zip(proportional, resident, strict=True)):
        return HeldMemory(sum(size or 0 for size in proportional), is_exact=True)
    private = sum(whole - shared for whole, shared in resident)
    return HeldMemory(private + max(shared for _, shared in resident), is_exact=False)


def _proportional(pid: int, table: Path) -> int | None:
    """Return the bytes of a process's proportional set; None if it has ended or the kernel does not tell."""
    for line in _contents(pid, "smaps_rollup", table).splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return None


def _resident(pid: int, table: Path) -> tuple[int, int]:
    """Return the resident bytes of a process, and those among them of files and shared memory."""
    fields = _contents(pid, "statm", table).split()
    return (int(fields[1]) * _PAGE, int(fields[2]) * _PAGE) if fields else (0, 0)


def marked(variable: str, value: str) -> list[Process]:
    """Return the processes of this user whose environment has ``variable`` with ``value``.

    They were started with it, or have inherited it.
    """
    if portable := _portable():
        return portable.marked(variable, value)
    setting = os.fsencode(f"{variable}={value}")
    return [
        process
        for pid in _pids()
        if setting in _contents(pid, "environ").split(b"\0") and (process := _read(pid))
    ]


def any_at_exec() -> bool:
    """Return true if a process that this one may read is in the middle of its `exec`, and has no environment yet.

    `marked` misses such a process. That state lasts an instant, or seconds where the process gets no processor.
    The result is false where there is no /proc.
    """
    return _has_proc() and any(_is_at_exec(_contents(pid, "stat")) for pid in _pids())


def _is_at_exec(stat: bytes) -> bool:
    """Return true if ``stat``, the contents of /proc/PID/stat, tells of a process that runs without environment."""
    fields = stat.rpartition(b")")[2].split()
    if len(fields) <= _ENVIRONMENT_END or fields[0] in _ENDED or int(fields[_FLAGS]) & _KERNEL_THREAD:
        return False
    return fields[_CODE] != _UNREADABLE and fields[_ENVIRONMENT_END] == b"0"


class Starvation:
    """Measures how long threads were ready to run while others had the processor.

    The kernel adds up a wait once it is over: a thread that gets no processor at all would seem not to wait.
    Waits that are under way are therefore timed from the first call that sees them.
    """

    def __init__(self) -> None:
        """Begin without any wait under way."""
        self._waits: dict[tuple[int, str], tuple[bytes, float]] = {}
        """The kernel's account of each thread that is ready, and the time since which that is unchanged."""

    def seconds(self, pid: int) -> float:
        """Return the seconds for which threads of the process ``pid`` have waited for the processor so far.

        The result is 0.0 where the system does not tell.
        """
        return sum(self._of_thread(pid, task) for task in _names(_PROC / str(pid) / "task"))

    def _of_thread(self, pid: int, task: str) -> float:
        account, state = (_contents(pid, f"task/{task}/{name}") for name in ("schedstat", "stat"))
        thread, fields, now = (pid, task), account.split(), time.monotonic()
        if len(fields) < 2:
            return 0.0
        over = int(fields[1]) / 1e9
        if state.rpartition(b")")[2].split()[:1] != [b"R"]:
            self._waits.pop(thread, None)
            return over
        before, since = self._waits.get(thread, (account, now))
        self._waits[thread] = (account, since if before == account else now)
        return over + now - self._waits[thread][1]


def cpu_seconds(pid: int) -> float:
    """Return the processor time that the process ``pid`` has used so far; 0.0 once it is gone.

    It is in seconds; on Linux, to the nanosecond.
    """
    if portable := _portable():
        return portable.cpu_seconds(pid)
    try:
        return time.clock_gettime(~pid << 3 | 2)  # clock_getcpuclockid(3), as Linux numbers them
    except OSError:
        return 0.0


def kill(pid: int) -> None:
    """End the process ``pid`` at once, if it has not ended: by SIGKILL, or by TerminateProcess on Windows.

    Raises:
        OSError: The process is another user's.
    """
    try:
        os.kill(pid, _KILL)
    except ProcessLookupError:
        pass
    except OSError as error:
        if getattr(error, "winerror", None) != _NO_SUCH_PROCESS:
            raise


class _ProcessListing(Protocol):
    """Functions of this module that `portable_processes` has as well."""

    def running(self) -> list[Process]: ...
    def family(self, root: int) -> list[int]: ...
    def is_below(self, root: int, pid: int) -> bool | None: ...
    def memory_held(self, pids: Iterable[int]) -> HeldMemory: ...
    def marked(self, variable: str, value: str) -> list[Process]: ...
    def cpu_seconds(self, pid: int) -> float: ...


@cache
def _portable() -> _ProcessListing | None:
    """Return the module to ask instead of /proc; None if there is /proc, or if psutil is missing."""
    if _has_proc():
        return None
    try:
        from core.children import portable_processes
    except ImportError:
        return None
    return portable_processes


@cache
def _has_proc() -> bool:
    return (_PROC / "self" / "stat").exists()


def _pids() -> Iterator[int]:
    yield from (int(name) for name in _names(_PROC) if name.isdigit())


def _read(pid: int, table: Path = _PROC) -> Process | None:
    # The second field is the name in parentheses and may hold anything.
    before, _, after = _contents(pid, "stat", table).rpartition(b")")
    fields = after.split(None, 4)
    # The kernel tells neither the parent nor the session of a process that is collected at this moment.
    if not fields or int(fields[3]) < 0:
        return None
    name = os.fsdecode(before.partition(b"(")[2])
    return Process(pid, parent=int(fields[1]), session=int(fields[3]), name=name)


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - a path for each task would take longer than its reading
    except OSError:
        return []


def _contents(pid: int, name: str, table: Path = _PROC) -> bytes:
    # A scan reads hundreds of them: paths and buffers took most of its time.
    try:
        file = os.open(f"{table}/{pid}/{name}", os.O_RDONLY)
    except OSError:
        return b""
    try:
        return b"".join(iter(lambda: os.read(file, 1 << 16), b""))
    except OSError:
        return b""
    finally:
        os.close(file)
