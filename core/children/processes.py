"""Reads the system's table of processes; standard library only. Without /proc the table is empty.

Processes come and go meanwhile: one that is gone is left out, and nothing here raises for it.
"""

import contextlib
import os
import signal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True)
class Process:
    pid: int
    parent: int
    session: int
    name: str = ""
    """As the kernel keeps it: its first 15 bytes."""


def listable() -> bool:
    return (_PROC / "self" / "stat").exists()


def running() -> list[Process]:
    """All processes, those that ended but were not collected yet included."""
    return [process for pid in _pids() if (process := _read(pid))]


def below(root: int, processes: Sequence[Process]) -> list[Process]:
    """All descendants of `root` among `processes`."""
    found: dict[int, Process] = {}
    generation = {root}
    while generation:
        children = {process.pid: process for process in processes if process.parent in generation}
        generation = children.keys() - found.keys()
        found |= children
    return list(found.values())


def family(root: int) -> list[int]:
    """The process ids below `root`, without a look at any other process; empty where the system cannot tell.

    The kernel may leave out a child whose neighbour ends at that moment; another look finds it.
    """
    found: list[int] = []
    for task in _names(_PROC / str(root) / "task"):
        for child in map(int, _contents(root, f"task/{task}/children").split()):
            found += [child, *family(child)]
    return found


def is_below(root: int, pid: int) -> bool | None:
    """Whether a process descends from `root`, by its parents; None: there is no such process."""
    process = _read(pid)
    if process is None:
        return None
    while process is not None and process.parent != root:
        process = _read(process.parent)
    return process is not None


def memory_held(pids: Iterable[int]) -> int:
    """Bytes of RAM that processes hold together; of what they share, as much as one of them has at most."""
    private, shared = 0, 0
    for pid in pids:
        if fields := _contents(pid, "statm").split():
            resident, of_it_shared = int(fields[1]), int(fields[2])
            private, shared = private + resident - of_it_shared, max(shared, of_it_shared)
    return (private + shared) * _PAGE


def marked(variable: str, value: str) -> list[Process]:
    """The processes of this user that run with that environment variable, by start or by inheritance."""
    setting = os.fsencode(f"{variable}={value}")
    return [
        process
        for pid in _pids()
        if setting in _contents(pid, "environ").split(b"\0") and (process := _read(pid))
    ]


def starved_seconds(pid: int) -> float:
    """For how long its threads were ready to run while others had the processor; 0.0 where nobody tells."""
    waited = (_contents(pid, f"task/{task}/schedstat").split() for task in _names(_PROC / str(pid) / "task"))
    return sum(int(fields[1]) for fields in waited if len(fields) > 1) / 1e9


def kill(pid: int) -> None:
    """SIGKILL, if the process is still there."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _pids() -> Iterator[int]:
    yield from (int(name) for name in _names(_PROC) if name.isdigit())


def _read(pid: int) -> Process | None:
    # The second field is the name in parentheses and may hold anything.
    before, _, after = _contents(pid, "stat").rpartition(b")")
    fields = after.split(None, 4)
    name = os.fsdecode(before.partition(b"(")[2])
    return Process(pid, parent=int(fields[1]), session=int(fields[3]), name=name) if fields else None


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - a path for each task would take longer than its reading
    except OSError:
        return []


def _contents(pid: int, name: str) -> bytes:
    # A scan reads hundreds of them: paths and buffers took most of its time.
    try:
        file = os.open(f"{_PROC}/{pid}/{name}", os.O_RDONLY)
    except OSError:
        return b""
    try:
        return b"".join(iter(lambda: os.read(file, 1 << 16), b""))
    except OSError:
        return b""
    finally:
        os.close(file)
