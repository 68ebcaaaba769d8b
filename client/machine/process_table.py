"""All processes of the machine, listed at most every ten seconds: that is what it may cost to know them."""

from collections.abc import Callable, Sequence

import psutil

from core.children import processes
from core.children.processes import Process

INTERVAL = 10.0
"""Seconds between two scans, whoever asks."""


def list_processes() -> Sequence[Process]:
    """Those of this moment, on any system."""
    if processes.listable():
        return processes.running()
    return [
        Process(found.pid, found.info["ppid"] or 0, session=0, name=found.info["name"] or "")
        for found in psutil.process_iter(["ppid", "name"])
    ]


class ProcessTable:
    """The latest list, shared by all who need one; not for several threads at once."""

    def __init__(
        self, clock: Callable[[], float], scan: Callable[[], Sequence[Process]] = list_processes
    ) -> None:
        self._clock = clock
        self._scan = scan
        self._rows: Sequence[Process] = ()
        self._fault = ""
        self.read_at = float("-inf")
        """On the clock."""

    def rows(self) -> Sequence[Process]:
        """At most ten seconds old; takes some milliseconds where it has to be read. OSError where it cannot be."""
        if self._clock() >= self.read_at + INTERVAL:
            self.read_at = self._clock()
            self._read()
        if self._fault:
            raise OSError(self._fault)
        return self._rows

    def _read(self) -> None:
        """A list that cannot be read is not known until the next scan, rather than empty, or as it was."""
        try:
            self._rows, self._fault = self._scan(), ""
        except (OSError, psutil.Error) as error:
            self._fault = f"the processes are not told ({error})"
