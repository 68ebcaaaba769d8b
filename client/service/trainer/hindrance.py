"""Decides whether a run is to be skipped for others, and how it makes way for them: pure functions."""

from dataclasses import dataclass
from enum import Enum, auto

from client.api.errors import RamLimitError
from client.api.runs import RunHindrance
from client.service.trainer.restarts import EndCause
from client.service.trainer.state import State, is_alive
from core.errors import MemoryPlanError

PATIENCE = 600.0
"""Seconds for which a run may do nothing, though training is allowed, before it is skipped."""
PATIENCE_WITH_START = 1800.0
"""Seconds for a run whose trainer starts: it loads the model, and may fetch gigabytes of state over a slow line."""
LONGEST_WAIT = 3600.0
"""Seconds for which a run that is to make way may take to complete its epoch."""
_ROOM = {RamLimitError.code, MemoryPlanError.code}


@dataclass(frozen=True)
class RunCondition:
    """Facts about the run whose turn it is."""

    state: State
    code: str = ""
    """Code of the error by which its last trainer ended; empty: there is none."""
    cause: EndCause | None = None
    """Cause of that end."""
    needs_update: bool = False
    is_left_out: bool = False
    """True if its gate does not admit this volunteer."""
    idle_seconds: float = 0.0
    """Seconds for which it has done nothing, though training was allowed."""


def hindrance_of(run: RunCondition) -> RunHindrance | None:
    """Return the reason why the run cannot be trained, or None if it is trained or may be soon."""
    if run.state is State.COMPLETE:
        return RunHindrance.FINISHED
    if run.needs_update and not is_alive(run.state):  # a trainer that runs may complete its epoch
        return RunHindrance.UPDATE
    if run.is_left_out:
        return RunHindrance.LEFT_OUT
    if run.state is State.FAILED:
        return RunHindrance.NO_ROOM if run.code in _ROOM else RunHindrance.BROKEN
    patience = PATIENCE_WITH_START if run.state is State.STARTING else PATIENCE
    if run.idle_seconds < patience:
        return None
    if run.code in _ROOM:
        return RunHindrance.NO_ROOM
    return RunHindrance.BROKEN if run.cause is EndCause.CRASH else RunHindrance.UNREACHABLE


class WayOut(Enum):
    """Manner in which the current run makes way for another one."""

    WAIT = auto()  # it ends or thaws by itself
    FINISH = auto()  # it is ordered to complete its epoch
    CLOSE = auto()  # nothing is lost now, or it took too long


def way_out(state: State, *, is_hindered: bool, is_last_epoch: bool, waited: float) -> WayOut:
    """Return how the current run makes way for another.

    A frozen trainer keeps the samples of its epoch, so it is waited for until it continues or has left.

    Args:
        state: State of its trainer.
        is_hindered: True if it is skipped, so that there is no epoch to complete.
        is_last_epoch: True if the volunteer asked to stop once the epoch is over.
        waited: Seconds since it was to make way.
    """
    if is_last_epoch or state is State.LEAVING:
        return WayOut.WAIT
    if not is_alive(state) or is_hindered or waited >= LONGEST_WAIT:
        return WayOut.CLOSE
    return WayOut.FINISH if state is State.TRAINING else WayOut.WAIT
