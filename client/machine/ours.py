"""Which processes are the client's own: the daemon, and all that it and its guards have started."""

from collections.abc import Callable, Collection

from client.machine.process_table import ProcessTable
from client.processes import below

_SETTLE = 1.0
"""Seconds in which a process that was just started may be expected to have started its own."""


class OurProcesses:
    """The family tree below a few roots; its members are looked up in the shared table."""

    def __init__(
        self, roots: Callable[[], Collection[int]], table: ProcessTable, clock: Callable[[], float]
    ) -> None:
        """`roots`: the daemon's own process id, and those of the processes that it has started and knows."""
        self._roots = roots
        self._table = table
        self._clock = clock
        self._seen: frozenset[int] = frozenset()
        self._changed_at = float("-inf")

    def members(self) -> frozenset[int]:
        """Process ids, those that ended since the table was read included."""
        roots = self._look()
        rows = self._table.rows()
        return roots.union(*({member.pid for member in below(root, rows)} for root in roots))

    @property
    def settled(self) -> bool:
        """Whether the table is newer than the roots; if not, a child of ours may pass for somebody else's."""
        self._look()
        self._table.rows()
        return self._table.read_at >= self._changed_at + _SETTLE

    def _look(self) -> frozenset[int]:
        roots = frozenset(self._roots())
        if roots != self._seen:
            # At the start there is nothing to wait for: what was there before us has started what it needs.
            self._changed_at = self._clock() if self._seen else float("-inf")
            self._seen = roots
        return roots
