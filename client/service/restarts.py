"""When a trainer that ended out of order is started again, and when it is given up: pure functions."""

from collections.abc import Sequence
from enum import Enum, auto

from core.children.outcome import Ending, Outcome

FORGIVEN_SECONDS = 3600.0
"""After which a crash no longer counts."""
MOST_CRASHES = 5
_FIRST_SECONDS = 5.0
_LONGEST_SECONDS = 600.0
_SURROUNDINGS = {"swarm", "data", "checkpoint", "memory", "admission"}
"""Codes of errors that the network, the disk, a sleep or others cause, and that end by themselves."""
_LASTING = {"manifest", "codec", "text"}
"""Codes of errors that are the same the next time."""


class Fault(Enum):
    """What the end of a trainer says of its next life."""

    SURROUNDINGS = auto()  # another time may be better, however often
    CRASH = auto()  # another time may be better, but not for ever
    LASTING = auto()  # the next time is the same


def fault_of(outcome: Outcome) -> Fault:
    """Why a trainer ended out of order, or in order without having been asked to."""
    if outcome.ending is Ending.GARBLED:
        return Fault.LASTING
    code = outcome.failure.code if outcome.ending is Ending.FAILED and outcome.failure else ""
    if code in _SURROUNDINGS:
        return Fault.SURROUNDINGS
    return Fault.LASTING if code in _LASTING else Fault.CRASH


def pause_before_restart(crashes: Sequence[float], now: float, draw: float) -> float | None:
    """Seconds to wait, or None if this many crashes in an hour are a loop that starting again will not end.

    Args:
        crashes: when the trainer crashed, the last crash included; seconds, as ``now``.
        draw: 0 to 1, as of `pause_after`.
    """
    recent = sum(now - crash < FORGIVEN_SECONDS for crash in crashes)
    return None if recent >= MOST_CRASHES else pause_after(recent, draw)


def pause_after(failures: int, draw: float) -> float:
    """Seconds to wait after so many failures in a row, which may go on for as long as they like.

    Doubles with each, and takes between half and all of that by ``draw``, so that the trainers of a swarm that fell
    over together do not come back together.
    """
    longest = min(_LONGEST_SECONDS, _FIRST_SECONDS * 2.0 ** max(0, failures - 1))
    return longest * (0.5 + draw / 2)
