"""Logs a failure that repeats: a warning at the first one of a series, details of the others, and the end."""

import logging
import time
from collections.abc import Callable


class FailureSeries:
    """The failures of one thing that is tried again and again, since it last succeeded."""

    def __init__(self, log: logging.Logger, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without a failure.

        Args:
            log: Logger of the module that tries.
            what: Name of what fails, as the start of a sentence: "Showing the access token".
            clock: Returns a monotonic time in seconds.
        """
        self._log, self._what, self._clock = log, what, clock
        self._count, self._since = 0, 0.0

    def failed(self, cause: BaseException | str) -> None:
        """Record a failure and its ``cause``: a warning if it is the first since a success, else a detail."""
        text = cause if isinstance(cause, str) else in_words(cause)
        self._count += 1
        if self._count == 1:
            self._since = self._clock()
            self._log.warning("%s failed (%s), and is tried again.", self._what, text)
        else:
            trace = cause if isinstance(cause, BaseException) else None
            self._log.debug(
                "%s failed for the %d. time in a row (%s).", self._what, self._count, text, exc_info=trace
            )

    def succeeded(self) -> None:
        """Record a success, which ends a series of failures."""
        if self._count:
            seconds = self._clock() - self._since
            self._log.info("%s succeeded at attempt %d, after %.0f s.", self._what, self._count + 1, seconds)
        self._count = 0


def in_words(error: BaseException) -> str:
    """Return the kind of ``error``, and what it says if it says anything."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
