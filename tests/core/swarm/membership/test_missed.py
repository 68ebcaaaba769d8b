"""Trainers that were there when the swarm went out of reach are missed until one is seen, or had time to be."""

from core.swarm.membership.swarm_view import FORGOTTEN_SECONDS, SEEN_AGAIN_SECONDS, MissedTrainers

BOTH, NONE = frozenset({b"a", b"b"}), frozenset[bytes]()


def test_trainers_that_left_while_the_swarm_was_in_reach_are_not_missed() -> None:
    missed = MissedTrainers()
    assert [missed.look(seen, True, 0.0) for seen in (BOTH, NONE)] == [0, 0]


def test_all_are_missed_while_the_swarm_is_out_of_reach() -> None:
    missed = MissedTrainers()
    missed.look(BOTH, True, 0.0)
    assert [
        missed.look(BOTH, False, 3.0),
        missed.look(NONE, False, 15.0),
        missed.look(NONE, False, 3000.0),
        missed.look(NONE, False, 12 * 3600.0),
    ] == [
        0,  # their records are at hand for some seconds more
        2,
        2,
        2,  # each would be alone after an outage of hours
    ]


def test_once_it_is_in_reach_again_they_have_time_to_publish() -> None:
    missed = MissedTrainers()
    missed.look(BOTH, True, 0.0)
    missed.look(NONE, False, 100.0)
    assert missed.look(NONE, True, 101.0) == 2
    assert missed.look(NONE, True, 99.0 + SEEN_AGAIN_SECONDS) == 2
    assert missed.look(NONE, True, 100.0 + SEEN_AGAIN_SECONDS) == 0
    assert missed.look(NONE, False, 200.0) == 0  # none was there when it went out of reach again


def test_one_that_is_seen_again_tells_that_the_view_is_whole() -> None:
    missed = MissedTrainers()
    missed.look(BOTH, True, 0.0)
    missed.look(NONE, False, 100.0)
    assert missed.look(frozenset({b"b"}), True, 101.0) == 0
    assert missed.look(frozenset({b"b"}), False, 102.0) == 0  # the other one is gone


def test_a_last_peer_that_leaves_is_not_missed_though_none_is_in_reach_then() -> None:
    missed = MissedTrainers()
    missed.look(BOTH, True, 0.0)
    missed.look(frozenset({b"b"}), True, 1.0, leaving=frozenset({b"a"}))
    assert missed.look(NONE, False, 2.0, leaving=frozenset({b"a", b"b"})) == 0


def test_those_that_do_not_come_back_are_forgotten_at_last() -> None:
    missed = MissedTrainers()
    missed.look(BOTH, True, 0.0)
    missed.look(NONE, False, 10.0)
    assert missed.look(NONE, False, 9.0 + FORGOTTEN_SECONDS) == 2
    assert missed.look(NONE, False, 10.0 + FORGOTTEN_SECONDS) == 0
    assert missed.look(NONE, False, 20.0 + FORGOTTEN_SECONDS) == 0
