"""Decides when a trainer that failed is started again, and when it is given up."""

from collections.abc import Callable, Sequence
from enum import Enum, auto

from core.children.outcome import Ending, Outcome

FORGIVEN_SECONDS = 3600.0
"""Seconds after which a crash no longer counts."""
MOST_CRASHES = 5
_FIRST_SECONDS = 5.0
_LONGEST_SECONDS = 600.0
_SURROUNDINGS = {"swarm", "clock", "data", "checkpoint", "memory", "admission"}
"""Codes of errors that the network, the disk, the clock, a sleep or others cause, and that end by themselves."""
_LASTING = {"manifest", "misfit", "codec", "text", "packages"}
"""Codes of errors that are the same the next time."""


class EndCause(Enum):
    """Cause of a trainer's end, which decides whether and when it starts again."""

    SURROUNDINGS = auto()  # another time may be better, however often
    CRASH = auto()  # another time may be better, but not for ever
    LASTING = auto()  # the next time is the same


def fault_of(outcome: Outcome) -> EndCause:
    """Return the cause for which a trainer failed, or ended without an order."""
    if outcome.ending is Ending.GARBLED:
        return EndCause.LASTING
    code = outcome.failure.code if outcome.ending is Ending.FAILED and outcome.failure else ""
    if code in _SURROUNDINGS:
        return EndCause.SURROUNDINGS
    return EndCause.LASTING if code in _LASTING else EndCause.CRASH


def pause_before_restart(crashes: Sequence[float], now: float, draw: float) -> float | None:
    """Return the seconds to wait; None if this many crashes in an hour are a loop that starting again cannot end.

    Args:
        crashes: when the trainer crashed, the last crash included; seconds, as ``now``.
        draw: 0 to 1, as of `pause_after`.
    """
    recent = sum(now - crash < FORGIVEN_SECONDS for crash in crashes)
    return None if recent >= MOST_CRASHES else pause_after(recent, draw)


def pause_after(failures: int, draw: float) -> float:
    """Return the seconds to wait after ``failures`` in a row, without a limit to their number.

    Doubles with each, and takes between half and all of that by ``draw``, so that the trainers of a swarm that fell
    over together do not come back together.
    """
    longest = min(_LONGEST_SECONDS, _FIRST_SECONDS * 2.0 ** max(0, failures - 1))
    return longest * (0.5 + draw / 2)


_LONG_LIFE_SECONDS = 600.0
"""Life in seconds after which a trainer's failures no longer count towards its backoff."""


class CrashBackoff:
    """Counts the failures of one run's trainer, including those under earlier daemons."""

    def __init__(
        self, crashes: Sequence[float], clock: Callable[[], float], draw: Callable[[], float]
    ) -> None:
        """Begin with ``crashes``, those that an earlier daemon saw, in seconds before now."""
        self._clock, self._draw = clock, draw
        self._crashes = [clock() - ago for ago in crashes]
        self._failures = 0
        self._born = clock()

    def begin(self) -> None:
        """Note that a trainer process starts."""
        self._born = self._clock()

    def pause_after(self, fault: EndCause) -> float | None:
        """Return the seconds to wait before the next start after that fault; None: there is none."""
        now = self._clock()
        self._failures = 1 if now - self._born > _LONG_LIFE_SECONDS else self._failures + 1
        if fault is not EndCause.SURROUNDINGS:
            self._crashes = [crash for crash in (*self._crashes, now) if now - crash < FORGIVEN_SECONDS]
        match fault:
            case EndCause.SURROUNDINGS:
                return pause_after(self._failures, self._draw())
            case EndCause.CRASH:
                return pause_before_restart(self._crashes, now, self._draw())
            case EndCause.LASTING:
                return None

    def forgive(self) -> None:
        """Forget all failures, as the volunteer asks to try again."""
        self._crashes.clear()
        self._failures = 0
