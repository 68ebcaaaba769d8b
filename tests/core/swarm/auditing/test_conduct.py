"""What a peer remembers of others decides whom it refuses, and whom it avoids."""

import pytest
from hivemind.p2p import PeerID

from core.swarm.auditing.backoff import PeerFault
from core.swarm.auditing.conduct import MOST_PEERS, PeerConducts
from core.swarm.rounds.assignment import MOST_REFUSED
from tests.core.swarm.builders import peer_bytes

A, B, C = (PeerID(peer_bytes(number)) for number in range(3))


def test_a_peer_that_lost_parts_is_refused_and_forgiven() -> None:
    seen = PeerConducts()
    seen.begin_round()
    seen.blame(A, PeerFault.LOST_PARTS)
    refused = []
    for _ in range(4):
        seen.begin_round()
        refused.append(seen.refused)
    assert refused == [(A,), (A,), (), ()]
    assert seen.avoided(others=2) == frozenset()


def test_a_peer_with_false_aggregates_is_refused_for_long_and_avoided_in_the_end() -> None:
    seen = PeerConducts()
    seen.begin_round()
    seen.blame(A, PeerFault.LOST_PARTS)
    seen.blame(B, PeerFault.FALSE_AGGREGATE)
    seen.begin_round()
    assert seen.refused == (B, A)
    assert seen.avoided(others=2) == frozenset()
    seen.blame(B, PeerFault.FALSE_AGGREGATE)
    seen.begin_round()
    assert seen.refused == (B, A)
    assert seen.avoided(others=2) == {B}


@pytest.mark.parametrize(
    ("others", "avoided"),
    [(0, set()), (1, set()), (2, {B}), (3, {B, C}), (4, {A, B, C}), (9, {A, B, C})],
)
def test_one_of_the_others_is_left_to_form_a_group_with(others: int, avoided: set[PeerID]) -> None:
    seen = PeerConducts()
    seen.begin_round()
    for peer, faults in ((A, 1), (B, 3), (C, 2)):
        for _ in range(faults):
            seen.blame(peer, PeerFault.FALSE_GROUP)
    seen.begin_round()
    assert seen.avoided(others) == avoided


def test_what_is_remembered_is_bounded_and_the_worst_are_kept() -> None:
    seen = PeerConducts()
    seen.begin_round()
    seen.blame(A, PeerFault.FALSE_AGGREGATE)
    for number in range(10, MOST_PEERS + 20):
        seen.blame(PeerID(peer_bytes(number)), PeerFault.LOST_PARTS)
    seen.begin_round()
    assert seen.refused[0] == A
    assert len(seen.refused) == MOST_REFUSED
