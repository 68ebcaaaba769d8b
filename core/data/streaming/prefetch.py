"""Makes the next item in the background while the current one is used."""

import threading
from collections.abc import Callable, Generator
from typing import Generic, TypeVar

T = TypeVar("T")

_CLOSING_SECONDS = 1.0


class Prefetch(Generic[T]):
    """Makes items in a thread, one ahead of the single thread that takes them.

    The thread starts at the first request, so that processes forked before it do not inherit it. It is a
    daemon, because it may wait for the network when the program ends.
    """

    def __init__(self, items: Generator[T], interrupt: Callable[[], None] = lambda: None) -> None:
        """Prepare; no item is made yet.

        Args:
            items: Makes the items.
            interrupt: Called by `close`, to end what the thread waits for or works at.
        """
        self._items, self._interrupt = items, interrupt
        self._changed = threading.Condition()
        self._next: list[T] = []
        """The item that is ready; empty if there is none."""
        self._error: BaseException | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="prefetch", daemon=True)

    @property
    def started(self) -> bool:
        """True once the thread was started."""
        return self._thread.ident is not None

    def ready(self) -> bool:
        """Return true if `take` would return or raise at once."""
        self._start()
        return bool(self._next) or self._error is not None

    def take(self) -> T:
        """Wait for the next item and return it; raises the error of making it, each time again.

        Raises RuntimeError once there are no more items after `close`.
        """
        self._start()
        with self._changed:
            self._changed.wait_for(lambda: self._next or self._error or self._closed)
            if self._next:
                item = self._next.pop()
                self._changed.notify_all()
                return item
            raise self._error or RuntimeError("nothing is read any more: it is closed")

    def close(self) -> None:
        """Make no more items, interrupt the thread, and wait a moment for it."""
        self._interrupt()
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
