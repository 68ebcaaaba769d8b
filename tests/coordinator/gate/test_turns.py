"""Waiting for the Hub: one thread asks, few wait, and everybody else is told at once."""

from coordinator.gate.fetching import Turns

PATIENCE = 20.0


def test_who_comes_while_too_many_wait_is_refused_at_once() -> None:
    turns = Turns(most=1)
    with turns.turn(PATIENCE) as first, turns.turn(PATIENCE) as second:
        assert (first, second) == (True, False)
    with turns.turn(0) as later:
        assert later


def test_whose_patience_ends_leaves_the_queue() -> None:
    turns = Turns(most=2)
    with turns.turn(PATIENCE):
        for _ in range(3):
            with turns.turn(0) as is_ours:
                assert not is_ours
    with turns.turn(0) as later:
        assert later
