"""Counts how long samples were asked for and none was ready."""

from collections.abc import Callable


class SampleLack:
    """The time in which samples were asked for but not available."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Begin now; ``clock`` returns the time in seconds."""
        self._clock = clock
        self._since: float | None = None
        self._share_from = clock(), 0.0
        self.seconds = 0.0
        """Seconds in which samples were asked for but not available."""

    def note(self, lacks: bool) -> None:
        """Note that samples are asked for: ``lacks`` is true if none is ready."""
        now = self._clock()
        if self._since is not None:
            self.seconds += now - self._since
        self._since = now if lacks else None

    def share(self) -> float:
        """Return the share of the time since the last call that was such a time."""
        (began, lacked), self._share_from = self._share_from, (self._clock(), self.seconds)
        seconds = self._share_from[0] - began
        return min(1.0, (self.seconds - lacked) / seconds) if seconds > 0 else 0.0
