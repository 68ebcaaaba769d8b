"""Begins work before its results are asked for: in a few threads, in order, and never far ahead."""

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event, Semaphore, Thread
from typing import Generic, TypeVar

G = TypeVar("G")
R = TypeVar("R")

SECONDS_TO_STOP = 5.0
"""Longest wait for the thread that takes items, which may itself wait for a network; then it is left behind."""


def ahead(items: Iterable[G], work: Callable[[G], R], *, workers: int, depth: int) -> Generator[R]:
    """Yield ``work(item)`` for each of the items in order, with at most ``depth`` of them under way.

    One thread takes items, and others do the work. An error of either is raised here, in the item's place. At
    most twice as many items as workers are held before their work is done: they may be far larger than
    results.

    Args:
        items: Input of the work.
        work: Function that makes a result of an item.
        workers: Number of threads that do the work.
        depth: Largest number of items that were taken and whose results were not yielded yet.
    """
    line = _Pipeline(work, workers, depth)
    taker = Thread(target=line.take, args=(items,), daemon=True)
    taker.start()
    try:
        yield from line.results()
    finally:
        line.stop()
        taker.join(SECONDS_TO_STOP)
        line.pool.shutdown(cancel_futures=True)


class _Pipeline(Generic[G, R]):
    """State shared by the thread that takes items, the threads that do the work, and the reader of results."""

    def __init__(self, work: Callable[[G], R], workers: int, depth: int) -> None:
        self._work = work
        self._results: SimpleQueue[Future[R] | None] = SimpleQueue()
        self._room, self._raw, self._stopped = Semaphore(depth), Semaphore(2 * workers), Event()
        self.pool = ThreadPoolExecutor(workers, thread_name_prefix="build")

    def take(self, items: Iterable[G]) -> None:
        try:
            for item in items:
                self._room.acquire()
                self._raw.acquire()
                if self._stopped.is_set():
                    return
                self._results.put(self.pool.submit(self._finish, item))
            self._results.put(None)
        except BaseException as error:  # noqa: BLE001  (the caller that asks for results gets it)
            failed: Future[R] = Future()
            failed.set_exception(error)
            self._results.put(failed)

    def _finish(self, item: G) -> R:
        try:
            return self._work(item)
        finally:
            self._raw.release()

    def results(self) -> Iterator[R]:
        while (future := self._results.get()) is not None:
            yield future.result()
            self._room.release()

    def stop(self) -> None:
        """Take no more items; a thread that waits for room is woken up and ends."""
        self._stopped.set()
        self._room.release()
        self._raw.release()
