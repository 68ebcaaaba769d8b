"""Defines the states of a trainer, the events between them, and how a trainer is made to leave: pure functions."""

from dataclasses import dataclass
from enum import StrEnum

from client.policy.policy import Effect


class State(StrEnum):
    IDLE = "idle"  # there is no trainer process
    STARTING = "starting"  # it loads, and enters the swarm
    TRAINING = "training"
    SETTLING = "settling"  # stopped; what is left of a running round ends at a tenth of a core
    FROZEN = "frozen"  # stopped and quiet, in memory
    FINISHING = "finishing"  # it completes the epoch, and ends then
    LEAVING = "leaving"  # it has the order to leave the swarm and to end
    BACKING_OFF = "backing off"  # it crashed, and is started again after a while
    FAILED = "failed"  # it cannot be kept going without the volunteer
    COMPLETE = "complete"  # the run is over


class StateEvent(StrEnum):
    START = "start"
    JOINED = "joined"
    FREEZE = "freeze"
    SETTLED = "settled"
    THAW = "thaw"
    FINISH = "finish"
    LEAVE = "leave"
    ENDED = "ended"  # in order
    CRASHED = "crashed"
    GIVEN_UP = "given up"
    RETRY = "retry"
    RUN_OVER = "run over"
    RESET = "reset"  # another run, or the volunteer asks to try again


_ALIVE = (
    State.STARTING,
    State.TRAINING,
    State.SETTLING,
    State.FROZEN,
    State.FINISHING,
    State.LEAVING,
)
_NEXT = {
    (State.IDLE, StateEvent.START): State.STARTING,
    (State.STARTING, StateEvent.JOINED): State.TRAINING,
    (State.TRAINING, StateEvent.FREEZE): State.SETTLING,
    (State.FINISHING, StateEvent.FREEZE): State.SETTLING,
    (State.SETTLING, StateEvent.SETTLED): State.FROZEN,
    (State.SETTLING, StateEvent.THAW): State.TRAINING,
    (State.FROZEN, StateEvent.THAW): State.TRAINING,
    (State.TRAINING, StateEvent.FINISH): State.FINISHING,
    **{(state, StateEvent.LEAVE): State.LEAVING for state in _ALIVE if state is not State.LEAVING},
    **{(state, StateEvent.ENDED): State.IDLE for state in _ALIVE},
    **{(state, StateEvent.RUN_OVER): State.COMPLETE for state in _ALIVE},
    **{(state, StateEvent.CRASHED): State.BACKING_OFF for state in _ALIVE if state is not State.LEAVING},
    (State.LEAVING, StateEvent.CRASHED): State.IDLE,
    (State.BACKING_OFF, StateEvent.GIVEN_UP): State.FAILED,
    (State.IDLE, StateEvent.GIVEN_UP): State.FAILED,
    (State.BACKING_OFF, StateEvent.RETRY): State.IDLE,
    **{
        (state, StateEvent.RESET): State.IDLE
        for state in (State.IDLE, State.BACKING_OFF, State.FAILED, State.COMPLETE)
    },
}


def transition(state: State, event: StateEvent) -> State:
    """Return the state that follows; raise ValueError where the event makes no sense."""
    try:
        return _NEXT[state, event]
    except KeyError:
        raise ValueError(f"{event!r} cannot happen while {state}") from None


def is_alive(state: State) -> bool:
    """Return true if there is a trainer process in that state."""
    return state in _ALIVE


def next_event(state: State, wanted: Effect) -> StateEvent | None:
    """Return the event to cause now so that the trainer does what the policy wants; None: nothing, or wait.

    A trainer that still loads has nothing to lose, so it is ended instead of frozen in the middle of its time limits.
    """
    if wanted in (Effect.RUN, Effect.THROTTLE):
        return {
            State.IDLE: StateEvent.START,
            State.SETTLING: StateEvent.THAW,
            State.FROZEN: StateEvent.THAW,
        }.get(state)
    if wanted is Effect.PAUSE:
        return {
            State.STARTING: StateEvent.LEAVE,
            State.TRAINING: StateEvent.FREEZE,
            State.FINISHING: StateEvent.FREEZE,
        }.get(state)
    return StateEvent.LEAVE if is_alive(state) and state is not State.LEAVING else None


SECONDS_TO_LEAVE = 20.0
"""Seconds for a trainer to end its round, save and leave, at the lowest priority."""
SECONDS_TO_LEAVE_QUIETLY = 60.0
"""Seconds for a trainer to end its round, save and leave at a tenth of a core."""
SECONDS_TO_CLOSE_QUIETLY = 8.0
"""Seconds for a trainer that is frozen when the daemon ends."""
SECONDS_TO_VANISH = 0.5
"""Seconds for a frozen trainer to end if another program needs its memory now.

The machine is looked at each second, so that the other program has the memory within two.
"""
_STANDS_STILL = (State.SETTLING, State.FROZEN)
"""States in which the user may be at the computer, and no peer waits for the trainer."""


@dataclass(frozen=True)
class ShutdownPolicy:
    seconds: float
    quietly: bool
    """True to leave within a tenth of a core."""


AT_ONCE = ShutdownPolicy(SECONDS_TO_VANISH, quietly=False)


def shutdown_policy(before: State, *, at_once: bool) -> ShutdownPolicy | None:
    """Return the time and manner in which a trainer leaves; None: it is ended at once.

    A trainer that still loads has nothing to lose. Where its memory is needed now, it gets a moment; one that is
    frozen is
    not woken up for that.

    Args:
        before: State of the trainer.
        at_once: True if the memory that it holds is needed now.
    """
    if before is State.STARTING or (at_once and before in _STANDS_STILL):
        return None
    return AT_ONCE if at_once else ShutdownPolicy(SECONDS_TO_LEAVE_QUIETLY, quietly=True)


def last_shutdown_policy(before: State, seconds: float) -> ShutdownPolicy:
    """Return the time and manner in which it leaves when the daemon ends or another run is joined.

    It has so many ``seconds`` for it.
    """
    if before in _STANDS_STILL:
        return ShutdownPolicy(min(seconds, SECONDS_TO_CLOSE_QUIETLY), quietly=True)
    return ShutdownPolicy(seconds, quietly=False)
