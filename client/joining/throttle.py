"""Keeps the download of a run's files to the rate that the volunteer allows: who receives slowly is sent slowly."""

import time
from collections.abc import Callable

from client.joining.join import Progress

_BURST = 1.0
"""Seconds of the rate that may be caught up on after a time in which less came."""


def throttled(
    progress: Progress,
    rate: int | None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Progress:
    """Tells of progress, and waits after each piece as long as it came too fast; ``rate``: bytes a second."""
    if rate is None:
        return progress
    free_at: float | None = None
    before = 0

    def told(name: str, done: int, total: int) -> None:
        nonlocal free_at, before
        progress(name, done, total)
        now = clock()
        if free_at is not None:  # what an earlier attempt has got costs nothing
            free_at = max(free_at, now - _BURST) + max(0, done - before) / rate
            sleep(max(0.0, free_at - now))
        free_at, before = free_at or now, done

    return told
