"""Each state accepts its events, and the client's actions lead to what the policy wants."""

from itertools import product

import pytest

from client.policy.policy import Effect
from client.service.trainer.state import Event, State, is_alive, next_event, transition

PATHS = [
    # a day's training
    ([Event.START, Event.JOINED, Event.FREEZE, Event.SETTLED, Event.THAW, Event.LEAVE], State.LEAVING),
    ([Event.START, Event.JOINED, Event.FREEZE, Event.THAW], State.TRAINING),
    ([Event.START, Event.JOINED, Event.FINISH, Event.ENDED], State.IDLE),
    ([Event.START, Event.JOINED, Event.FINISH, Event.FREEZE, Event.SETTLED, Event.LEAVE], State.LEAVING),
    ([Event.START, Event.JOINED, Event.RUN_OVER], State.COMPLETE),
    # what goes wrong
    ([Event.START, Event.CRASHED, Event.RETRY, Event.START], State.STARTING),
    ([Event.START, Event.JOINED, Event.FREEZE, Event.SETTLED, Event.CRASHED], State.BACKING_OFF),
    ([Event.START, Event.CRASHED, Event.GIVEN_UP], State.FAILED),
    ([Event.START, Event.CRASHED, Event.GIVEN_UP, Event.RESET, Event.START], State.STARTING),
    ([Event.START, Event.LEAVE, Event.CRASHED], State.IDLE),
]


@pytest.mark.parametrize(("events", "expected"), PATHS)
def test_events_lead_from_state_to_state(events: list[Event], expected: State) -> None:
    state = State.IDLE
    for event in events:
        state = transition(state, event)
    assert state is expected


ILLEGAL = [
    (State.IDLE, Event.FREEZE),
    (State.FROZEN, Event.FREEZE),
    (State.LEAVING, Event.LEAVE),
    (State.LEAVING, Event.FREEZE),
    (State.TRAINING, Event.START),
    (State.FAILED, Event.START),
    (State.COMPLETE, Event.START),
    (State.TRAINING, Event.RESET),
    (State.BACKING_OFF, Event.JOINED),
]


@pytest.mark.parametrize(("state", "event"), ILLEGAL)
def test_an_event_that_makes_no_sense_is_refused(state: State, event: Event) -> None:
    with pytest.raises(ValueError, match=f"{state}"):
        transition(state, event)


WANTED = {
    Effect.RUN: {State.IDLE: Event.START, State.SETTLING: Event.THAW, State.FROZEN: Event.THAW},
    Effect.THROTTLE: {State.IDLE: Event.START, State.SETTLING: Event.THAW, State.FROZEN: Event.THAW},
    Effect.PAUSE: {
        State.STARTING: Event.LEAVE,
        State.TRAINING: Event.FREEZE,
        State.FINISHING: Event.FREEZE,
    },
    Effect.LEAVE: {
        State.STARTING: Event.LEAVE,
        State.TRAINING: Event.LEAVE,
        State.SETTLING: Event.LEAVE,
        State.FROZEN: Event.LEAVE,
        State.FINISHING: Event.LEAVE,
    },
}


@pytest.mark.parametrize(("wanted", "state"), list(product(Effect, State)))
def test_what_is_done_follows_from_what_is_wanted(wanted: Effect, state: State) -> None:
    assert next_event(state, wanted) is WANTED[wanted].get(state)


@pytest.mark.parametrize(("wanted", "state"), list(product(Effect, State)))
def test_what_is_done_can_be_done_and_does_not_have_to_be_done_twice(wanted: Effect, state: State) -> None:
    event = next_event(state, wanted)
    if event is not None:
        assert next_event(transition(state, event), wanted) is None


@pytest.mark.parametrize("state", State)
def test_a_trainer_that_lives_may_crash_or_end_at_any_time(state: State) -> None:
    if is_alive(state):
        assert not is_alive(transition(state, Event.CRASHED))
        assert transition(state, Event.ENDED) is State.IDLE
