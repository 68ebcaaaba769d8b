"""How a trainer is let go: in which time, and whether anybody is to notice; pure functions."""

from dataclasses import dataclass

from client.service.state import State

SECONDS_TO_LEAVE = 20.0
"""For a trainer to end its round, save and leave, at the lowest priority."""
SECONDS_TO_LEAVE_QUIETLY = 60.0
"""For the same at a tenth of a core."""
SECONDS_TO_CLOSE_QUIETLY = 8.0
"""For one that is frozen when the daemon ends."""
SECONDS_TO_VANISH = 0.5
"""For the same where somebody needs the memory now: with a look a second apart it is theirs within two."""
_STANDS_STILL = (State.SETTLING, State.FROZEN)
"""Somebody may be using the computer, and nobody in its swarm counts on it any more."""


@dataclass(frozen=True)
class Farewell:
    seconds: float
    quietly: bool
    """Within a tenth of a core."""


AT_ONCE = Farewell(SECONDS_TO_VANISH, quietly=False)


def farewell(before: State, *, at_once: bool) -> Farewell | None:
    """For a trainer that was in that state; ``at_once``: what it holds is needed now. None: it is ended as it is.

    One that still loads has nothing to lose; where memory is needed now, a moment has to do, for which one that is
    frozen is not woken up.
    """
    if before is State.STARTING or (at_once and before in _STANDS_STILL):
        return None
    return AT_ONCE if at_once else Farewell(SECONDS_TO_LEAVE_QUIETLY, quietly=True)


def last_farewell(before: State, seconds: float) -> Farewell:
    """When the daemon ends, or trains another run, and has so many seconds."""
    if before in _STANDS_STILL:
        return Farewell(min(seconds, SECONDS_TO_CLOSE_QUIETLY), quietly=True)
    return Farewell(seconds, quietly=False)
