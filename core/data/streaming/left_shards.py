"""Tells which shards are left out because they cannot be used: each once, and not thousands one by one."""

from collections.abc import Callable

from core.errors import DataError

NAMED = 5
"""So many are named; that there are more is said once."""


class LeftShards:
    """Those of one stream."""

    def __init__(self, notify: Callable[[str], None]) -> None:
        self._notify = notify
        self._known: set[str] = set()

    def tell(self, name: str, error: DataError) -> None:
        """Say, unless it is known, that a shard is left for the rest of this pass."""
        if name in self._known:
            return
        self._known.add(name)
        if len(self._known) <= NAMED:
            self._notify(f"Training goes on without the shard {name}. {error.what}")
        elif len(self._known) == NAMED + 1:
            self._notify(f"Training goes on without more than {NAMED} of the run's shards.")
