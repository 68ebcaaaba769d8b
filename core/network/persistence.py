"""Tries again, at growing intervals, what the network prevents, and reports a long outage once."""

import logging
import random
import time
from collections.abc import Callable, Mapping

from core.network.pause_token import PauseToken

_log = logging.getLogger(__name__)

FIRST_DELAY = 1.0
LONGEST_DELAY = 60.0
NOTIFY_AFTER = 30.0
"""Seconds without an answer after which the outage is reported."""
MOST_ASKED_FOR = 600.0
"""Longest pause that a server may ask for, in seconds."""
FOR_NOW = frozenset({408, 425, 429, *range(500, 600)}) - {501, 505}
"""Statuses after which the same request may succeed later; proxies have some beyond the standard's."""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of ``Retry-After`` in a response's ``headers``; None if it is missing or a date."""
    value = headers.get("Retry-After", "")
    return float(value) if value.isascii() and value.isdecimal() else None


def delay(failures: int, draw: float, asked_for: float | None = None) -> float:
    """Return the seconds to wait before the next attempt.

    Args:
        failures: Number of failures in a row, at least 1; each doubles the delay up to ``LONGEST_DELAY``.
        draw: Random number in [0, 1); it spreads the delay over the upper half of its range, so that peers
            that lost the same server at the same time do not return together.
        asked_for: Seconds that the server asked for, if any: the least delay, up to ``MOST_ASKED_FOR``.
    """
    longest = min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(failures - 1, 16))
    jittered = longest * (1 + draw) / 2
    return max(jittered, min(asked_for or 0.0, MOST_ASKED_FOR))


class Outage:
    """The failures since the last answer came."""

    def __init__(
        self,
        pause_token: PauseToken,
        notify: Callable[[str], None],
        subject: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[], float] = random.random,
    ) -> None:
        """Begin without a failure.

        Args:
            pause_token: Ends the wait for the next attempt, or prolongs it while reading is paused.
            notify: Called with a sentence for the user when an outage is long, by ``NOTIFY_AFTER``, and again when
                that one is over.
            subject: Words for what is read, such as "training data".
            clock: Returns a monotonic time in seconds.
            draw: Returns a random number in [0, 1), which spreads the delays.
        """
        self._pause_token, self._notify, self._clock, self._draw = pause_token, notify, clock, draw
        self._subject = subject
        self._failures, self._since, self._notified = 0, 0.0, False

    def failed(self, reason: str, asked_for: float | None = None) -> None:
        """Record a failure, and wait until the next attempt is due.

        Args:
            reason: Cause of the failure, for the report.
            asked_for: Seconds that the server asked for, if any.

        Raises:
            Ended: by the pause token.
        """
        if not self._failures:
            self._since = self._clock()
        self._failures += 1
        wait = delay(self._failures, self._draw(), asked_for)
        _log.warning(
            "Attempt %d to read %s failed (%s); the next in %.1f s.",
            *(self._failures, self._subject, reason, wait),
        )
        if not self._notified and self._clock() + wait - self._since >= NOTIFY_AFTER:
            self._notified = True
            self._notify(f"The {self._subject} cannot be reached ({reason}); Idlebrush keeps trying.")
        self._pause_token.sleep(wait)

    def over(self) -> None:
        """Record that an answer came, and report the end of an outage that was reported."""
        if self._notified:
            self._notify(f"The {self._subject} can be reached again.")
        self._failures, self._notified = 0, False
