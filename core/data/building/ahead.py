"""Work that is begun before its results are asked for: by a few threads, in order, and never far ahead."""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event, Semaphore, Thread
from typing import TypeVar

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
    results: SimpleQueue[Future[Result] | None] = SimpleQueue()
    room, raw, stopped = Semaphore(depth), Semaphore(2 * workers), Event()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="build")

    def finish(item: Item) -> Result:
        try:
            return work(item)
        finally:
            raw.release()

    def take() -> None:
        try:
            for item in items:
                room.acquire()
                raw.acquire()
                if stopped.is_set():
                    return
                results.put(pool.submit(finish, item))
            results.put(None)
        except BaseException as error:  # noqa: BLE001  (it belongs to whoever asks for the results)
            failed: Future[Result] = Future()
            failed.set_exception(error)
            results.put(failed)

    taker = Thread(target=take, daemon=True)
    taker.start()
    try:
        while (future := results.get()) is not None:
            yield future.result()
            room.release()
    finally:
        stopped.set()
        room.release()
        raw.release()
        taker.join(SECONDS_TO_STOP)
        pool.shutdown(cancel_futures=True)
