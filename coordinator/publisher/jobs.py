"""Work that takes long, on a thread of its own: one piece at a time, tried again ever more seldom if it fails."""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

from core.errors import CoreError
from core.network.persistence import delay

_log = logging.getLogger(__name__)

T = TypeVar("T")


class Job(Generic[T]):
    """The piece of work that is under way, if any, and when the next attempt may be made."""

    def __init__(
        self, name: str, failed: Callable[[CoreError], None], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Prepare a job. ``failed`` gets the errors that end attempts; ``collect`` raises other exceptions."""
        self._name, self._failed, self._clock = name, failed, clock
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._running: Future[T] | None = None
        self._delays, self._is_put_off, self._not_before = 0, False, 0.0

    @property
    def is_free(self) -> bool:
        """True if it can take work now."""
        return self._running is None and self._clock() >= self._not_before

    @property
    def is_done(self) -> bool:
        """True if ``collect`` has a result."""
        return self._running is not None and self._running.done()

    def start(self, work: Callable[[], T]) -> None:
        if not self._is_put_off:
            self._delays = 0
        self._is_put_off = False
        self._running = self._pool.submit(work)

    def collect(self) -> T | None:
        """Return the result of the work once it is done; None if it failed."""
        assert self._running is not None
        done, self._running = self._running, None
        try:
            return done.result()
        except CoreError as error:
            _log.warning("%s: %s", self._name, error)
            self._failed(error)
            return None

    def put_off(self) -> None:
        """Let the next attempt wait, twice as long as the last one if that was put off as well."""
        self._delays, self._is_put_off = self._delays + 1, True
        self._not_before = self._clock() + delay(self._delays, draw=0.5)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
