"""A lock for what may be slow, such as asking the Hub, that only so many threads wait for at a time."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

MOST_WAITING = 8
"""The website answers with forty threads: were they all to wait for the Hub, nobody would be answered."""


class Turns:
    """One thread at a time, and few in the queue."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._lock = threading.Lock()
        self._queue = threading.BoundedSemaphore(most)

    @contextmanager
    def turn(self, seconds: float) -> Iterator[bool]:
        """Whether it is ours, after waiting for so long at most; it is not where too many wait already."""
        if not self._queue.acquire(blocking=False):
            yield False
            return
        try:
            is_ours = self._lock.acquire(timeout=seconds)
            try:
                yield is_ours
            finally:
                if is_ours:
                    self._lock.release()
        finally:
            self._queue.release()
