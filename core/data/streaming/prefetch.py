"""Makes the next item in the background while the current one is used."""

import threading
from collections.abc import Generator
from typing import Generic, TypeVar

T = TypeVar("T")

_CLOSING_SECONDS = 1.0


class Prefetch(Generic[T]):
    """One item ahead of who takes them; for one taker.

    The thread starts with the first question: processes that are forked before inherit none. It is a daemon, for it
    may wait for the network when the program ends.
    """

    def __init__(self, items: Generator[T]) -> None:
        self._items = items
        self._changed = threading.Condition()
        self._next: list[T] = []
        """None or one."""
        self._error: BaseException | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="prefetch", daemon=True)

    @property
    def started(self) -> bool:
        return self._thread.ident is not None

    def ready(self) -> bool:
        """Whether `take` would return, or raise, at once."""
        self._start()
        return bool(self._next) or self._error is not None

    def take(self) -> T:
        """The next item; raises what making it raised, and that again each time."""
        self._start()
        with self._changed:
            self._changed.wait_for(lambda: self._next or self._error or self._closed)
            if self._next:
                item = self._next.pop()
                self._changed.notify_all()
                return item
            raise self._error or RuntimeError("nothing is read any more: it is closed")

    def close(self) -> None:
        """Make no more, and wait a moment for the thread: whoever can interrupt it has done so."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self.started:
            self._thread.join(_CLOSING_SECONDS)

    def _start(self) -> None:
        if not self.started and not self._closed:
            self._thread.start()

    def _run(self) -> None:
        try:
            for item in self._items:
                with self._changed:
                    self._next.append(item)
                    del item  # what is taken is not to be held here as well
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: not self._next or self._closed)
                    if self._closed:
                        break
            self._items.close()
        except BaseException as error:  # noqa: BLE001  (whatever it is, the taker gets it)
            with self._changed:
                self._error = error
                self._changed.notify_all()
