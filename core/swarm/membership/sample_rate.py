"""A peer's smoothed rate in samples a second; time in which it stood still does not count."""

from collections.abc import Callable

_SMOOTHING = 0.3


class SampleRate:
    """A smoothed rate in samples a second; ``value`` is 0 before the first samples."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._counted_at = clock, clock()
        self.value = 0.0

    def count(self, samples: int) -> None:
        """Count ``samples`` that were computed since the last call, or since ``restart``."""
        now = self._clock()
        rate, self._counted_at = samples / max(now - self._counted_at, 1e-9), now
        self.value += (_SMOOTHING if self.value else 1.0) * (rate - self.value)

    def restart(self) -> None:
        """Measure from now on: nothing was computed up to now."""
        self._counted_at = self._clock()
