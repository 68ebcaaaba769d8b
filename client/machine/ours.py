"""Which processes are the client's own: the daemon, and all that the processes it started have started."""

import os
from collections.abc import Callable, Collection

from client.machine.process_table import ProcessTable
from core.children.processes import below

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
    ) -> None:
        """`roots`: of the processes that the daemon has started and knows; `own`: its own id, None: this process."""
        self._roots = roots
        self._table = table
        self._clock = clock
        self._own = os.getpid() if own is None else own
        self._seen: frozenset[int] | None = None
        self._changed_at = float("-inf")
        self._found: tuple[frozenset[int], float] = frozenset(), float("-inf")

    def members(self) -> frozenset[int]:
        """Process ids, those that ended since the table was read included."""
        roots = self._look()
        return roots | {self._own} | (self._below(roots) if roots else frozenset())

    @property
    def settled(self) -> bool:
        """Whether we looked after the roots changed; if not, a child of ours may pass for somebody else's."""
        roots = self._look()
        if roots:
            self._table.rows()
        looked_at = self._table.read_at if roots else self._clock()
        return looked_at >= self._changed_at + _SETTLE

    def _look(self) -> frozenset[int]:
        roots = frozenset(self._roots()) - {self._own}
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
