"""How fast a peer computes, in samples a second, smoothed; time for which it stood still does not count."""

from collections.abc import Callable

_SMOOTHING = 0.3


class SampleRate:
    """0 before the first samples."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._counted_at = clock, clock()
        self.value = 0.0

    def count(self, samples: int) -> None:
        """These were computed since the last time."""
        now = self._clock()
        rate, self._counted_at = samples / max(now - self._counted_at, 1e-9), now
        self.value += (_SMOOTHING if self.value else 1.0) * (rate - self.value)

    def restart(self) -> None:
        """Nothing was computed up to now."""
        self._counted_at = self._clock()
