"""Keeps count of how a trainer's lives failed, those under earlier daemons too: how long the next one has to wait."""

from collections.abc import Callable, Sequence

from client.service.restarts import FORGIVEN_SECONDS, Fault, pause_after, pause_before_restart

_LONG_LIFE_SECONDS = 600.0
"""A trainer that lived for so long has overcome what kept those before it from living."""


class Setbacks:
    """Of one run's trainer."""

    def __init__(
        self, crashes: Sequence[float], clock: Callable[[], float], draw: Callable[[], float]
    ) -> None:
        """``crashes`` are those that an earlier daemon saw, in seconds before now."""
        self._clock, self._draw = clock, draw
        self._crashes = [clock() - ago for ago in crashes]
        self._failures = 0
        self._born = clock()

    def begin(self) -> None:
        """A life begins."""
        self._born = self._clock()

    def pause_after(self, fault: Fault) -> float | None:
        """Seconds from the end of that life, by that fault, to the next; None: there is none."""
        now = self._clock()
        self._failures = 1 if now - self._born > _LONG_LIFE_SECONDS else self._failures + 1
        if fault is not Fault.SURROUNDINGS:
            self._crashes = [crash for crash in (*self._crashes, now) if now - crash < FORGIVEN_SECONDS]
        match fault:
            case Fault.SURROUNDINGS:
                return pause_after(self._failures, self._draw())
            case Fault.CRASH:
                return pause_before_restart(self._crashes, now, self._draw())
            case Fault.LASTING:
                return None

    def forgive(self) -> None:
        """The volunteer asks to try again."""
        self._crashes.clear()
        self._failures = 0
