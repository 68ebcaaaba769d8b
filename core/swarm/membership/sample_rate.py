"""The rate at which a peer computes samples, smoothed over some seconds."""

import math
from collections.abc import Callable

_REMEMBERED_SECONDS = 5.0
"""Seconds after which samples have 1/e of their weight in a rate."""


class SampleRate:
    """A peer's smoothed rate in samples a second, without the time in which it was stopped.

    Samples and seconds fade alike, and the rate is their quotient. A mean of the micro-steps' own rates would be too
    high wherever their seconds differ: one of 10 ms would count as much as one of a second.
    ``value`` is 0 before the first samples.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        """Measure from now on; ``clock`` gives monotonic seconds."""
        self._clock, self._counted_at = clock, clock()
        self._samples = self._seconds = self.value = 0.0

    def count(self, samples: int) -> None:
        """Count ``samples`` that were computed since the last call, or since ``restart``."""
        now = self._clock()
        seconds, self._counted_at = max(now - self._counted_at, 1e-9), now
        kept = math.exp(-seconds / _REMEMBERED_SECONDS)
        self._samples, self._seconds = kept * self._samples + samples, kept * self._seconds + seconds
        self.value = self._samples / self._seconds

    def restart(self) -> None:
        """Measure from now on: nothing was computed up to now."""
        self._counted_at = self._clock()
