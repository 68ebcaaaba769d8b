"""Tries again, less and less often, what the network prevents; and says so once when that takes long."""

import random
import time
from collections.abc import Callable

from core.data.network.valve import Valve

FIRST_DELAY = 1.0
LONGEST_DELAY = 60.0
TOLD_AFTER = 30.0
"""Seconds without an answer after which a person hears of it, or before, if nothing is asked until then."""
MOST_ASKED_FOR = 600.0
"""Seconds that a server may ask to be left alone."""


def delay(failures: int, draw: float, asked_for: float | None = None) -> float:
    """Seconds to wait after that many failures in a row (1 or more).

    ``draw`` in [0, 1) spreads the attempts of peers that lost the same server at the same time over half of the
    doubled delay; ``asked_for`` is what the server itself asked for, where it did.
    """
    longest = min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(failures - 1, 16))
    jittered = longest * (1 + draw) / 2
    return max(jittered, min(asked_for or 0.0, MOST_ASKED_FOR))


class Outage:
    """The failures since an answer last came."""

    def __init__(
        self,
        valve: Valve,
        notify: Callable[[str], None],
        *,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self._valve, self._notify, self._clock, self._draw = valve, notify, clock, draw
        self._failures, self._since, self._told = 0, 0.0, False

    def failed(self, reason: str, asked_for: float | None = None) -> None:
        """Wait for the next attempt's time; raises Ended."""
        if not self._failures:
            self._since = self._clock()
        self._failures += 1
        wait = delay(self._failures, self._draw(), asked_for)
        if not self._told and self._clock() + wait - self._since >= TOLD_AFTER:
            self._told = True
            self._notify(f"The training data cannot be reached ({reason}); it is tried again and again.")
        self._valve.sleep(wait)

    def over(self) -> None:
        """An answer came."""
        if self._told:
            self._notify("The training data can be reached again.")
        self._failures, self._told = 0, False
