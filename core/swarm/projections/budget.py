"""The giving side of projections: bounds how often a peer computes them for others."""

import time
from collections import OrderedDict
from collections.abc import Callable

_PER_HOLDER = 4
"""Projections that one user gets at once; then one more in each `_HOLDER_SECONDS`."""
_HOLDER_SECONDS = 10.0
_MOST_HOLDERS = 4096
_REST_FACTOR = 9.0
"""Seconds of rest for each second of computing: a tenth of one thread's time at most, however many ask."""


class ProjectionBudget:
    """The time that a peer spends on projections of its state for others."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin rested; ``clock`` gives monotonic seconds."""
        self._clock, self._rested_at = clock, float("-inf")
        self._left = OrderedDict[bytes, tuple[float, float]]()
        """Projections that each holder may have, and the time at which that was so."""

    def take(self, holder: bytes) -> bool:
        """Return true if a projection may be computed now for ``holder``, the name of a user, and count it then."""
        now = self._clock()
        left, at = self._left.get(holder, (float(_PER_HOLDER), now))
        left = min(_PER_HOLDER, left + (now - at) / _HOLDER_SECONDS)
        if left < 1.0 or now < self._rested_at:
            return False
        self._left[holder] = left - 1.0, now
        self._left.move_to_end(holder)
        while len(self._left) > _MOST_HOLDERS:
            self._left.popitem(last=False)
        return True

    def give_back(self, holder: bytes) -> None:
        """Count no projection for ``holder`` after all: the one that it took was not computed."""
        if holder in self._left:
            left, at = self._left[holder]
            self._left[holder] = left + 1.0, at

    def spend(self, seconds: float) -> None:
        """Rest after a projection that took ``seconds``."""
        self._rested_at = self._clock() + _REST_FACTOR * seconds
