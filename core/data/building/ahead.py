"""Work that is begun before its results are asked for: by a few threads, in order, and never far ahead."""

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event, Semaphore, Thread
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

SECONDS_TO_STOP = 5.0
"""For an iterator that is waiting for a network; then its thread is left behind."""


def ahead(
    items: Iterable[Item], work: Callable[[Item], Result], *, workers: int, depth: int
) -> Generator[Result]:
    """``work(item)`` for each item in their order; at most ``depth`` of them are under way.

    Items are taken in one thread and worked on in others. What either raises is raised here, in its place. Of
    items whose work is not done, which may be far larger than its results, there are twice the workers at most.
    """
    line = _Line(work, workers, depth)
    taker = Thread(target=line.take, args=(items,), daemon=True)
    taker.start()
    try:
        yield from line.results()
    finally:
        line.stop()
        taker.join(SECONDS_TO_STOP)
        line.pool.shutdown(cancel_futures=True)


class _Line(Generic[Item, Result]):
    """What the thread that takes items, those that work on them, and whoever asks for results share."""

    def __init__(self, work: Callable[[Item], Result], workers: int, depth: int) -> None:
        self._work = work
        self._results: SimpleQueue[Future[Result] | None] = SimpleQueue()
        self._room, self._raw, self._stopped = Semaphore(depth), Semaphore(2 * workers), Event()
        self.pool = ThreadPoolExecutor(workers, thread_name_prefix="build")

    def take(self, items: Iterable[Item]) -> None:
        try:
            for item in items:
                self._room.acquire()
                self._raw.acquire()
                if self._stopped.is_set():
                    return
                self._results.put(self.pool.submit(self._finish, item))
            self._results.put(None)
        except BaseException as error:  # noqa: BLE001  (it belongs to whoever asks for the results)
            failed: Future[Result] = Future()
            failed.set_exception(error)
            self._results.put(failed)

    def _finish(self, item: Item) -> Result:
        try:
            return self._work(item)
        finally:
            self._raw.release()

    def results(self) -> Iterator[Result]:
        while (future := self._results.get()) is not None:
            yield future.result()
            self._room.release()

    def stop(self) -> None:
        """Take no more; who waits for room goes on and sees it."""
        self._stopped.set()
        self._room.release()
        self._raw.release()
