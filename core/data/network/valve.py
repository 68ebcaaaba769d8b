"""Holds, lets go on and ends a thread that reads from the network, at once even where it waits for an answer."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Ended(Exception):
    """Raised in the reading thread: nobody wants to know more."""


class Valve:
    """Between a thread that reads and the one that decides whether it may."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._held = self._ended = False
        self._abort: Callable[[], None] | None = None
        self.interruptions = 0
        """How often a reading was cut off by this valve: what fails then is not the network's fault."""

    def hold(self) -> None:
        """Stop reading; what a server has sent since the connection was cut off is asked for again."""
        self._shut(held=True)

    def go_on(self) -> None:
        with self._changed:
            self._held = False
            self._changed.notify_all()

    def end(self) -> None:
        """Stop reading for ever."""
        self._shut(ended=True)

    def wait(self) -> None:
        """For the reading thread: return once it may read; raises Ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or not self._held)
            if self._ended:
                raise Ended

    def sleep(self, seconds: float) -> None:
        """For the reading thread: as ``time.sleep``, but raises Ended as soon as that is known."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended, seconds)
        self.wait()

    @contextmanager
    def reading(self, abort: Callable[[], None]) -> Iterator[None]:
        """For the reading thread: ``abort`` is called, by another thread, to cut off what is read within."""
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
