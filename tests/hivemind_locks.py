"""Locks that all processes share which hivemind forks: one that is killed while it holds one holds it for ever."""

import sys

SECONDS = 0.5
"""Whoever lives holds one of them for less."""


def take_from_the_dead() -> None:
    """Open those that nobody alive gives back, for all processes that share them."""
    module = sys.modules.get("hivemind.utils.mpfuture")
    if module is None:
        return
    futures = module.MPFuture
    for lock in (futures._initialization_lock, futures._update_lock, module.SharedBytes._lock):
        lock.acquire(timeout=SECONDS)
        lock.release()
