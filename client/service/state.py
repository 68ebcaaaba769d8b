"""What the client does about its trainer: the states, the function that moves between them, and what comes next."""

from enum import StrEnum

from client.policy.policy import Effect


class State(StrEnum):
    IDLE = "idle"  # there is no trainer process
    STARTING = "starting"  # it loads, and enters the swarm
    TRAINING = "training"
    SETTLING = "settling"  # stopped; what is left of a running round ends at a tenth of a core
    FROZEN = "frozen"  # stopped and quiet, in memory
    FINISHING = "finishing"  # it completes the epoch, and ends then
    LEAVING = "leaving"  # it was told to leave the swarm in order, and to end
    BACKING_OFF = "backing off"  # it crashed, and is started again after a while
    FAILED = "failed"  # it cannot be kept going without the volunteer
    COMPLETE = "complete"  # the run is over


class Event(StrEnum):
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
    (State.IDLE, Event.START): State.STARTING,
    (State.STARTING, Event.JOINED): State.TRAINING,
    (State.TRAINING, Event.FREEZE): State.SETTLING,
    (State.FINISHING, Event.FREEZE): State.SETTLING,
    (State.SETTLING, Event.SETTLED): State.FROZEN,
    (State.SETTLING, Event.THAW): State.TRAINING,
    (State.FROZEN, Event.THAW): State.TRAINING,
    (State.TRAINING, Event.FINISH): State.FINISHING,
    **{(state, Event.LEAVE): State.LEAVING for state in _ALIVE if state is not State.LEAVING},
    **{(state, Event.ENDED): State.IDLE for state in _ALIVE},
    **{(state, Event.RUN_OVER): State.COMPLETE for state in _ALIVE},
    **{(state, Event.CRASHED): State.BACKING_OFF for state in _ALIVE if state is not State.LEAVING},
    (State.LEAVING, Event.CRASHED): State.IDLE,
    (State.BACKING_OFF, Event.GIVEN_UP): State.FAILED,
    (State.IDLE, Event.GIVEN_UP): State.FAILED,
    (State.BACKING_OFF, Event.RETRY): State.IDLE,
    **{
        (state, Event.RESET): State.IDLE
        for state in (State.IDLE, State.BACKING_OFF, State.FAILED, State.COMPLETE)
    },
}


def transition(state: State, event: Event) -> State:
    """The state that follows; raises ValueError where the event makes no sense."""
    try:
        return _NEXT[state, event]
    except KeyError:
        raise ValueError(f"{event!r} cannot happen while {state}") from None


def is_alive(state: State) -> bool:
    """Whether there is a trainer process."""
    return state in _ALIVE


def next_event(state: State, wanted: Effect) -> Event | None:
    """What the client has to do now so that what the policy wants comes true; None: nothing, or wait.

    A trainer that still loads has nothing to lose, so it is not frozen in the middle of time limits but ended.
    """
    if wanted in (Effect.RUN, Effect.THROTTLE):
        return {
            State.IDLE: Event.START,
            State.SETTLING: Event.THAW,
            State.FROZEN: Event.THAW,
        }.get(state)
    if wanted is Effect.PAUSE:
        return {
            State.STARTING: Event.LEAVE,
            State.TRAINING: Event.FREEZE,
            State.FINISHING: Event.FREEZE,
        }.get(state)
    return Event.LEAVE if is_alive(state) and state is not State.LEAVING else None
