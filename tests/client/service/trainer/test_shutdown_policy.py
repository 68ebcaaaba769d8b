"""A trainer is let go as whoever needs the computer would have it."""

import pytest

from client.service.trainer.state import (
    ShutdownPolicy,
    State,
    is_alive,
    last_shutdown_policy,
    shutdown_policy,
)


@pytest.mark.parametrize(
    ("before", "at_once", "expected"),
    [
        (State.TRAINING, False, ShutdownPolicy(60.0, quietly=True)),
        (State.TRAINING, True, ShutdownPolicy(0.5, quietly=False)),
        (State.FINISHING, True, ShutdownPolicy(0.5, quietly=False)),
        (State.FROZEN, False, ShutdownPolicy(60.0, quietly=True)),
        (State.FROZEN, True, None),
        (State.SETTLING, True, None),
        (State.STARTING, False, None),
        (State.STARTING, True, None),
    ],
)
def test_how_long_it_has_follows_from_what_it_does_and_who_waits(
    before: State, at_once: bool, expected: ShutdownPolicy | None
) -> None:
    assert shutdown_policy(before, at_once=at_once) == expected


@pytest.mark.parametrize("before", [state for state in State if is_alive(state)])
def test_a_daemon_that_ends_disturbs_nobody_for_whom_training_has_paused(before: State) -> None:
    paused = before in (State.SETTLING, State.FROZEN)
    assert last_shutdown_policy(before, 20.0) == ShutdownPolicy(8.0 if paused else 20.0, quietly=paused)
    assert last_shutdown_policy(before, 5.0) == ShutdownPolicy(5.0, quietly=paused)
