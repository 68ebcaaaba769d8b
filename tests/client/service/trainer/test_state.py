"""Each state accepts its events, and the client's actions lead to what the policy wants."""

from itertools import product

import pytest

from client.policy.policy import Effect
from client.service.trainer.state import State, StateEvent, is_alive, next_event, transition

PATHS = [
    # a day's training
    (
        [
            StateEvent.START,
            StateEvent.JOINED,
            StateEvent.FREEZE,
            StateEvent.SETTLED,
            StateEvent.THAW,
            StateEvent.LEAVE,
        ],
        State.LEAVING,
    ),
    ([StateEvent.START, StateEvent.JOINED, StateEvent.FREEZE, StateEvent.THAW], State.TRAINING),
    ([StateEvent.START, StateEvent.JOINED, StateEvent.FINISH, StateEvent.ENDED], State.IDLE),
    (
        [
            StateEvent.START,
            StateEvent.JOINED,
            StateEvent.FINISH,
            StateEvent.FREEZE,
            StateEvent.SETTLED,
            StateEvent.LEAVE,
        ],
        State.LEAVING,
    ),
    ([StateEvent.START, StateEvent.JOINED, StateEvent.RUN_OVER], State.COMPLETE),
    # what goes wrong
    ([StateEvent.START, StateEvent.CRASHED, StateEvent.RETRY, StateEvent.START], State.STARTING),
    (
        [StateEvent.START, StateEvent.JOINED, StateEvent.FREEZE, StateEvent.SETTLED, StateEvent.CRASHED],
        State.BACKING_OFF,
    ),
    ([StateEvent.START, StateEvent.CRASHED, StateEvent.GIVEN_UP], State.FAILED),
    (
        [StateEvent.START, StateEvent.CRASHED, StateEvent.GIVEN_UP, StateEvent.RESET, StateEvent.START],
        State.STARTING,
    ),
    ([StateEvent.START, StateEvent.LEAVE, StateEvent.CRASHED], State.IDLE),
]


@pytest.mark.parametrize(("events", "expected"), PATHS)
def test_events_lead_from_state_to_state(events: list[StateEvent], expected: State) -> None:
    state = State.IDLE
    for event in events:
        state = transition(state, event)
    assert state is expected


ILLEGAL = [
    (State.IDLE, StateEvent.FREEZE),
    (State.FROZEN, StateEvent.FREEZE),
    (State.LEAVING, StateEvent.LEAVE),
    (State.LEAVING, StateEvent.FREEZE),
    (State.TRAINING, StateEvent.START),
    (State.FAILED, StateEvent.START),
    (State.COMPLETE, StateEvent.START),
    (State.TRAINING, StateEvent.RESET),
    (State.BACKING_OFF, StateEvent.JOINED),
]


@pytest.mark.parametrize(("state", "event"), ILLEGAL)
def test_an_event_that_makes_no_sense_is_refused(state: State, event: StateEvent) -> None:
    with pytest.raises(ValueError, match=f"{state}"):
        transition(state, event)


WANTED = {
    Effect.RUN: {
        State.IDLE: StateEvent.START,
        State.SETTLING: StateEvent.THAW,
        State.FROZEN: StateEvent.THAW,
    },
    Effect.THROTTLE: {
        State.IDLE: StateEvent.START,
        State.SETTLING: StateEvent.THAW,
        State.FROZEN: StateEvent.THAW,
    },
    Effect.PAUSE: {
        State.STARTING: StateEvent.LEAVE,
        State.TRAINING: StateEvent.FREEZE,
        State.FINISHING: StateEvent.FREEZE,
    },
    Effect.LEAVE: {
        State.STARTING: StateEvent.LEAVE,
        State.TRAINING: StateEvent.LEAVE,
        State.SETTLING: StateEvent.LEAVE,
        State.FROZEN: StateEvent.LEAVE,
        State.FINISHING: StateEvent.LEAVE,
    },
}


def test_what_is_done_follows_from_what_is_wanted() -> None:
    done = {(wanted, state): next_event(state, wanted) for wanted, state in product(Effect, State)}
    assert done == {(wanted, state): WANTED[wanted].get(state) for wanted, state in done}


def test_what_is_done_can_be_done_and_does_not_have_to_be_done_twice() -> None:
    repeated = [
        (wanted, state, event)
        for wanted, state in product(Effect, State)
        if (event := next_event(state, wanted)) and next_event(transition(state, event), wanted) is not None
    ]
    assert repeated == []


def test_a_trainer_that_lives_may_crash_or_end_at_any_time() -> None:
    living = [state for state in State if is_alive(state)]
    assert living
    assert [state for state in living if is_alive(transition(state, StateEvent.CRASHED))] == []
    assert {transition(state, StateEvent.ENDED) for state in living} == {State.IDLE}
