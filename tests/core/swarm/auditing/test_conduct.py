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


def of_users(**peers: tuple[PeerID, ...]) -> PeerConducts:
    users = {peer: user for user, found in peers.items() for peer in found}
    return PeerConducts(user_of=lambda peer: users.get(peer, ""), peers_of=peers.__getitem__)


@pytest.mark.parametrize(
    ("fault", "refused"),
    [
        (PeerFault.FALSE_WORK, {A, B}),
        (PeerFault.FALSE_AGGREGATE, {A, B}),
        (PeerFault.OTHER_AGGREGATE, {A, B}),
        (PeerFault.FALSE_GROUP, {A, B}),
        (PeerFault.LOST_PARTS, {A}),
        (PeerFault.OPPOSED, {A}),
    ],
)
def test_what_is_no_accident_excludes_all_peers_of_the_user(fault: PeerFault, refused: set[PeerID]) -> None:
    """One with 32 peers went on with the next one after each."""
    seen = of_users(ada=(A, B), ben=(C,))
    seen.begin_round()
    seen.blame(A, fault)
    seen.begin_round()
    assert set(seen.refused) == refused
    assert seen.avoided(others=3) == (
        refused if fault in (PeerFault.FALSE_WORK, PeerFault.FALSE_GROUP) else set()
    )


def test_no_number_of_other_peers_hides_the_one_that_was_met() -> None:
    """Its user shows 31 that are not there, whose names would take all places."""
    absent = tuple(PeerID(peer_bytes(number)) for number in range(100, 131))
    seen = of_users(ada=(*absent, A), ben=(B,))
    seen.begin_round()
    for _ in range(2):
        seen.blame(A, PeerFault.FALSE_AGGREGATE)
        seen.blame(B, PeerFault.FALSE_AGGREGATE)
    seen.begin_round()
    assert set(seen.refused[:2]) == {A, B}
    assert len(seen.refused) == MOST_REFUSED
    assert seen.avoided(others=3) == {*absent, A, B}
    assert len(seen.avoided(others=2) & {A, B}) == 1


def test_faults_of_a_users_peers_add_up() -> None:
    seen = of_users(ada=(A, B), ben=(C,))
    seen.begin_round()
    seen.blame(A, PeerFault.FALSE_AGGREGATE)
    seen.blame(B, PeerFault.FALSE_AGGREGATE)
    seen.begin_round()
    assert seen.avoided(others=3) == {A, B}


def test_what_is_remembered_is_bounded_and_the_worst_are_kept() -> None:
    seen = PeerConducts()
    seen.begin_round()
    seen.blame(A, PeerFault.FALSE_AGGREGATE)
    for number in range(10, MOST_PEERS + 20):
        seen.blame(PeerID(peer_bytes(number)), PeerFault.LOST_PARTS)
    seen.begin_round()
    assert seen.refused[0] == A
    assert len(seen.refused) == MOST_REFUSED
