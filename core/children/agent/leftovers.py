"""Finds and ends what an earlier agent has left: by the identifiers in the environment of all that it had started.

Linux only, and standard library only. Processes of other process id namespaces are left alone, as their agent cannot
be seen from here.
"""

import os
import time
from pathlib import Path

from core.children import guard_folder, processes
from core.children.processes import CHILD_VARIABLE, Process

AGENT = "IDLEBRUSH_AGENT"
"""Environment variable of all descendants of an agent, with the identity of that agent."""
_PROC = Path("/proc")
_POLL = 0.05
_START_TIME = 18
"""Place of the start time among the fields of /proc/PID/stat that follow name and state."""
_ENDED = (b"Z", b"X", b"x")
"""States of a process that has ended, but which no parent has collected."""


def identity(pid: int | None = None) -> str:
    """Return what tells the process ``pid`` from all others on this system; empty: it has ended.

    ``pid`` is a process id; None: this process. Process ids are used again, a process id with a start time is not.
    """
    pid = os.getpid() if pid is None else pid
    try:
        state, *fields = (_PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
    except (OSError, ValueError):
        return ""
    return "" if state in _ENDED else f"{_namespace()} {pid} {int(fields[_START_TIME])}"


def end_orphans() -> None:
    """SIGKILL all processes whose agent has ended, and remove the temporary folders of such agents."""
    for pid in _pids():
        agent = _variable(pid, AGENT)
        if agent and _has_ended(agent):
            processes.kill(pid)
    guard_folder.remove_left_behind()


def agents_work() -> bool:
    """Return true if an agent has a child in this distribution now."""
    return any((agent := _variable(pid, AGENT)) and not _has_ended(agent) for pid in _pids())


def sweep(identifier: str, seconds: float) -> bool:
    """SIGKILL the processes of the child with the identifier ``identifier``, its agent included.

    A process at its `exec` has no environment, and so no identifier: while there is one, it may be the child's.
    Returns true once two looks in a row found none, or false if the kernel cannot end all of them within ``seconds``.
    """
    until = time.monotonic() + seconds
    was_clear = is_clear = False
    while not (was_clear and is_clear) and time.monotonic() <= until:
        was_clear = is_clear
        is_clear = not processes.any_at_exec()  # before the look: it may have an environment after it
        for process in _look(identifier):
            is_clear = False
            processes.kill(process.pid)
        time.sleep(_POLL)
    guard_folder.remove_left_behind()
    return not _look(identifier)


def _look(identifier: str) -> list[Process]:
    return [process for process in processes.marked(CHILD_VARIABLE, identifier) if process.pid != os.getpid()]


def _has_ended(agent: str) -> bool:
    """Return true if the process with that `identity` has ended; false too if it cannot be seen from here."""
    namespace, _, rest = agent.partition(" ")
    pid = rest.partition(" ")[0]
    return namespace == _namespace() and pid.isdigit() and identity(int(pid)) != agent


def _namespace() -> str:
    return str((_PROC / "self/ns/pid").readlink())


def _variable(pid: int, name: str) -> str:
    prefix = os.fsencode(f"{name}=")
    try:
        variables = (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:
        return ""
    return next((os.fsdecode(each[len(prefix) :]) for each in variables if each.startswith(prefix)), "")


def _pids() -> list[int]:
    return [int(path.name) for path in _PROC.iterdir() if path.name.isdigit()]
