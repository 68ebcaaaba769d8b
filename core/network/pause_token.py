"""Pauses, resumes and ends a thread that reads from the network, at once even while it waits for an answer."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Ended(Exception):
    """Ends the reading thread after its reading was cancelled."""


class PauseToken:
    """Controls a reading thread from another thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._held = self._ended = False
        self._abort: Callable[[], None] | None = None
        self.interruptions = 0
        """Number of readings that this token has cut off; their errors are not the network's."""

    def hold(self) -> None:
        """Pause the reading; bytes that were on the way are requested again later."""
        self._shut(held=True)

    def go_on(self) -> None:
        """Resume the reading after `hold`."""
        with self._changed:
            self._held = False
            self._changed.notify_all()

    def end(self) -> None:
        """End the reading for good."""
        self._shut(ended=True)

    @property
    def is_ended(self) -> bool:
        """True once `end` was called."""
        return self._ended

    def wait(self) -> None:
        """Block the reading thread until it may read; raises Ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or not self._held)
            if self._ended:
                raise Ended

    def sleep(self, seconds: float) -> None:
        """Block the reading thread for ``seconds``, or longer while it is paused; raises Ended once reading ends."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended, seconds)
        self.wait()

    @contextmanager
    def reading(self, abort: Callable[[], None]) -> Iterator[None]:
        """Let other threads call ``abort`` within this context, to cut off the reading when they pause or end it."""
        with self._changed:
            self._abort = abort
            self._cut_off()
        try:
            yield
        finally:
            with self._changed:
                self._abort = None

    def _shut(self, *, held: bool = False, ended: bool = False) -> None:
        with self._changed:
            self._held, self._ended = self._held or held, self._ended or ended
            self._cut_off()
            self._changed.notify_all()

    def _cut_off(self) -> None:
        if (self._held or self._ended) and self._abort is not None:
            self.interruptions += 1
            self._abort()
