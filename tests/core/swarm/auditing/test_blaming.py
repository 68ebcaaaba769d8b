"""The peers that a member blames for a round are those that alone can have failed it."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hivemind.p2p import PeerID

from core.swarm.auditing.backoff import PeerFault
from core.swarm.auditing.blaming import RoundLosses, faults_of
from tests.core.swarm.builders import peer_bytes

A, B, C = (PeerID(peer_bytes(number)) for number in range(3))
ALL, NONE = frozenset({A, B, C}), frozenset[PeerID]()
FINE = RoundLosses(ALL, ALL, NONE, NONE, NONE, leader=A)

CASES: dict[str, tuple[RoundLosses, Mapping[PeerID, PeerFault]]] = {
    "nothing was lost": (FINE, {}),
    "one reducer": (replace(FINE, lost=frozenset({B})), {B: PeerFault.LOST_PARTS}),
    "two of three": (
        replace(FINE, lost=frozenset({B, C})),
        {B: PeerFault.LOST_PARTS, C: PeerFault.LOST_PARTS},
    ),
    "all: the own line": (replace(FINE, lost=ALL), {}),
    "the only one": (
        replace(FINE, reducers=frozenset({B}), lost=frozenset({B})),
        {B: PeerFault.LOST_PARTS},
    ),
    "one of two peers": (
        replace(FINE, reducers=frozenset({B}), senders=frozenset({B}), lost=frozenset({B})),
        {},
    ),
    "one of two peers is silent": (
        RoundLosses(frozenset({B}), frozenset({B}), NONE, NONE, silent=frozenset({B}), leader=B),
        {},
    ),
    "one of two peers, and reduces alone": (
        replace(FINE, reducers=frozenset({B}), senders=NONE, lost=frozenset({B})),
        {},
    ),
    "a sender": (replace(FINE, silent=frozenset({C})), {C: PeerFault.SILENT_SENDER}),
    "all senders: the own line": (replace(FINE, silent=ALL), {}),
    "neither sends nor reduces": (
        replace(FINE, lost=frozenset({C}), silent=frozenset({C})),
        {C: PeerFault.LOST_PARTS},
    ),
    "one left the group": (
        replace(FINE, lost=frozenset({B}), refusing=frozenset({B})),
        {B: PeerFault.LOST_PARTS},
    ),
    "several know of no group": (
        replace(FINE, lost=frozenset({B, C}), refusing=frozenset({B, C})),
        {A: PeerFault.UNKNOWN_GROUP},
    ),
    "several know of no group, and the leader is lost": (
        replace(FINE, reducers=ALL | {PeerID(peer_bytes(3))}, lost=ALL, refusing=frozenset({B, C})),
        {A: PeerFault.UNKNOWN_GROUP},
    ),
    "several left a group of the member's own": (
        replace(FINE, lost=frozenset({B, C}), refusing=frozenset({B, C}), leader=None),
        {B: PeerFault.LOST_PARTS, C: PeerFault.LOST_PARTS},
    ),
}


@pytest.mark.parametrize(("losses", "faults"), CASES.values(), ids=list(CASES))
def test_blame(losses: RoundLosses, faults: Mapping[PeerID, PeerFault]) -> None:
    assert faults_of(losses) == faults
