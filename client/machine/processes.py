"""All processes of the machine, listed at most every ten seconds: that is what it may cost to know them."""

import os
from collections.abc import Callable, Collection, Sequence

import psutil

from core.children import processes
from core.children.processes import Process, below

INTERVAL = 10.0
"""Seconds between two scans, shared by all callers."""
AN_APPLICATION = "an application"
"""Name of a program that the system does not name."""


def program_of(pid: int) -> str:
    """Return the name of the program that the process `pid` runs."""
    try:
        return psutil.Process(pid).name()
    except (psutil.Error, OSError):
        return AN_APPLICATION


class ProcessTable:
    """The latest list, shared by all who need one; not for several threads at once."""

    def __init__(
        self, clock: Callable[[], float], scan: Callable[[], Sequence[Process]] = processes.running
    ) -> None:
        self._clock = clock
        self._scan = scan
        self._rows: Sequence[Process] = ()
        self._fault = ""
        self.read_at = float("-inf")
        """Time of the last scan, on the clock."""

    def rows(self) -> Sequence[Process]:
        """Return processes as of at most ten seconds ago; a scan takes some milliseconds.

        Raise OSError if it fails.
        """
        if self._clock() >= self.read_at + INTERVAL:
            self.read_at = self._clock()
            self._read()
        if self._fault:
            raise OSError(self._fault)
        return self._rows

    def _read(self) -> None:
        """Scan the processes.

        After a scan that failed, they count as unknown until the next one, not as none or as unchanged.
        """
        try:
            self._rows, self._fault = self._scan(), ""
        except (OSError, psutil.Error) as error:
            self._fault = f"the processes are not reported ({error})"


GUESTS = frozenset({"vmmemwsl", "vmmem"})
"""Names, in small letters, of the processes to which Windows charges what WSL's virtual machine computes.

All distributions share that machine, and older versions of Windows have a process of the same name for each virtual
machine. So what other distributions and machines compute cannot be told apart from what ours does.
"""


def guests(rows: Sequence[Process]) -> frozenset[int]:
    """Return the ids of the processes that stand for a virtual machine of WSL's."""
    return frozenset(row.pid for row in rows if row.name.lower().removesuffix(".exe") in GUESTS)


_SETTLE = 1.0
"""Seconds in which a process that was just started may be expected to have started its own."""


class OurProcesses:
    """The family tree below a few roots, by the shared table; nothing is scanned where there is no root."""

    def __init__(
        self,
        roots: Callable[[], Collection[int]],
        table: ProcessTable,
        clock: Callable[[], float],
        own: int | None = None,
        computes_in_guest: Callable[[], bool] = lambda: False,
    ) -> None:
        """Prepare to find our processes.

        `roots`: of the processes that the daemon has started and knows; `own`: its own id, None: this
        process. `computes_in_guest` returns true while processes of ours compute in a virtual machine of WSL's, which
        counts as ours then.
        """
        self._roots = roots
        self._table = table
        self._clock = clock
        self._own = os.getpid() if own is None else own
        self._computes_in_guest = computes_in_guest
        self._seen: frozenset[int] | None = None
        self._changed_at = float("-inf")
        self._found: tuple[frozenset[int], float] = frozenset(), float("-inf")

    def members(self) -> frozenset[int]:
        """Return the process ids, including those that ended since the table was read."""
        roots = self._look()
        return roots | {self._own} | (self._below(roots) if roots else frozenset())

    @property
    def settled(self) -> bool:
        """True if there was a scan after the roots changed; before it, a child of ours may count as another
        program's.
        """
        roots = self._look()
        if roots:
            self._table.rows()
        looked_at = self._table.read_at if roots else self._clock()
        return looked_at >= self._changed_at + _SETTLE

    def _look(self) -> frozenset[int]:
        roots = frozenset(self._roots()) - {self._own}
        if self._computes_in_guest():
            roots |= guests(self._table.rows())
        if roots != self._seen:
            # At the start there is nothing to wait for.
            self._changed_at = float("-inf") if self._seen is None else self._clock()
            self._seen = roots
            self._found = frozenset(), float("-inf")
        return roots

    def _below(self, roots: frozenset[int]) -> frozenset[int]:
        rows = self._table.rows()
        if self._found[1] != self._table.read_at:
            children = frozenset(member.pid for root in roots for member in below(root, rows))
            self._found = children, self._table.read_at
        return self._found[0]
