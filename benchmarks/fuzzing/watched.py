"""The processes that a served fuzzing watches: whether they live, and what they hold."""

from collections.abc import Sequence
from dataclasses import dataclass

import psutil

from benchmarks.measuring.report import rounded

_MIB = 2**20


class Replaced(AssertionError):
    """A watched process has ended, or another has taken its place."""


@dataclass(frozen=True)
class Holdings:
    """The memory, files and threads of all watched processes together."""

    rss_mib: float
    """Resident sets in MiB."""
    files: int
    """Open files and sockets."""
    threads: int


class WatchedProcesses:
    """The processes of one peer or website, from the beginning on."""

    def __init__(self, processes: Sequence[psutil.Process]) -> None:
        """Watch these ``processes``."""
        self._processes = tuple(processes)

    def holdings(self) -> Holdings:
        """Return what they hold; raises Replaced if one has ended."""
        if ended := [process.pid for process in self._processes if not _lives(process)]:
            raise Replaced(f"processes have ended: {ended}")
        return Holdings(
            rss_mib=rounded(sum(process.memory_info().rss for process in self._processes) / _MIB),
            files=sum(process.num_fds() for process in self._processes),
            threads=sum(process.num_threads() for process in self._processes),
        )


def _lives(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
